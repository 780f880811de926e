public import Foundation
public import TVEModels

/// A signed token split into its signature and the exact text that was signed.
///
/// On the wire: `<signatureInfo>BASE64<signatureInfo>body`, where the second marker really is an opening tag. The
/// spelling with a closing tag and the Base64-wrapped form of REST answers are read as well (wire protocol, envelope).
public struct TokenEnvelope: Sendable, Hashable, Redacting {
    /// The signature, decoded.
    public let signature: Data
    /// The signed text: everything behind the second marker.
    public let body: String

    private static let marker = "<signatureInfo>"
    private static let closingMarker = "</signatureInfo>"
    /// What Base64 makes of the first fifteen bytes of every envelope.
    private static let wrappedMarker = "PHNpZ25hdHVyZUluZm8+"

    /// Joins a signature and what it signs.
    ///
    /// - Parameters:
    ///   - signature: the signature over the UTF-8 bytes of `body`.
    ///   - body: the signed text.
    public init(signature: Data, body: String) {
        self.signature = signature
        self.body = body
    }

    /// Splits the text of a token.
    ///
    /// - Parameter text: the token, unescaped; raw or wrapped in Base64.
    /// - Throws: `TokenCodecError.envelope` with what is wrong, `.invalidUTF8` for wrapped bytes that are no text.
    public init(parsing text: String) throws(TokenCodecError) {
        self = try Self.split(try Self.unwrapped(text))
    }

    /// The token as the wire carries it, in the captured spelling.
    public var text: TokenText {
        TokenText("\(Self.marker)\(signature.base64EncodedString())\(Self.marker)\(body)")
    }

    /// The text of a token without the Base64 that REST answers put around it.
    ///
    /// - Parameter text: the token, raw or wrapped in Base64.
    /// - Returns: the raw text.
    /// - Throws: `TokenCodecError.envelope(.missing)` when it looks wrapped but is not Base64, `.invalidUTF8` when the
    ///   wrapped bytes are no text.
    static func unwrapped(_ text: String) throws(TokenCodecError) -> String {
        guard text.utf8.starts(with: wrappedMarker.utf8) else { return text }
        guard let bytes = Data(base64Encoded: text) else { throw .envelope(.missing) }
        guard let unwrapped = String(validating: bytes, as: UTF8.self) else {
            throw .invalidUTF8(offset: UTF8Check.firstInvalidOffset(in: Array(bytes)) ?? 0)
        }
        return unwrapped
    }

    /// Length of the signature and of the body, neither of them.
    public var redactedDescription: String {
        "TokenEnvelope(signature: \(signature.count) bytes, body: \(body.utf8.count) bytes)"
    }

    private static func split(_ text: String) throws(TokenCodecError) -> TokenEnvelope {
        let bytes = text.utf8
        guard bytes.starts(with: marker.utf8) else { throw .envelope(.missing) }
        let signatureStart = bytes.index(bytes.startIndex, offsetBy: marker.utf8.count)
        guard let signatureEnd = bytes[signatureStart...].firstIndex(of: UInt8(ascii: "<")) else {
            throw .envelope(.unterminated)
        }
        let rest = bytes[signatureEnd...]
        guard let second = [marker, closingMarker].first(where: { rest.starts(with: $0.utf8) }) else {
            throw .envelope(.unterminated)
        }
        let encoded = text[signatureStart..<signatureEnd]
        guard !encoded.isEmpty else { throw .envelope(.emptySignature) }
        guard let signature = Data(base64Encoded: String(encoded)), !signature.isEmpty else {
            throw .envelope(.signatureNotBase64)
        }
        let body = text[bytes.index(signatureEnd, offsetBy: second.utf8.count)...]
        guard !body.isEmpty else { throw .envelope(.emptyBody) }
        return TokenEnvelope(signature: signature, body: String(body))
    }
}
