import Foundation
import TVEModels
import TVETestTraits
import TVETokenCodec
import Testing

/// Every small change to valid input.
///
/// Nothing may trap, and all accepted input must be consistent. The checks also run this suite under the address
/// sanitizer.
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
        "<ns2:config xmlns:ns2=\"u\"><time>1</time><requestor><id>a</id><mvpds>"
            + "<mvpd><id>m</id><displayName>d</displayName><logoUrl>l</logoUrl></mvpd></mvpds></requestor>"
            + "</ns2:config>",
    ]

    /// The values of a token of any kind.
    private enum Claims: Equatable {
        case authentication(AuthenticationToken.Claims), authorization(AuthorizationToken.Claims)
        case media(MediaToken.Claims)

        /// Parses a token as each kind, or returns nil if it is none of them.
        init?(_ text: String) {
            let decoder = TokenDecoder()
            if let token = try? decoder.authenticationToken(text) {
                self = .authentication(token.claims)
            } else if let token = try? decoder.authorizationToken(text) {
                self = .authorization(token.claims)
            } else if let token = try? decoder.mediaToken(text) {
                self = .media(token.claims)
            } else {
                return nil
            }
        }

        var body: String {
            switch self {
            case .authentication(let claims): TokenWriter.body(claims)
            case .authorization(let claims): TokenWriter.body(claims)
            case .media(let claims): TokenWriter.body(claims)
            }
        }
    }

    /// Verifies that an accepted token has the same values after it was written and parsed again.
    ///
    /// - Returns: the values, or nil if the token was refused.
    @discardableResult
    private static func checkToken(_ bytes: [UInt8]) -> Claims? {
        guard let text = String(validUTF8: bytes), let claims = Claims(text) else { return nil }
        #expect(Claims(TokenSamples.token(claims.body)) == claims, "\(text)")
        return claims
    }

    /// Returns a Boolean value that indicates whether any reader accepts an answer.
    private static func isRead(_ bytes: [UInt8]) -> Bool {
        let reader = ServiceAnswerReader()
        let reads: [(Data) throws -> Void] = [
            { _ = try reader.session($0) }, { _ = try reader.authorization($0) }, { _ = try reader.mediaToken($0) },
            { _ = try ConfigurationReader().configuration($0) },
        ]
        var isRead = false
        for read in reads {
            do {
                try read(Data(bytes))
                isRead = true
            } catch {
                #expect(error is TokenCodecError)
            }
        }
        return isRead
    }

    @Test(.row("SE13"), arguments: tokens.indices)
    func refusesOrTellsApart_eachFlippedBitOfAToken(index: Int) throws {
        let bytes = Array(Self.tokens[index].utf8)
        let claims = try #require(Self.checkToken(bytes))
        let body = try TokenEnvelope(parsing: Self.tokens[index]).body
        let start = bytes.count - body.utf8.count
        var tried = 0
        var accepted = 0
        for offset in bytes.indices {
            // One bit of each byte is changed, and adjacent bytes have different bits changed.
            for bit in LongTests.areOn ? 0..<8 : (offset % 8)..<(offset % 8 + 1) {
                var changed = bytes
                changed[offset] ^= 1 << bit
                tried += 1
                guard let other = Self.checkToken(changed) else { continue }
                accepted += 1
                // The signature is not part of the values, but every bit of the body is.
                #expect((other == claims) == (offset < start), "byte \(offset), bit \(bit)")
            }
        }
        #expect(accepted > 20 && accepted < tried * 3 / 4)
    }

    @Test(arguments: tokens.indices)
    func refusesOrTellsApart_eachByteOfATokenLeftOutOrDoubled(index: Int) throws {
        let bytes = Array(Self.tokens[index].utf8)
        let claims = try #require(Self.checkToken(bytes))
        let body = try TokenEnvelope(parsing: Self.tokens[index]).body
        let start = bytes.count - body.utf8.count
        for offset in bytes.indices {
            let isBody = offset >= start
            let shorter = Self.checkToken(Array(bytes[..<offset] + bytes[(offset + 1)...]))
            #expect(!isBody || shorter != claims, "without byte \(offset)")
            let longer = Self.checkToken(Array(bytes[...offset] + bytes[offset...]))
            #expect(!isBody || longer != claims, "with byte \(offset) twice")
            #expect(Self.checkToken(Array(bytes[..<offset])) == nil, "cut at byte \(offset)")
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
        let claims = try #require(Self.checkToken(token(elements)))
        for first in elements.indices {
            #expect(Self.checkToken(token(elements + [elements[first]])) == nil, "\(elements[first]) twice")
            let fewer = Self.checkToken(token(Array(elements[..<first] + elements[(first + 1)...])))
            #expect(fewer != claims, "without \(elements[first])")
            for second in elements.indices {
                var swapped = elements
                swapped.swapAt(first, second)
                #expect(Self.checkToken(token(swapped)) == claims, "\(first) and \(second) swapped")
            }
        }
        #expect(Self.checkToken(token(elements.reversed())) == claims)
    }

    @Test(arguments: answers.indices)
    func refusesEachCutAnswer_andReadsOrRefusesEachChangedOne(index: Int) {
        let bytes = Array(Self.answers[index].utf8)
        #expect(Self.isRead(bytes))
        var read = 0
        var refused = 0
        for offset in bytes.indices {
            #expect(!Self.isRead(Array(bytes[..<offset])), "cut at byte \(offset)")
            _ = Self.isRead(Array(bytes[..<offset] + bytes[(offset + 1)...]))
            for bit in 0..<8 {
                var changed = bytes
                changed[offset] ^= 1 << bit
                if Self.isRead(changed) { read += 1 } else { refused += 1 }
            }
        }
        // Text may change, but markup may not.
        #expect(read > 10 && refused > 100)
    }
}
