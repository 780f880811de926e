import Foundation
import TVEModels

/// The answer to a request for profiles: by MVPD id (REST API v2, 5.6 to 5.8 and 5.13).
struct ProfilesAnswer: Decodable {
    let profiles: [MVPDID: Entry]
    /// The providers whose profiles are there and cannot be read, which says nothing about their logins.
    let unreadable: Set<MVPDID>

    private enum CodingKeys: String, CodingKey { case profiles }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let all = try values.decode([MVPDID: Readable<Entry>].self, forKey: .profiles)
        profiles = all.compactMapValues(\.value)
        unreadable = Set(all.keys).subtracting(profiles.keys)
        // Profiles that cannot be read must not count as "not logged in".
        if profiles.isEmpty && !all.isEmpty {
            throw DecodingError.dataCorruptedError(
                forKey: .profiles, in: values, debugDescription: "no readable profile")
        }
    }

    struct Entry: Decodable {
        let notBefore: Date?
        let notAfter: Date
        let issuer: String
        let type: String
        let attributes: [String: Attribute]

        private enum CodingKeys: String, CodingKey { case notBefore, notAfter, issuer, type, attributes }

        /// Makes the profile of a viewer of whom the service says nothing.
        init(type: String, notBefore: Date, notAfter: Date) {
            self.type = type
            self.notBefore = notBefore
            self.notAfter = notAfter
            issuer = ""
            attributes = [:]
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            guard let end = values.instant(.notAfter) else {
                throw DecodingError.dataCorruptedError(forKey: .notAfter, in: values, debugDescription: "no date")
            }
            notAfter = end
            notBefore = values.instant(.notBefore)
            issuer = values.text(.issuer) ?? ""
            type = values.text(.type) ?? ""
            attributes = values.map(String.self, Attribute.self, .attributes) ?? [:]
        }

        /// The viewer's id, by any of its names.
        var userID: String? {
            guard case .string(let id)? = (attributes["userID"] ?? attributes["userId"])?.value else { return nil }
            return id
        }

        /// The provider's data about the viewer.
        func metadata(at now: Date) -> UserMetadata {
            var data = attributes.compactMapValues(\.value)
            for (old, current) in [("userId", "userID"), ("householdId", "householdID")] where data[current] == nil {
                data[current] = data.removeValue(forKey: old)
            }
            if Profile.Kind(type: type) == .apple { data["tokenSource"] = .string("Apple") }
            let encrypted = attributes.filter { $0.value.isEncrypted }.keys
            return UserMetadata(updated: now, data: data, encrypted: Set(encrypted))
        }
    }

    /// One fact about the viewer.
    struct Attribute: Decodable {
        /// Nil when the service does not know it.
        let value: MetadataValue?
        let isEncrypted: Bool

        private enum CodingKeys: String, CodingKey { case value, state }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            value = values.value(MetadataValue.self, .value).flatMap { $0 == .null ? nil : $0 }
            // `enc` in samples, `encrypted` in pictures: anything that is not plain.
            isEncrypted = values.text(.state).map { $0 != "plain" } ?? false
        }
    }
}
