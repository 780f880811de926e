public import Foundation
public import TVEModels

/// A signed token that is split into its signature and the exact text that was signed.
///
/// In the protocol, a token is `<signatureInfo>BASE64<signatureInfo>body`, where the second marker really is an opening
/// tag. The spelling with a closing tag and the Base64-wrapped form of REST answers are accepted as well (wire
/// protocol, envelope).
public struct TokenEnvelope: Sendable, Hashable, Redacting {
    /// The decoded signature.
    public let signature: Data
    /// The signed text, which is everything after the second marker.
    public let body: String

    static let marker: StaticString = "<signatureInfo>"
    static let closingMarker: StaticString = "</signatureInfo>"

    /// Creates an envelope from a signature and the signed text.
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
    /// - Parameter text: the unescaped token, raw or wrapped in Base64.
    /// - Throws: `TokenCodecError.envelope` with the fault, `.empty`, or `.invalidUTF8` for wrapped bytes that are not
    ///   UTF-8.
    public init(parsing text: String) throws(TokenCodecError) {
        let raw = try Self.unwrapped(text)
        self = try XMLReader.withReader(of: raw.utf8) { reader throws(TokenCodecError) in
            let bodyStart = try Self.split(&reader)
            return TokenEnvelope(
                signature: reader.withSignature { Data($0) },
                body: reader.withSource { source in String(decoding: source.extracting(droppingFirst: bodyStart)) })
        }
    }

    /// The token in the form that is sent, in the captured spelling.
    public var text: TokenText {
        TokenText("\(Self.marker)\(signature.base64EncodedString())\(Self.marker)\(body)")
    }

    /// Returns the text of a token without its wrapping, and decodes it if it is in Base64 as in REST answers.
    ///
    /// - Throws: `.envelope` with the fault of the wrapping, `.empty`, or `.invalidUTF8` if the wrapped bytes are not
    ///   UTF-8.
    static func unwrapped(_ text: String) throws(TokenCodecError) -> String {
        let isRaw = text.withUTF8Span { bytes in
            bytes.count > 1 && bytes[0] == UInt8(ascii: "<") && bytes[bytes.count - 1] == UInt8(ascii: ">")
        }
        return isRaw ? text : try TokenWrapping.removed(from: text)
    }

    /// The lengths of signature and body without their contents.
    public var redactedDescription: String {
        "TokenEnvelope(signature: \(signature.count) bytes, body: \(body.utf8.count) bytes)"
    }

    /// Finds the two parts of a token that is not wrapped, and decodes the signature.
    ///
    /// - Returns: the offset of the body.
    /// - Throws: `.envelope` with the fault.
    static func split(_ reader: inout XMLReader) throws(TokenCodecError) -> Int {
        let (signature, bodyStart, end) = try reader.withSource(parts)
        if !reader.decodeSignature(signature) {
            // Older encoders insert line breaks.
            let plain = reader.withSource { TokenWrapping.withoutWhiteSpace($0.extracting(signature)) }
            guard let plain, Data(plain).withSpan({ reader.decodeSignature($0) }) else {
                throw .envelope(reader.withSource { TokenWrapping.fault(ofSignature: $0.extracting(signature)) })
            }
        }
        guard bodyStart < end else { throw .envelope(.emptyBody) }
        return bodyStart
    }

    private static func parts(
        _ bytes: Span<UInt8>
    ) throws(TokenCodecError) -> (signature: Range<Int>, bodyStart: Int, end: Int) {
        guard bytes.has(marker, at: 0) else { throw .envelope(TokenWrapping.faultWithoutStart(bytes)) }
        let signatureStart = marker.utf8CodeUnitCount
        guard let signatureEnd = bytes.firstIndex(of: UInt8(ascii: "<"), from: signatureStart),
            let second = bytes.has(marker, at: signatureEnd)
                ? marker : bytes.has(closingMarker, at: signatureEnd) ? closingMarker : nil
        else { throw .envelope(.unterminated) }
        guard signatureEnd > signatureStart else { throw .envelope(.emptySignature) }
        return (signatureStart..<signatureEnd, signatureEnd + second.utf8CodeUnitCount, bytes.count)
    }
}
