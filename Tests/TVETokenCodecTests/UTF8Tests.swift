import Foundation
import TVEModels
import TVETestTraits
import TVETokenCodec
import Testing

/// A comparison of the UTF-8 check with which every parse begins with the standard library's.
@Suite(.oneAtATime)
struct UTF8Tests {
    @available(macOS 15, iOS 18, tvOS 18, *)
    @Test func agreesWithTheStandardLibrary_onAllShortSequences() {
        // There are two bytes of each kind at every place: below, at and above every limit of the standard's table.
        let bytes: [UInt8] = [
            0x01, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
            0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ]
        // After the third byte, it only matters whether the next one continues a character. With TVE_LONG_TESTS, all
        // are tested.
        let last = LongTests.areOn ? bytes : [0x01, 0x7F, 0x80, 0xBF, 0xC2, 0xF4]
        for first in bytes {
            for second in bytes {
                for third in bytes {
                    for fourth in last {
                        let sequence = [first, second, third, fourth]
                        let isValid = String(validating: sequence, as: UTF8.self) != nil
                        let offset = sequence.withSpan(UTF8Check.firstInvalidOffset)
                        if (offset == nil) != isValid { Issue.record("\(sequence)") }
                    }
                }
            }
        }
    }

    @Test(arguments: 0...20)
    func findsABrokenByte_whereverItIs(offset: Int) {
        var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 21)
        bytes[offset] = 0xE2
        #expect(throws: TokenCodecError.invalidUTF8(offset: offset)) { try XMLTree(parsing: bytes, .answer) }
    }
}
