import TVEModels

/// A request of a caller to verify one token.
struct VerificationRequest: Sendable, Redacting, Decodable {
    let token: String
    let resource: Resource?
    let requestor: RequestorID?
    /// A Boolean value that indicates whether a valid token is spent.
    ///
    /// The value is `true` unless the caller states otherwise, because a token permits one playback.
    let spend: Bool

    var redactedDescription: String { "VerificationRequest" }

    /// The beginning of the error message about a field that does not exist.
    static let unknownField = "There is an unknown field"

    /// Returns the error message about an unknown field.
    ///
    /// The message repeats the name of the field only if the name is short and consists of visible ASCII characters.
    private static func sentence(about name: String) -> String {
        let isName = (1...64).contains(name.utf8.count) && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isName
            ? "\(unknownField), \(name); the known fields are token, resource, requestor, spend." : "\(unknownField)."
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        // A check whose name is misspelt must not be skipped silently.
        let known: [Field] = ["token", "resource", "requestor", "spend"]
        if let other = fields.allKeys.first(where: { !known.contains($0) }) {
            let sentence = Self.sentence(about: other.stringValue)
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: sentence))
        }
        token = try fields.decode(String.self, forKey: "token")
        // A field that is present must have a value, and null is none.
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

/// A request of a caller to verify several tokens.
struct VerificationBatch: Sendable, Redacting, Decodable {
    let tokens: [VerificationRequest]

    var redactedDescription: String { "VerificationBatch(\(tokens.count))" }

    /// The error message about other fields than `tokens`.
    static let otherFields = "A batch has the one field tokens."

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        guard fields.allKeys == ["tokens"] else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: Self.otherFields))
        }
        tokens = try fields.decode([VerificationRequest].self, forKey: "tokens")
    }
}

/// A field with any name, so that unknown fields are noticed.
private struct Field: CodingKey, Equatable, ExpressibleByStringLiteral {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral name: String) { stringValue = name }
    init?(intValue: Int) { return nil }
}
