import TVEModels
import Testing

/// A combining mark after a delimiter makes another character of both, and the bytes stay what they are.
struct DelimiterTests {
    @Test(arguments: [
        ("a;b", ["a", "b"], ["a", "b"]), ("", [""], []), (";", ["", ""], []),
        ("a;;b;", ["a", "", "b", ""], ["a", "b"]),
        ("a;\u{301}b", ["a", "\u{301}b"], ["a", "\u{301}b"]), ("e\u{301};\u{FE0F}", ["e\u{301}", "\u{FE0F}"], nil),
    ])
    func splitsBytes(text: String, all: [String], filled: [String]?) {
        #expect(text.parts(separatedBy: ";").map { Array($0.utf8) } == all.map { Array($0.utf8) })
        let expected = (filled ?? all).map { Array($0.utf8) }
        #expect(text.parts(separatedBy: ";", keepsEmpty: false).map { Array($0.utf8) } == expected)
    }

    @Test(arguments: [
        ("a=b=c", "a", "b=c", "a=b", "c"), ("=", "", "", "", ""), ("abc", "abc", nil, nil, nil),
        ("a=\u{301}b", "a", "\u{301}b", "a", "\u{301}b"), ("=\r\n=", "", "\r\n=", "=\r\n", ""),
    ])
    func dividesAtTheFirstByte_orTheLast(
        text: String, before: String, after: String?, beforeLast: String?, afterLast: String?
    ) {
        let first = text.divided(at: "=")
        #expect(ExactText(String(first.before)) == ExactText(before))
        #expect(first.after.map { ExactText(String($0)) } == after.map { ExactText($0) })
        let last = text.dividedAtLast("=")
        #expect(last.map { ExactText(String($0.before)) } == beforeLast.map { ExactText($0) })
        #expect(last.map { ExactText(String($0.after)) } == afterLast.map { ExactText($0) })
    }

    @Test(arguments: [
        ("a/b", "a/", true, false, true), ("a/\u{301}b", "a/", true, false, true),
        ("\u{E9}", "e\u{301}", false, false, false),
        ("x\r\n", "\n", false, true, true), ("x", "", true, true, true), ("", "x", false, false, false),
        ("aab", "ab", false, true, true),
    ])
    func findsBytes(text: String, part: String, begins: Bool, ends: Bool, contains: Bool) {
        #expect(text.hasBytePrefix(part) == begins)
        #expect(text.hasByteSuffix(part) == ends)
        #expect(text.containsBytes(of: part) == contains)
    }

    @Test(
        arguments: [
            (0, 0, 0), (1.9, 1, 1), (-1.9, -1, 0), (127.9, 127, 127), (128, 127, 128), (-129, -128, 0), (256, 127, 255),
            (1e300, 127, 255), (-.infinity, -128, 0), (.infinity, 127, 255), (.nan, 0, 0),
            (-.leastNonzeroMagnitude, 0, 0),
        ] as [(Double, Int8, UInt8)])
    func boundsANumber_thatTheTypeDoesNotHave(number: Double, signed: Int8, unsigned: UInt8) {
        #expect(Int8(bounded: number) == signed)
        #expect(UInt8(bounded: number) == unsigned)
    }

    @Test func boundsTheLargestNumbers() {
        // The nearest floating-point number to the largest integer is one too large.
        #expect(Int64(bounded: Double(Int64.max)) == .max)
        #expect(Int64(bounded: Double(Int64.min)) == .min)
        #expect(UInt64(bounded: Double(UInt64.max)) == .max)
    }
}
