import Dispatch
import Foundation
import TVEModels
import TVETestTraits
import Testing

@testable import TVETokenCodec

/// A parser is reused from document to document, and no document may contain anything of the one before.
@Suite(.oneAtATime)
struct KeptParserTests {
    private let decoder = TokenDecoder()

    @Test func readsAGoodToken_afterEveryBrokenOne() throws {
        let good = try decoder.authenticationToken(TokenSamples.authentication)
        for length in stride(from: 0, to: TokenSamples.authentication.utf8.count, by: 3) {
            let broken = String(TokenSamples.authentication.prefix(length))
            #expect(throws: TokenCodecError.self) { try decoder.authenticationToken(broken) }
            #expect(try decoder.authenticationToken(TokenSamples.authentication) == good)
        }
    }

    /// A context stores every name that it has ever read, so it is replaced when it has too many.
    @Test func keepsNoMoreNamesThanItMay_whileHostileNamesPile() throws {
        // The renewal comes after a document, so the names of the last one may be too many.
        let number = 1_500
        let most = XMLReader.mostNameBytes
        var longest = 0
        for number in 0..<number {
            let name = String(repeating: "n\(number)x", count: 20)
            let body = TokenSamples.mediaBody.replacing("<ttl>", with: "<\(name) \(name)=\"\"/><ttl>")
            #expect(try decoder.mediaToken(TokenSamples.token(body)).claims.timeToLive == 420_000)
            longest = max(longest, try XMLReader.withReader(of: "".utf8) { reader in reader.parser.nameBytes })
        }
        #expect(longest <= most && longest > most / 4)
    }

    @Test func readsLargeAndSmallDocuments_inTurn() throws {
        let long = String(repeating: "x&amp;", count: 20_000)
        for _ in 0..<3 {
            let body = TokenSamples.mediaBody.replacing("SBX-1", with: long)
            let large = TokenDecoder(policy: XMLPolicy.answer)
            let resource = try large.mediaToken(TokenSamples.token(body)).claims.resource
            #expect(resource.text == String(repeating: "x&", count: 20_000))
            #expect(try decoder.mediaToken(TokenSamples.media).claims.resource == "SBX-1")
        }
    }

    @Test func readsOnManyThreadsAtOnce() {
        DispatchQueue.concurrentPerform(iterations: 16) { thread in
            for number in 0..<200 {
                let id = "channel-\(thread)-\(number)"
                let token = TokenSamples.token(TokenSamples.mediaBody.replacing("SBX-1", with: id))
                let resource = try? decoder.mediaToken(token).claims.resource
                #expect(resource == Resource(id))
            }
        }
    }

    /// Pieces of text before, between and after entities, CDATA and comments are joined in order.
    @Test(arguments: [
        ("<a>x&amp;y<![CDATA[<]]>z</a>", "x&y<z"), ("<a><![CDATA[]]></a>", ""), ("<a>&#65;&#66;</a>", "AB"),
        ("<a>x<!-- c -->y&lt;<!-- c --><!-- c -->z</a>", "xy<z"), ("<a>\r\n</a>", "\n"),
        ("<a>x<b>&amp;</b>y&amp;z<c/>v</a>", "xy&zv"),
    ])
    func joinsPieces(document: String, text: String) throws {
        #expect(try XMLTree(parsing: document.utf8, .answer).text == text)
    }

    @Test func forgetsTheNamespaces_ofARefusedDocument() throws {
        for broken in ["<a xmlns='u' xmlns:q='v'><b>", "<a xmlns='u' xmlns:q='v'>&x;</a>"] {
            #expect(throws: TokenCodecError.self) { try XMLTree(parsing: broken.utf8, .answer) }
            #expect(try XMLTree(parsing: "<a/>".utf8, .answer).namespace == nil)
            #expect(throws: TokenCodecError.self) { try XMLTree(parsing: "<q:a/>".utf8, .answer) }
        }
    }

    @Test func findsAttributesAndNamespaces_ofTheRightElements() throws {
        let root = try XMLTree(
            parsing:
                "<a><b/><q:c xmlns:q='u' x='1' q:y='2'><d z='3'/></q:c><e/><f w='4&amp;'/></a>".utf8, .answer)
        #expect(root.attributes.isEmpty && root.namespace == nil)
        #expect(root.children.map(\.name) == ["b", "c", "e", "f"])
        #expect(root.children.map(\.namespace) == [nil, "u", nil, nil])
        #expect(root.children[1].attributes == ["x": "1", "y": "2"])
        #expect(root.children[1].children[0].attributes == ["z": "3"])
        #expect(root.children[1].children[0].namespace == nil)
        #expect(root.children[3].attributes == ["w": "4&"])
    }
}
