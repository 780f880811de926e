import Foundation
import TVEModels
import TVETestTraits
import TVETokenCodec
import Testing

@Suite(.oneAtATime)
struct HostileXMLTests {
    private static let laughs = """
        <!DOCTYPE l [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><l>&b;</l>
        """

    @Test(arguments: [
        (laughs, TokenCodecError.documentTypeForbidden),
        ("<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>", .documentTypeForbidden),
        ("<!DOCTYPE a><a/>", .documentTypeForbidden), ("<?php x?><a/>", .markupForbidden), ("", .empty),
        ("<a>\u{0}</a>", .nulByte(offset: 3)),
    ])
    func refuses(text: String, error: TokenCodecError) {
        #expect(throws: error) { try XMLTree(parsing: text.utf8, .answer) }
    }

    /// The document types are broken themselves, or follow something broken.
    ///
    /// The library would process them without calling a handler. Each of them declares entities that multiply the work.
    @Test(
        .timeLimit(.hanging),
        arguments: [
            "<!DOCTYPE [", "<!DOCTYPE r SYSTEM [", "<!DOCTYPE r [", "<?a:b?><!DOCTYPE r [",
            "<?xml version=\"1.0\"><!DOCTYPE r [",
            "<?xml version=\"1.0\"?><!DOCTYPE r PUBLIC [", "<!-- -- --><!DOCTYPE r [", "<!-- <r> --><!DOCTYPE [",
            "\u{FEFF}<!DOCTYPE [",
            " \n<!DOCTYPE [", "<!-- --->--><!DOCTYPE r [", "<!--><!DOCTYPE r [ -->", "<!doctype r [", "<!", "<![CDATA[",
        ])
    func letsNoDocumentTypeReachTheLibrary(beginning: String) {
        let defaults = (0..<2_000).map { "<!ATTLIST a x\($0) CDATA \"\">" }.joined()
        let entity = "<!ENTITY e \"\(String(repeating: "x", count: 10_000))\">"
        let elements = String(repeating: "<a/>", count: 400) + String(repeating: "&e;", count: 10_000)
        let text = "\(beginning)\(entity)\(defaults)]><r>\(elements)</r>"
        let start = Duration.workOfThisThread
        #expect(throws: TokenCodecError.self) { try XMLTree(parsing: text.utf8, .answer) }
        #expect(throws: TokenCodecError.self) { try TokenDecoder().mediaToken(TokenSamples.token(text)) }
        #expect(throws: TokenCodecError.self) { try ConfigurationReader().configuration(Data(text.utf8)) }
        // Parsing the 100 KB takes a millisecond, while expanding the entities took seconds.
        #expect(Duration.workOfThisThread - start < .seconds(1))
    }

    @Test(arguments: [
        "<!-- c --><a/>", "<?xml version=\"1.0\"?>\n<!-- c -->\r\n<!----><a/><!-- d -->", "<!-- <!DOCTYPE a> --><a/>",
        "<a><![CDATA[<!DOCTYPE a>]]></a>",
    ])
    func takesCommentsBeforeTheRoot_inAnswers(text: String) throws {
        #expect(try XMLTree(parsing: text.utf8, .answer).name == "a")
    }

    @Test(arguments: [
        "<a>", "<a></b>", "<a/><b/>", "<a/>x", "x<a/>", "<a>&x;</a>", "<a>&#0;</a>", "<a b=1/>", "<a b='1' b='2'/>",
        "<q:a/>",
        "<a xmlns:q='u' q:b='1' q:c:d='2'/>", "<a><![CDATA[</a>", "<a>]]></a>", "<1/>", "<a", "&lt;a/&gt;",
        "<html><br></html>",
        "{}", "\u{FEFF}",
    ])
    func refusesMalformedXML(text: String) {
        #expect(throws: TokenCodecError.self) { try XMLTree(parsing: text.utf8, .answer) }
    }

