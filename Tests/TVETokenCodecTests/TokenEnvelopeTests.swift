import Foundation
import TVEModels
import TVETestTraits
import TVETokenCodec
import Testing

struct TokenEnvelopeTests {
    @Test(.row("D-11", "wire protocol, 6.1")) func splitsTheWireForm_intoSignatureAndExactBody() throws {
        let envelope = try TokenEnvelope(parsing: TokenSamples.media)
        #expect(envelope.signature == TokenSamples.signature)
        #expect(envelope.body == TokenSamples.mediaBody)
        #expect(envelope.text.rawValue == TokenSamples.media)
    }

    @Test(.row("D-11", "wire protocol, 6.1")) func readsTheClosingTag_andBase64() throws {
        let closing = "<signatureInfo>AAEC</signatureInfo><a/>"
        #expect(try TokenEnvelope(parsing: closing).body == "<a/>")
        let wrapped = Data(TokenSamples.media.utf8).base64EncodedString()
        #expect(wrapped.hasPrefix("PHNpZ25hdHVyZUluZm8+"))
        #expect(try TokenEnvelope(parsing: wrapped).body == TokenSamples.mediaBody)
        #expect(try TokenDecoder().mediaToken(wrapped).text.rawValue == TokenSamples.media)
    }

    @Test(arguments: [
        ("", TokenCodecError.empty), (" \r\n", .empty), ("\u{FEFF}", .empty), ("<authToken/>", .envelope(.missing)),
        ("x<signatureInfo>AAEC<signatureInfo><a/>", .envelope(.textBefore)),
        ("<signatureInfo>AAEC", .envelope(.unterminated)),
        ("<signatureInfo>AAEC<signature><a/>", .envelope(.unterminated)),
        ("<signatureInfo><signatureInfo><a/>", .envelope(.emptySignature)),
        ("<signatureInfo>AA EC<signatureInfo><a/>", .envelope(.plusIsSpace)),
        ("<signatureInfo>A<signatureInfo><a/>", .envelope(.signatureNotBase64)),
        ("<signatureInfo>AAEC<signatureInfo>", .envelope(.emptyBody)),
        ("PHNpZ25hdHVyZUluZm8+!", .envelope(.wrappingNotBase64)),
        ("PHNpZ25hdHVyZUluZm8+/w==", .invalidUTF8(offset: 15)),
    ])
    func namesTheFault(text: String, error: TokenCodecError) {
        #expect(throws: error) { try TokenEnvelope(parsing: text) }
    }

    @Test func showsNoSecret_whenPrinted() throws {
        let envelope = try TokenEnvelope(parsing: TokenSamples.media)
        var dumped = ""
        dump(envelope, to: &dumped)
        for text in [dumped, "\(envelope)", String(reflecting: envelope)] { #expect(!text.contains("9f3c")) }
    }

    // These are the check vectors (wire protocol, 16).
    @Test(.row("wire protocol, 6.1")) func hasThreeParts_whenItIsSplitAtTheMarker() {
        let envelope = TokenEnvelope(signature: Data([1, 2, 3]), body: "<authToken/>")
        let parts = envelope.text.rawValue.components(separatedBy: "<signatureInfo>")
        #expect(parts == ["", "AQID", "<authToken/>"])
    }
}
