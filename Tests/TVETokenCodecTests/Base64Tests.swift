import Foundation
import TVETestTraits
import TVETokenCodec
import Testing

/// A comparison of the codec's own Base64 with Foundation's.
///
/// Both accept the same signatures and decode them to the same bytes.
@Suite(.fewAtATime)
struct Base64Tests {
    private static func decoded(_ signature: String) -> Data? {
        try? TokenEnvelope(parsing: "<signatureInfo>\(signature)<signatureInfo><a/>").signature
    }

    @Test func agreesWithFoundation_onEveryLength() {
        for count in 1...300 {
            let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) })
            #expect(Self.decoded(bytes.base64EncodedString()) == bytes)
        }
    }

    @Test func agreesWithFoundation_onEveryCharacterAtEveryPlace() {
        let afterPadding = /=[^=]/
        for good in ["AAAA", "QUJD", "QUI=", "QQ==", "QUJDRA==", "QUJDREU="] {
            for place in good.indices {
                // The readers of signatures skip white space.
                for value in UInt8(0)...127 where ![9, 10, 11, 12, 13, 32, UInt8(ascii: "<")].contains(value) {
                    var text = good
                    text.replaceSubrange(place...place, with: [Character(UnicodeScalar(value))])
                    // The only difference is that Foundation accepts a character after padding.
                    if text.contains(afterPadding) { continue }
                    #expect(Self.decoded(text) == Data(base64Encoded: text), "\(text)")
                }
            }
        }
    }

    @Test(arguments: [
        "A", "AB", "ABC", "ABCDE", "====", "A===", "AB=C", "AB==CD==", "AAAA=", "AAAA====", "ÄÄ", "+A A", "QQ=A",
    ])
    func refuses(text: String) {
        #expect(throws: TokenCodecError.envelope(.signatureNotBase64)) {
            try TokenEnvelope(parsing: "<signatureInfo>\(text)<signatureInfo><a/>")
        }
    }
}
