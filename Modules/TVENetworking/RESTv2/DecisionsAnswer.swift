import Foundation
import TVEModels

/// The answer to a request for decisions (REST API v2, 5.9 and 5.10).
struct DecisionsAnswer: JSONReadable {
    let decisions: [Entry]
    /// A Boolean value that indicates whether the list is empty, so that no decision was left out as unreadable.
    let isEmpty: Bool

    private enum Field: String, CaseIterable { case decisions }

    private static let names = JSONNames<Field>()

    init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var decisions: [Entry] = []
        var count = 0
        var isList = false
        _ = try json.object(Self.names) { (_, json) throws(UntrustedJSONError) in
            isList = try json.list { (json) throws(UntrustedJSONError) in
                count += 1
                if let entry = try Entry(&json) { decisions.append(entry) }
            }
        }
        guard isList else { return nil }
        self.decisions = decisions
        isEmpty = count == 0
    }

    /// Returns the decision about a resource, which is the one whose id has the same bytes.
    ///
    /// A permit and a denial of the same resource contradict each other, so they are no decision.
    ///
    /// If there is none, another spelling is accepted, because one sample returns the id with a trailing blank, a
    /// service that reads an MRSS document may change the form of its line ends, and the service compares ids without
    /// case. Only ASCII letters have a case here. To the service, the Kelvin sign is not a `k`.
    func entry(for resource: Resource) -> Entry? {
        let exact = decisions.filter { $0.resource == resource }
        guard exact.isEmpty else { return exact.agreed }
        func plain(_ resource: Resource) -> String {
            resource.withLineFeeds.text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let text = plain(resource)
        return decisions.filter { plain($0.resource).isSameBytesIgnoringASCIICase(as: text) }.agreed
    }

    /// A Boolean value that indicates whether a permit shows that there is a login.
    ///
    /// A denial of the same resource makes the permit no decision, but a service without a login permits nothing.
    var showsLogin: Bool { decisions.contains(where: \.isAuthorized) }

    /// A Boolean value that indicates whether the decisions state that there is no login, or for an unknown reason that
    /// the viewer must log in.
    var deniesLogin: Bool {
        guard !showsLogin else { return false }
        return decisions.contains { entry in
            guard let error = entry.error, case .pendingLogout(let signal) = ServiceError(error) else { return false }
            return signal.mayMissProof
        }
    }

    struct Entry: JSONReadable {
        var resource: Resource
        let isAuthorized: Bool
        let source: String
        let error: EnhancedError?
        let token: Token?
        let notAfter: Date?

        private enum Field: String, CaseIterable { case resource, authorized, source, error, token, notAfter }

        private static let names = JSONNames<Field>()

        init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
            var resource: String?
            var isAuthorized: Bool?
            var source: String?
            var error: EnhancedError?
            var token: Token?
            var notAfter: Date?
            _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
                switch field {
                case .resource: resource = try json.text()
                case .authorized: isAuthorized = try json.yesOrNo()
                case .source: source = try json.identifier()
                case .error: error = try EnhancedError(&json)
                case .token: token = try Token(&json)
                case .notAfter: notAfter = try json.endOfService()
                }
            }
            // Without a yes or a no, only an error that says what it is makes the entry a decision.
            guard let resource, isAuthorized != nil || error?.code != nil else { return nil }
            self.resource = Resource(resource)
            self.isAuthorized = isAuthorized ?? false
            self.source = source ?? ""
            self.error = error
            self.token = token
            self.notAfter = notAfter
        }
    }

    /// A media token as the service wraps it.
    struct Token: JSONReadable {
        let serialized: String
        let notBefore: Date?
        let notAfter: Date?

        private enum Field: String, CaseIterable { case serializedToken, notBefore, notAfter }

        private static let names = JSONNames<Field>()

        init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
            var serialized: String?
            var notBefore: Date?
            var notAfter: Date?
            _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
                switch field {
                case .serializedToken: serialized = try json.string()
                case .notBefore: notBefore = try json.instantOfService()
                case .notAfter: notAfter = try json.instantOfService()
                }
            }
            // A back end refuses an empty text, so it is no token.
            guard let serialized, !serialized.isBlank else { return nil }
            self.serialized = serialized
            self.notBefore = notBefore
            self.notAfter = notAfter
        }
    }
}

extension [DecisionsAnswer.Entry] {
    /// The first of several decisions about one resource, or nil if they contradict each other.
    fileprivate var agreed: Element? { allSatisfy { $0.isAuthorized == first?.isAuthorized } ? first : nil }
}
