import Foundation

/// The body of a form post, `application/x-www-form-urlencoded`.
enum FormBody {
    static let contentType = "application/x-www-form-urlencoded; charset=UTF-8"

    /// Encodes fields in order.
    ///
    /// Everything except letters, digits and `-._~` is percent-encoded: otherwise a server's decoding would change the
    /// `+`, `/` and `=` of Base64.
    static func encode(_ fields: [(String, String)]) -> Data {
        Data(query(fields).utf8)
    }

    /// The same encoding, for the query of a URL.
    static func query(_ fields: [(String, String)]) -> String {
        fields.map { "\(escape($0))=\(escape($1))" }.joined(separator: "&")
    }

    /// Encodes one path segment or value.
    static func escape(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
