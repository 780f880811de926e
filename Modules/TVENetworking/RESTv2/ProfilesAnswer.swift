package import Foundation
import TVEModels

/// The answer to a request for profiles, by MVPD id (REST API v2, 5.6 to 5.8 and 5.13).
struct ProfilesAnswer: JSONReadable {
    let profiles: [MVPDID: Entry]
    /// The providers whose profiles are unreadable.
    ///
    /// Their logins are neither confirmed nor denied.
    private let unreadable: Set<MVPDID>

    private enum Field: String, CaseIterable { case profiles }

    private static let names = JSONNames<Field>()

    /// Creates the answer that there are no profiles.
    init() {
        profiles = [:]
        unreadable = []
    }

    init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var profiles: [MVPDID: Entry] = [:]
        var unreadable: Set<MVPDID> = []
        var isMap = false
        _ = try json.object(Self.names) { (_, json) throws(UntrustedJSONError) in
            isMap = try json.members { (name, json) throws(UntrustedJSONError) in
                let id = MVPDID(JSONCursor.trimmed(name))
                // A login without a provider could not be used.
                let entry = try id.text.isEmpty ? nil : Entry(&json)
                guard profiles[id] == nil, !unreadable.contains(id) else { return }
                if let entry { profiles[id] = entry } else { unreadable.insert(id) }
            }
        }
        // Unreadable profiles must not be interpreted as "not logged in".
        guard isMap, !profiles.isEmpty || unreadable.isEmpty else { return nil }
        self.profiles = profiles
        self.unreadable = unreadable
    }

    /// Returns the profile of a provider, or nil if there is none that can be read.
    ///
    /// The service may spell the id in another way, with other cases of its ASCII letters.
    func profile(of mvpdID: MVPDID) -> Entry? {
        if let exact = profiles[mvpdID] { return exact }
        guard !unreadable.contains(mvpdID) else { return nil }
        return profiles.filter { $0.key.text.isSameBytesIgnoringASCIICase(as: mvpdID.text) }.values
            .max { $0.notAfter < $1.notAfter }
    }

    /// Returns a Boolean value that indicates whether a provider has no profile but one that cannot be read.
    func isUnreadable(_ mvpdID: MVPDID) -> Bool {
        profile(of: mvpdID) == nil
            && unreadable.contains { $0.text.isSameBytesIgnoringASCIICase(as: mvpdID.text) }
    }

    /// Returns the profile of the provider that a request was about, or nil if the service states that there is none.
    ///
    /// - Throws: `.unreadableJSON` if the profile is unreadable. The same applies to an answer with profiles of other
    ///   providers alone: they were not asked for, and say nothing about this one.
    func answer(about mvpdID: MVPDID) throws(ServiceError) -> Entry? {
        if let profile = profile(of: mvpdID) { return profile }
        guard profiles.isEmpty else { throw .unreadableJSON }
        return nil
    }

    struct Entry: JSONReadable {
        let notBefore: Date?
        let notAfter: Date
        let issuer: String
        let type: String
        let attributes: [String: Attribute]

        /// Creates a profile without any facts about the viewer.
        init(type: String, notBefore: Date, notAfter: Date) {
            self.type = type
            self.notBefore = notBefore
            self.notAfter = notAfter
            issuer = ""
            attributes = [:]
        }

        private enum Field: String, CaseIterable { case notBefore, notAfter, issuer, type, attributes }

        private static let names = JSONNames<Field>()

        init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
            var notBefore: Date?
            var notAfter: Date?
            var issuer: String?
            var type: String?
            var attributes: [String: Attribute] = [:]
            _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
                switch field {
                // Without a beginning that can be true, only the end is used.
                case .notBefore: notBefore = try json.instantOfService()
                case .notAfter: notAfter = try json.end()
                case .issuer: issuer = try json.text()
                case .type: type = try json.identifier()
                case .attributes:
                    _ = try json.members { (name, json) throws(UntrustedJSONError) in
                        let attribute = try Attribute(&json)
                        if attributes[name] == nil { attributes[name] = attribute }
                    }
                }
            }
            // A profile is present, and its end is a mistake of the service: it does not say that the login is over.
            guard let notAfter, notAfter >= .earliestOfServices, notBefore.map({ $0 < notAfter }) ?? true
            else { return nil }
            self.notBefore = notBefore
            self.notAfter = notAfter
            self.issuer = issuer ?? ""
            self.type = type ?? ""
            self.attributes = attributes
        }

        /// The viewer's id, under either of its two names.
        ///
        /// An id that was encrypted for the programmer is left out. The same id may have another text in each answer,
        /// which would make another login of it.
        var userID: String? {
            guard let id = attributes["userID"] ?? attributes["userId"], !id.isEncrypted else { return nil }
            return switch id.value {
            case .string(let id)?: id
            // A larger number may be the nearest one of several ids.
            case .number(let id)? where abs(id) <= 9_007_199_254_740_991: Int64(exactly: id).map { String($0) }
            default: nil
            }
        }

        /// Returns the provider's metadata about the viewer.
        func metadata(at now: Date) -> UserMetadata {
            var known = attributes.filter { $0.value.value != nil }
            for (old, current) in [("userId", "userID"), ("householdId", "householdID")] where known[current] == nil {
                known[current] = known.removeValue(forKey: old)
            }
            var data = known.compactMapValues(\.value)
            if Profile.Kind(type: type) == .apple { data["tokenSource"] = .string("Apple") }
            let encrypted = known.filter { $0.value.isEncrypted }.keys
            return UserMetadata(updated: now, data: data, encrypted: Set(encrypted))
        }
    }

    /// A single fact about the viewer.
    struct Attribute: JSONReadable {
        /// The value, or nil if the service does not know it.
        let value: MetadataValue?
        let isEncrypted: Bool

        private enum Field: String, CaseIterable { case value, state }

        private static let names = JSONNames<Field>()

        init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
            var value: MetadataValue?
            var state: String?
            let isObject = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
                switch field {
                case .value:
                    let start = json
                    do throws(UntrustedJSONError) {
                        value = try MetadataValue(&json)
                    } catch {
                        // A number that no `Double` can hold makes only this fact unreadable.
                        json = start
                        try json.skip()
                    }
                case .state: state = try json.trimmedText()
                }
            }
            guard isObject else { return nil }
            self.value = value == .null ? nil : value
            // The samples have `enc`, the diagrams have `encrypted`. Every state other than `plain` means encrypted.
            isEncrypted = state.map { !$0.isSameBytes(as: "plain") } ?? false
        }
    }
}