    @Test(
        arguments: [
            [0x3C, 0x61, 0x3E, 0xC3, 0x28], [0x3C, 0x61, 0x3E, 0xED, 0xA0, 0x80], [0x3C, 0x61, 0x3E, 0xC0, 0xAF],
            [0x3C, 0x61, 0x3E, 0xF8], [0xFF, 0xFE, 0x3C],
        ] as [[UInt8]])
    func refusesInvalidUTF8_andSaysWhere(bytes: [UInt8]) {
        #expect(throws: TokenCodecError.invalidUTF8(offset: bytes[0] == 0xFF ? 0 : 3)) {
            try XMLTree(parsing: bytes, .answer)
        }
    }

    @Test func refusesWhatExceedsTheLimits() {
        let policy = XMLPolicy(maximumBytes: 100, maximumDepth: 3, maximumElements: 5, allowsComments: true)
        #expect(throws: TokenCodecError.tooLarge(limit: 100)) {
            try XMLTree(parsing: "<a>\(String(repeating: "x", count: 100))</a>".utf8, policy)
        }
        #expect(throws: TokenCodecError.tooDeep(limit: 3)) {
            try XMLTree(parsing: "<a><a><a><a/></a></a></a>".utf8, policy)
        }
        #expect(throws: TokenCodecError.tooManyElements(limit: 5)) {
            try XMLTree(parsing: "<a><b/><b/><b/><b/><b/></a>".utf8, policy)
        }
        // Each limit itself is allowed.
        for text in [
            "<a><b/><b/><b/><b/></a>", "<a><a><a/></a></a>", "<a>\(String(repeating: "x", count: 93))</a>",
        ] {
            #expect(throws: Never.self) { try XMLTree(parsing: text.utf8, policy) }
        }
        #expect(throws: TokenCodecError.tooLarge(limit: 100)) {
            try XMLTree(parsing: "<a>\(String(repeating: "x", count: 94))</a>".utf8, policy)
        }
    }

    @Test func refusesCountlessAttributes_beforeTheyCostTime() {
        let attributes = (0..<10_000).map { "a\($0)=\"\"" }.joined(separator: " ")
        #expect(throws: TokenCodecError.tooManyAttributes(limit: 256)) {
            try XMLTree(parsing: "<a b='>' \(attributes)/>".utf8, .answer)
        }
        #expect(throws: Never.self) {
            try XMLTree(parsing: "<a b='' c=''>\(String(repeating: "=", count: 200))</a>".utf8, .answer)
        }
        for (count, isTaken) in [(256, true), (257, false)] {
            let some = (0..<count).map { "a\($0)=\"\"" }.joined(separator: " ")
            #expect(((try? XMLTree(parsing: "<a \(some)/>".utf8, .answer)) != nil) == isTaken, "\(count)")
        }
        let spaced = (0..<300).map { "a\($0) =\n\t'1'" }.joined(separator: " ")
        #expect(throws: TokenCodecError.tooManyAttributes(limit: 256)) {
            try XMLTree(parsing: "<a \(spaced)/>".utf8, .answer)
        }
    }

    @Test func refusesCountlessNamespaces_inATokenAlone() {
        func document(namespaces: Int) -> String {
            let declarations = (0..<namespaces).map { " xmlns:n\($0)=\"u\"" }.joined()
            return "<a\(declarations)>\(String(repeating: "x", count: 2_000))</a>"
        }
        for count in [17, 200] {
            #expect(throws: TokenCodecError.tooManyAttributes(limit: 16)) {
                try XMLTree(parsing: document(namespaces: count).utf8, .token)
            }
            #expect(throws: Never.self) { try XMLTree(parsing: document(namespaces: count).utf8, .answer) }
        }
        #expect(throws: Never.self) { try XMLTree(parsing: document(namespaces: 16).utf8, .token) }
        // The namespaces of all elements count together.
        let nested = (0..<17).map { "<b xmlns=\"u\($0)\"/>" }.joined()
        let long = String(repeating: "x", count: 2_000)
        #expect(throws: TokenCodecError.tooManyAttributes(limit: 16)) {
            try XMLTree(parsing: "<a>\(nested)<c>\(long)</c></a>".utf8, .token)
        }
    }

    /// A token inside an answer is a text, with an attribute for each resource of the line-up.
    @Test(arguments: [300, 4_000]) func aTextThatContainsADocument_hasAnyNumberOfAttributes(count: Int) throws {
        let inner = String(repeating: "<r id=\"a=1\"/>", count: count).escapedForXML
        let tree = try XMLTree(parsing: "<a>\(inner)==</a>".utf8, .answer)
        #expect(tree.text.hasSuffix("=="))
    }

    @Test func refusesEndlessNesting_withoutCrashing() {
        let text = String(repeating: "<a>", count: 100_000)
        #expect(throws: TokenCodecError.tooDeep(limit: 32)) { try XMLTree(parsing: text.utf8, .answer) }
    }

    @Test func readsUTF8_whateverTheDocumentClaims() throws {
        let text =
            "\u{FEFF}<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><!-- ok -->"
            + "<a b='&amp;ü'>ü&#x41;<![CDATA[<&]]></a>\n"
        let root = try XMLTree(parsing: text.utf8, .answer)
        #expect(root.text == "üA<&")
        #expect(root.attributes["b"] == "&ü")
    }
}
