import Foundation
import TVEModels
import TVETestSupport
import Testing

struct ValidUTF8Tests {
    @Test(
        arguments: [
            ([], ""), ([0x61], "a"), ([0xC3, 0xA9], "\u{E9}"), ([0x65, 0xCC, 0x81], "e\u{301}"), ([0x00], "\0"),
            ([0xEF, 0xBB, 0xBF, 0x61], "\u{FEFF}a"), ([0xEF, 0xBF, 0xBD], "\u{FFFD}"),
            ([0xF0, 0x9F, 0x93, 0xBA], "\u{1F4FA}"),
            // Cut off, overlong, a surrogate, beyond the last character, and never valid.
            ([0xC3], nil), ([0x61, 0xE2, 0x82], nil), ([0xC0, 0x80], nil), ([0xE0, 0x80, 0xAF], nil),
            ([0xED, 0xA0, 0x80], nil), ([0xF4, 0x90, 0x80, 0x80], nil), ([0x80], nil), ([0xFF], nil),
            // As long as its replacement, three bytes for three.
            ([0xE2, 0x82, 0x28], nil), ([0xFF, 0xFF, 0xFF], nil),
        ] as [([UInt8], String?)])
    func makesATextOfBytes_thatAreOne(bytes: [UInt8], expected: String?) {
        for made in [String(validUTF8: bytes), String(validUTF8: Data(bytes)), String(validUTF8: AnyCollection(bytes))]
        {
            #expect(made.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, *)
    @Test func agreesWithTheStandardLibrary() {
        // Bytes at and beside the limits of the encoding, in random order from a seed.
        let kinds: [UInt8] = [
            0x00, 0x61, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF4, 0xF5,
        ]
        var random = SeededRandom(state: 1)
        var accepted = 0
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...6, using: &random)).map { _ in kinds.randomElement(using: &random) ?? 0
            }
            let expected = String(validating: bytes, as: UTF8.self)
            if expected != nil { accepted += 1 }
            if String(validUTF8: bytes) != expected { Issue.record("\(bytes)") }
        }
        #expect(accepted > 100 && accepted < 19_900)
    }
}
