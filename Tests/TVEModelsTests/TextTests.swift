import Foundation
import TVEModels
import TVETestSupport
import Testing

/// Texts are handled as bytes.
///
/// A combining mark after a delimiter forms one character with it, and the bytes must not change.
struct TextTests {
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

    /// The C library searches a string, and the standard library every other text.
    @Test(arguments: ["", ";", ";;;", "a", "a;;b;", ";a;b", "a;\u{301}b;c", "\u{E9};\u{1F600};z"])
    func splitsAString_asItsSubstring(text: String) {
        let substring = text[...]
        for most in [0, 1, 2, Int.max] {
            for keepsEmpty in [true, false] {
                let parts = text.parts(separatedBy: ";", most: most, keepsEmpty: keepsEmpty)
                let expected = substring.parts(separatedBy: ";", most: most, keepsEmpty: keepsEmpty)
                #expect(parts.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(most) \(keepsEmpty)")
                #expect(parts.map(\.startIndex) == expected.map(\.startIndex), "\(most) \(keepsEmpty)")
            }
        }
        let divided = text.divided(at: ";")
        let expected = substring.divided(at: ";")
        #expect(divided.before == expected.before && divided.after == expected.after)
    }

    @Test(arguments: [
        ("", ""), ("a+b", "a+b"), ("a%20b", "a b"), ("%e2%82%ac", "\u{20AC}"), ("e\u{301}", "e\u{301}"), ("%", nil),
        ("a%2", nil), ("%FF", nil),
    ])
    func decodesPercents(text: String, decoded: String?) {
        #expect(text.decodingPercents.map { ExactText($0) } == decoded.map { ExactText($0) })
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
        ("aab", "ab", false, true, true), ("abab", "babb", false, false, false),
    ])
    func findsBytes(text: String, part: String, begins: Bool, ends: Bool, contains: Bool) {
        #expect(text.hasBytePrefix(part) == begins)
        #expect(text.hasByteSuffix(part) == ends)
        #expect(text.containsBytes(of: part) == contains)
        #expect(text[...].containsBytes(of: part) == contains)
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

    // MARK: - UTF-8

    @Test(
        arguments: [
            ([], ""), ([0x61], "a"), ([0xC3, 0xA9], "\u{E9}"), ([0x65, 0xCC, 0x81], "e\u{301}"), ([0x00], "\0"),
            ([0xEF, 0xBB, 0xBF, 0x61], "\u{FEFF}a"), ([0xEF, 0xBF, 0xBD], "\u{FFFD}"),
            ([0xF0, 0x9F, 0x93, 0xBA], "\u{1F4FA}"),
            // The bytes are truncated, overlong, a surrogate, beyond the last character, or never valid.
            ([0xC3], nil), ([0x61, 0xE2, 0x82], nil), ([0xC0, 0x80], nil), ([0xE0, 0x80, 0xAF], nil),
            ([0xED, 0xA0, 0x80], nil), ([0xF4, 0x90, 0x80, 0x80], nil), ([0x80], nil), ([0xFF], nil),
            // These bytes are as long as their replacement, three bytes for three.
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

    // MARK: - Texts of others

    @Test(arguments: [
        ("", 0, false), ("!", 1, true), ("~", 1, true), ("x", 128, true), ("x", 129, false), (" ", 1, false),
        ("\u{7F}", 1, false), ("\u{E9}", 1, false),
    ])
    func isAnIdentifier_ofVisibleASCIIAlone(part: String, count: Int, isIdentifier: Bool) {
        let text = String(repeating: part, count: count)
        #expect(text.isIdentifier == isIdentifier)
        #expect(text.orUnknown == (isIdentifier || text.isEmpty ? text : "unknown"))
    }

    @Test(arguments: [
        ("a b", "a b"), ("a\nb\u{1B}c\u{202E}d\u{2028}", "a b c d "), ("\u{E9}\u{1F4FA}", "\u{E9}\u{1F4FA}"),
        (String(repeating: "x", count: 500), String(repeating: "x", count: 500)),
        (String(repeating: "x", count: 501), String(repeating: "x", count: 500) + "…"),
        // The limit is one of characters, and these have two bytes each.
        (String(repeating: "\u{E9}", count: 500), String(repeating: "\u{E9}", count: 500)),
        (String(repeating: "\u{E9}", count: 501), String(repeating: "\u{E9}", count: 500) + "…"),
    ])
    func staysOnOneLine(text: String, line: String) { #expect(text.onOneLine() == line) }

    @Test func readsNoMoreOfATypedCode_thanItsFirstHundredCharacters() {
        let code = String(repeating: "A", count: 100)
        #expect(TypedCode.plain(code) == code && TypedCode.plain(code + "B") == code)
        #expect(TypedCode.plain(" " + code) == String(code.dropLast()))
    }

    // MARK: - Base64 and JSON

    @Test(
        arguments: [
            ([], ""), ([0xFB, 0xFF], "-_8"), ([0x41], "QQ"), ([0x41, 0x42], "QUI"), ([0x41, 0x42, 0x43], "QUJD"),
        ] as [([UInt8], String)])
    func writesAndReadsBase64_asAJWTHasIt(bytes: [UInt8], text: String) {
        #expect(Data(bytes).base64URL == text && Data(base64URL: text[...]) == Data(bytes))
    }

    @Test(arguments: ["+/8", "QQ\n", "Q Q", "QÄ"]) func readsNoOtherBase64(text: String) {
        #expect(Data(base64URL: text[...]) == nil)
    }

    @Test func writesEachCharacter_asJSONAllows() throws {
        let texts = (0..<0x100 as Range<UInt32>).compactMap { Unicode.Scalar($0) }.map { "a\(Character($0))b" }
        let read = try JSONDecoder().decode([String: [String]].self, from: JSONBytes.object("a\"\n", texts))
        #expect(read == ["a\"\n": texts])
        #expect(JSONBytes.object("a", []) == Data(#"{"a":[]}"#.utf8))
    }

    // MARK: - Escapes

    @Test(arguments: [
        ("", ""), ("plain ü", "plain ü"), ("&<>\"'", "&amp;&lt;&gt;&quot;&#39;"),
        ("a\tb\nc\rd\r\n", "a&#9;b&#10;c&#13;d&#13;&#10;"),
        ("\u{0}\u{1F}\u{FFFE}\u{FFFF}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"), ("<\u{301}", "&lt;\u{301}"),
        ("\u{FEFF}", "\u{FEFF}"),
    ])
    func escapes(text: String, escaped: String) {
        #expect(Array(text.escapedForXML.unicodeScalars) == Array(escaped.unicodeScalars))
    }

    @Test(arguments: [
        ("abc", "b", "xy", "axyc"), ("", "b", "x", ""), ("bbb", "b", "", ""), ("aab", "ab", "c", "ac"),
        ("ab", "abc", "x", "ab"),
        (">\u{301}", ">", "]", "]\u{301}"),
    ])
    func replacesBytes(text: String, old: String, new: String, result: String) {
        #expect(Array(text.replacingBytes(of: old, with: new).utf8) == Array(result.utf8))
    }
}
