import Foundation
import Testing

@testable import TVENetworking

struct FormBodyTests {
    @Test func everythingButUnreservedCharactersIsEncoded_asFoundationEncodesIt() {
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        let scalars = (0..<0x800).compactMap(Unicode.Scalar.init) + ["\u{20AC}", "\u{FFFD}", "\u{1F4FA}", "\u{10FFFF}"]
        for scalar in scalars {
            let text = "a\(Character(scalar))b"
            #expect(FormBody.escape(text) == text.addingPercentEncoding(withAllowedCharacters: unreserved))
        }
        #expect(FormBody.escape("").isEmpty)
    }

    /// The expected texts are the results of the code in the vendor's cookbook.
    @Test(arguments: [
        ("<a>\r\n  <b/>\n</a>\n", "<a> <b/></a>"), ("<a>\n<b/>\r\n</a>", "<a><b/></a>"), (" \t<a/> \n ", "<a/>"),
        ("<a b=\"1\u{A0}2\"> \t x\ty</a>", "<a b=\"1\u{A0}2\"> x y</a>"), ("MII\nB", "MIIB"), ("\n", ""),
        ("<a> \n </a>", "<a>  </a>"), ("<a>\u{2028}\u{B}</a>", "<a></a>"),
    ])
    func thePlatformsLineBreaks_areNoPartOfItsAnswer(answer: String, sent: String) {
        #expect(Data(base64Encoded: FormBody.samlResponse(answer)) == Data(sent.utf8))
    }

    @Test func fieldsKeepTheirOrder() {
        #expect(FormBody.query([("b", "1+1=2"), ("a", "x&y"), ("b", "")]) == "b=1%2B1%3D2&a=x%26y&b=")
    }
}
