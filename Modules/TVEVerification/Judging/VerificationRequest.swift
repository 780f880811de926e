#if VerificationService
import TVEModels

/// One token in a request.
struct VerificationRequest: Sendable, Redacting, Decodable {
    let token: String
    let resource: String?
    let requestor: String?
    /// Whether a valid token is spent; true unless the caller says otherwise, because a token is for one playback.
    let spend: Bool

    var redactedDescription: String { "VerificationRequest" }

    private struct Field: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }

        static let token = Field(stringValue: "token")
        static let resource = Field(stringValue: "resource")
        static let requestor = Field(stringValue: "requestor")
        static let spend = Field(stringValue: "spend")
        static let all: Set = ["token", "resource", "requestor", "spend"]
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        // A misspelt check must not be skipped silently.
        guard fields.allKeys.allSatisfy({ Field.all.contains($0.stringValue) }) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "There is an unknown field."))
        }
        token = try fields.decode(String.self, forKey: .token)
        // A field that is present must have a value: null is none.
        resource = fields.contains(.resource) ? try fields.decode(String.self, forKey: .resource) : nil
        requestor = fields.contains(.requestor) ? try fields.decode(String.self, forKey: .requestor) : nil
        spend = fields.contains(.spend) ? try fields.decode(Bool.self, forKey: .spend) : true
    }

    init(token: String, resource: String? = nil, requestor: String? = nil, spend: Bool = true) {
        self.token = token
        self.resource = resource
        self.requestor = requestor
        self.spend = spend
    }
}
#endif
