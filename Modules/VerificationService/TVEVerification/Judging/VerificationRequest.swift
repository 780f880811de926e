import TVEModels

struct VerificationRequest: Sendable, Redacting, Decodable {
    let token: String
    let resource: Resource?
    let requestor: RequestorID?
    /// Whether a valid token is spent; true unless the caller says otherwise, because a token is for one playback.
    let spend: Bool

    var redactedDescription: String { "VerificationRequest" }

    /// The beginning of what is said about a document with a field that does not exist.
    static let unknownField = "There is an unknown field"

    /// A sentence that names an unknown field to the caller who sent it, as far as its name can be one.
    private static func sentence(about name: String) -> String {
        let isName = (1...64).contains(name.utf8.count) && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isName
            ? "\(unknownField), \(name); the known fields are token, resource, requestor, spend." : "\(unknownField)."
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        // A misspelt check must not be skipped silently.
        let known: [Field] = ["token", "resource", "requestor", "spend"]
        if let other = fields.allKeys.first(where: { !known.contains($0) }) {
            let sentence = Self.sentence(about: other.stringValue)
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: sentence))
        }
        token = try fields.decode(String.self, forKey: "token")
        // A field that is present must have a value: null is none.
        resource = fields.contains("resource") ? Resource(try fields.decode(String.self, forKey: "resource")) : nil
        requestor =
            fields.contains("requestor") ? RequestorID(try fields.decode(String.self, forKey: "requestor")) : nil
        spend = fields.contains("spend") ? try fields.decode(Bool.self, forKey: "spend") : true
    }

    init(token: String, resource: Resource? = nil, requestor: RequestorID? = nil, spend: Bool = true) {
        self.token = token
        self.resource = resource
        self.requestor = requestor
        self.spend = spend
    }
}

/// Several tokens in one request.
struct VerificationBatch: Sendable, Redacting, Decodable {
    let tokens: [VerificationRequest]

    var redactedDescription: String { "VerificationBatch(\(tokens.count))" }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        guard fields.allKeys == ["tokens"] else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "A batch has the one field tokens."))
        }
        tokens = try fields.decode([VerificationRequest].self, forKey: "tokens")
    }
}

/// A field of any name, so that unknown ones are seen.
private struct Field: CodingKey, Equatable, ExpressibleByStringLiteral {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral name: String) { stringValue = name }
    init?(intValue: Int) { return nil }
}
