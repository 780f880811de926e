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
            isAuthorized = values.flag(.authorized)
            source = values.text(.source) ?? ""
            error = values.value(ErrorAnswer.self, .error)?.error
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
