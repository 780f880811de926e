import Foundation
import TVEModels

/// The answer to a request for decisions (REST API v2, 5.9 and 5.10).
struct DecisionsAnswer: Decodable {
    let decisions: [Entry]

    private enum CodingKeys: String, CodingKey { case decisions }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        decisions = try values.list(Entry.self, .decisions) ?? values.decode([Entry].self, forKey: .decisions)
    }

    /// The decision about a resource: the one whose id has the same bytes.
    ///
    /// If there is none, another spelling is accepted: one sample returns the id with a trailing blank, and ids are
    /// compared without case. Only ASCII letters have a case here: to the service, the Kelvin sign is not a `k`.
    func entry(for resource: Resource) -> Entry? {
        if let exact = decisions.first(where: { $0.resource == resource }) { return exact }
        func plain(_ text: String) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines) }
        let text = plain(resource.text)
        return decisions.first { plain($0.resource.text).isSameBytesIgnoringASCIICase(as: text) }
    }

    /// Whether a decision says that there is no login.
    var deniesLogin: Bool {
        decisions.contains { entry in
            guard !entry.isAuthorized, let error = entry.error, case .pendingLogout(let signal) = ServiceError(error)
            else { return false }
            return signal.namesMissingLogin
        }
    }

    struct Entry: Decodable {
        var resource: Resource
        let isAuthorized: Bool
        let source: String
        let error: EnhancedError?
        let token: Token?
        let notAfter: Date?

        private enum CodingKeys: String, CodingKey { case resource, authorized, source, error, token, notAfter }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            resource = try values.decode(Resource.self, forKey: .resource)
            source = values.text(.source) ?? ""
            error = values.value(ErrorAnswer.self, .error)?.error
            guard values.contains(.authorized) || error != nil else {
                throw DecodingError.dataCorruptedError(forKey: .authorized, in: values, debugDescription: "no decision")
            }
            isAuthorized = values.flag(.authorized)
            token = values.value(Token.self, .token)
            notAfter = values.instant(.notAfter)
        }
    }

    /// A media token as the service wraps it.
    struct Token: Decodable {
        let serialized: String
        let notBefore: Date?
        let notAfter: Date?

        private enum CodingKeys: String, CodingKey { case serializedToken, notBefore, notAfter }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            serialized = try values.decode(String.self, forKey: .serializedToken)
            notBefore = values.instant(.notBefore)
            notAfter = values.instant(.notAfter)
        }
    }
}