extension Date {
    /// The beginning of the year 2001.
    ///
    /// An earlier time in an answer of a service is treated as missing.
    ///
    /// A time in seconds that is read as milliseconds is in January 1970.
    static let earliestOfServices = Date(timeIntervalSinceReferenceDate: 0)
}

extension JSONCursor {
    /// Reads an instant as ``instant()`` does, or returns nil for one before the year 2001.
    mutating func instantOfService() throws(UntrustedJSONError) -> Date? {
        try instant().flatMap { $0 < .earliestOfServices ? nil : $0 }
    }

    /// Reads the end of a validity as ``end()`` does, or returns nil for one before the year 2001.
    mutating func endOfService() throws(UntrustedJSONError) -> Date? {
        try end().flatMap { $0 < .earliestOfServices ? nil : $0 }
    }
}

extension Endpoint {
    /// Returns a Boolean value that indicates whether an answer to a request for profiles leaves open who is logged in.
    ///
    /// A map of profiles says so, even an empty one, and so does an error that names a missing login or a TempPass that
    /// is over. Any other error or status comes from a service that did not look for logins, or from something in its
    /// place.
    ///
    /// - Parameters:
    ///   - status: the HTTP status of the answer.
    ///   - body: the body of the answer.
    ///   - path: the path of the request, with or without its query.
    package static func leavesLoginsUnknown(status: Int, _ body: Data, at path: String) -> Bool {
        let segments = path.divided(at: "?").before.parts(separatedBy: "/")
        guard segments.count > 4, String(segments[4]).isSameBytes(as: "profiles") else { return false }
        if let error = EnhancedError.read(body) {
            return switch ServiceError(error) {
            case .pendingLogout(let signal): !signal.namesMissingLogin
            case .denied(let denial): denial.reason != .temporaryAccessOver
            default: true
            }
        }
        guard (200...299).contains(status) else { return true }
        return (try? UntrustedJSON.read(ProfilesAnswer.self, from: body)) == nil
    }
}
