import Foundation
import TVEModels
import TVETokenCodec
import TestTraits
import Testing

/// Changes valid input in every small way.
///
/// Nothing may trap, and all accepted input must be consistent. The checks run this suite under the address sanitizer
/// as well.
@Suite(.oneAtATime)
struct MutationTests {
    private static let tokens = [TokenSamples.authentication, TokenSamples.authorization, TokenSamples.media, mrss]

    /// A media token whose resource is in CDATA.
    private static let mrss = TokenSamples.token(
        TokenSamples.mediaBody.replacing(
            "SBX-1", with: "<![CDATA[<rss><channel><title>A]]]]>><![CDATA[&amp;B</title></channel></rss>]]>"))

    private static let answers = [
        "<result><authnToken>&lt;a&gt;&amp;&#x41;</authnToken><userMeta>{\"updated\":1}</userMeta></result>",
        "<result><pendingLogout reason=\"34764\">true</pendingLogout></result>",
        "<error><notAuthorized/><details>Buy <![CDATA[<b>]]> it</details></error>",
        "<ns2:config xmlns:ns2=\"u\"><time>1</time><requestor><id>a</id><mvpds><mvpd><id>m</id><displayName>d</displayName>"
            + "<logoUrl>l</logoUrl></mvpd></mvpds></requestor></ns2:config>",
    ]

    /// Parses a token as each kind; an accepted one must have the same values after it was written and parsed again.
    private static func checkToken(_ bytes: [UInt8]) {
        guard let text = String(validUTF8: bytes) else { return }
        let decoder = TokenDecoder()
        if let token = try? decoder.authenticationToken(text) {
            let again = try? decoder.authenticationToken(TokenSamples.token(TokenWriter.body(token.claims)))
            #expect(again?.claims == token.claims, "\(text)")
        }
        if let token = try? decoder.authorizationToken(text) {
            let again = try? decoder.authorizationToken(TokenSamples.token(TokenWriter.body(token.claims)))
            #expect(again?.claims == token.claims, "\(text)")
        }
        if let token = try? decoder.mediaToken(text) {
            let again = try? decoder.mediaToken(TokenSamples.token(TokenWriter.body(token.claims)))
            #expect(again?.claims == token.claims, "\(text)")
        }
    }

    private static func checkAnswer(_ bytes: [UInt8]) {
        let reader = ServiceAnswerReader()
        _ = try? reader.session(Data(bytes))
        _ = try? reader.authorization(Data(bytes))
        _ = try? reader.mediaToken(Data(bytes))
        _ = try? ConfigurationReader().configuration(Data(bytes))
    }

    @Test(arguments: tokens.indices)
    func holdsTogether_withEachBitOfATokenFlipped(index: Int) {
        let bytes = Array(Self.tokens[index].utf8)
        for offset in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[offset] ^= 1 << bit
                Self.checkToken(changed)
            }
        }
    }

    @Test(arguments: tokens.indices)
    func holdsTogether_withEachByteOfATokenLeftOutOrDoubled(index: Int) {
        let bytes = Array(Self.tokens[index].utf8)
        for offset in bytes.indices {
            Self.checkToken(Array(bytes[..<offset] + bytes[(offset + 1)...]))
            Self.checkToken(Array(bytes[...offset] + bytes[offset...]))
            Self.checkToken(Array(bytes[..<offset]))
        }
    }

    @Test(arguments: tokens.indices)
    func holdsTogether_withElementsDoubledLeftOutAndReordered(index: Int) throws {
        let body = try TokenEnvelope(parsing: Self.tokens[index]).body
        let root = try #require(body.firstMatch(of: /^<(\w+)>(.*)<\/\1>$/.dotMatchesNewlines()))
        let elements = root.2.matches(of: /<(\w+)>.*?<\/\1>/.dotMatchesNewlines()).map { String($0.0) }
        func token(_ elements: [String]) -> [UInt8] {
            Array(TokenSamples.token("<\(root.1)>\(elements.joined())</\(root.1)>").utf8)
        }
        #expect(elements.joined() == root.2)
        for first in elements.indices {
            Self.checkToken(token(elements + [elements[first]]))
            Self.checkToken(token(Array(elements[..<first] + elements[(first + 1)...])))
            for second in elements.indices {
                var swapped = elements
                swapped.swapAt(first, second)
                Self.checkToken(token(swapped))
            }
        }
        Self.checkToken(token(elements.reversed()))
    }

    @Test(arguments: answers.indices)
    func survivesEveryChange_ofAnAnswer(index: Int) {
        let bytes = Array(Self.answers[index].utf8)
        for offset in bytes.indices {
            Self.checkAnswer(Array(bytes[..<offset]))
            Self.checkAnswer(Array(bytes[..<offset] + bytes[(offset + 1)...]))
            for bit in 0..<8 {
                var changed = bytes
                changed[offset] ^= 1 << bit
                Self.checkAnswer(changed)
            }
        }
    }
}
