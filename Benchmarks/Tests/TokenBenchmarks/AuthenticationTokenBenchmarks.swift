import Harness
import TVEModels
import TVETokenCodec
import XCTest

/// The time to parse a whole AuthN token, with its envelope, Base64, XML, dates and values.
final class AuthenticationTokenBenchmarks: XCTestCase {
    private static let tokens = TokenPopulation.authentication

    private static func decode(_ tokens: [String]) -> @Sendable (Int) -> Void {
        let decoder = TokenDecoder()
        return { repetitions in
            for number in 0..<repetitions {
                guard (try? decoder.authenticationToken(tokens[number % tokens.count])) != nil else { return XCTFail() }
            }
        }
    }

    func testDecodes10000Tokens() {
        let decode = Self.decode(Self.tokens)
        measure { decode(10_000) }
    }

    func testAgainstBareLibXML2() {
        var contest = Contest("AuthN token", run: Self.decode(Self.tokens))
        contest.peer("bare libxml2", goal: .atMost(0.65), run: BareLibXML2.parse(TokenPopulation.documents))
        contest.peer("bare libxml2 without the signature", run: BareLibXML2.parse(TokenPopulation.bodies))
        XCTAssertEqual(contest.compare(), [])
    }

    func testAgainstOtherParsers() {
        let documents = TokenPopulation.documents.map { Data($0.dropLast().map { UInt8(bitPattern: $0) }) }
        for (document, token) in zip(documents, Self.tokens) {
            let expected = (try? TokenDecoder().authenticationToken(token).claims).map(PlainToken.init)
            XCTAssertNotNil(expected)
            for peer in [FoundationParser.token, FoundationDocument.token, CodableToken.token] {
                XCTAssertEqual(peer(document)?.withoutSignature, expected)
            }
        }
        var contest = Contest("AuthN token", run: Self.decode(Self.tokens))
        contest.peer("Foundation XMLParser", goal: .atMost(0.2)) { repetitions in
            for number in 0..<repetitions { _ = FoundationParser.token(in: documents[number % documents.count]) }
        }
        contest.peer("Foundation XMLDocument", goal: .atMost(1 / 14)) { repetitions in
            for number in 0..<repetitions { _ = FoundationDocument.token(in: documents[number % documents.count]) }
        }
        contest.peer("XMLCoder", goal: .atMost(1 / 60)) { repetitions in
            for number in 0..<repetitions { _ = CodableToken.token(in: documents[number % documents.count]) }
        }
        XCTAssertEqual(contest.compare(), [])
    }

    /// The usual kinds of invalid input must not cost more than valid tokens.
    func testRefusedTokens_againstAcceptedOnes() {
        let broken: [(String, (String) -> String)] = [
            ("truncated token", { String($0.dropLast(40)) }),
            ("token without its last end tag", { String($0.dropLast("</simpleAuthenticationToken>".count)) }),
            ("token with a wrong end tag", { $0.replacing("</simpleTokenMsoID>", with: "</simpleTokenMsoId>") }),
            ("token with an impossible date", { $0.replacing("GMT -0800", with: "GMT -9900") }),
            ("token with a document type", { $0.replacing("<simpleAuth", with: "<!DOCTYPE a><simpleAuth") }),
            ("token with an undeclared prefix", { $0.replacing("simpleTokenMsoID>", with: "q:simpleTokenMsoID>") }),
            ("token without signature", { String($0.dropFirst(20)) }),
        ]
        for (name, change) in broken {
            let refused = Self.tokens.map(change)
            let decoder = TokenDecoder()
            var contest = Contest(name) { repetitions in
                for number in 0..<repetitions {
                    guard (try? decoder.authenticationToken(refused[number % refused.count])) == nil else {
                        return XCTFail(name)
                    }
                }
            }
            // The scanner stops at the tag, and libxml2 reads the token again to locate the error.
            let twice = "1.56 to 1.61, as before the redesign: such a token is read twice."
            let isTwice = name.hasSuffix("wrong end tag")
            let goal: Goal = isTwice ? .atMost(1.5, knownUpTo: 2, because: twice) : .atMost(1.5)
            contest.peer("accepted token", goal: goal, run: Self.decode(Self.tokens))
            XCTAssertEqual(contest.compare(), [])
        }
    }

    func testTwoThreads_againstOne() {
        let decode = Self.decode(Self.tokens)
        var contest = Contest("2 x AuthN tokens on two threads") { repetitions in
            DispatchQueue.concurrentPerform(iterations: 2) { _ in decode(repetitions) }
        }
        // A ratio of 0.55 means 1.8 times the speed.
        let busy = "Both cores must be free, and on a virtual machine they hardly ever are."
        contest.peer("the same on one thread", goal: .atMost(0.55, knownUpTo: 1.3, because: busy)) { repetitions in
            decode(repetitions)
            decode(repetitions)
        }
        XCTAssertEqual(contest.compare(), [])
    }
}
