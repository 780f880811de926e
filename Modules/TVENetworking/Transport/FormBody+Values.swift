import Foundation
import TVEModels

extension FormBody {
    /// A platform's SAML answer as a form carries it.
    ///
    /// The platform breaks its lines, which Base64 of the whole would carry along (sign-on notes of the reference).
    static func samlResponse(_ answer: String) -> String {
        let collapsed = answer.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return Data(collapsed.utf8).base64EncodedString()
    }

    /// What an app sends along, as JSON with its names in order; nil when it sends nothing.
    static func json(_ data: [String: MetadataValue]) -> Data? {
        guard !data.isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // JSON values by type, so this cannot fail but for a number that is none.
        return (try? encoder.encode(data)) ?? Data("{}".utf8)
    }
}
