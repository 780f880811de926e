import TVEModels
import Testing

struct XMLEscapingTests {
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
