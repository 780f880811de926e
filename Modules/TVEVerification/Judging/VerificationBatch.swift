#if VerificationService
import TVEModels

/// Several tokens in one request.
struct VerificationBatch: Sendable, Redacting, Decodable {
    let tokens: [VerificationRequest]

    var redactedDescription: String { "VerificationBatch(\(tokens.count))" }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case tokens
    }

    private struct AnyField: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    init(from decoder: any Decoder) throws {
        guard try decoder.container(keyedBy: AnyField.self).allKeys.map(\.stringValue) == ["tokens"] else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "A batch has the one field tokens."))
        }
        tokens = try decoder.container(keyedBy: CodingKeys.self).decode([VerificationRequest].self, forKey: .tokens)
    }
}
#endif
