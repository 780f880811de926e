import Foundation
import TVEModels

extension FormBody {
    /// A platform's SAML response as a form value.
    ///
    /// The platform inserts line breaks, which must not be encoded as part of the value (sign-on notes of the
    /// reference).
    static func samlResponse(_ answer: String) -> String {
        let collapsed = answer.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return Data(collapsed.utf8).base64EncodedString()
    }

    /// The app's data as JSON with sorted names; nil when there is none.
    static func json(_ data: [String: MetadataValue]) -> Data? {
        guard !data.isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // JSON values by type, so this can only fail for a number that is not finite.
        return (try? encoder.encode(data)) ?? Data("{}".utf8)
    }
}
