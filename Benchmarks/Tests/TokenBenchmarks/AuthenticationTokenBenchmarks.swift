import BareLibXML2
import Harness
import TVEModels
import TVETokenCodec
import XCTest

/// How long it takes to read an AuthN token: envelope, Base64, XML, dates.
final class AuthenticationTokenBenchmarks: XCTestCase {
    private let decoder = TokenDecoder()
    private let tokens = TokenPopulation.authentication

    private func decode(_ repetitions: Int) {
        for number in 0..<repetitions {
            guard (try? decoder.authenticationToken(tokens[number % tokens.count])) != nil else { return XCTFail() }
        }
    }

    func testDecodes10000Tokens() {
        measure { decode(10_000) }
    }

    func testAgainstBareLibXML2() {
        var contest = Contest("AuthN token", run: decode)
        contest.peer("bare libxml2", run: Self.parse(TokenPopulation.documents))
        contest.peer("bare libxml2, body without signature", run: Self.parse(TokenPopulation.bodies))
        contest.compare()
    }

    private static func parse(_ documents: [[CChar]]) -> (Int) -> Void {
        { repetitions in
            let parser = bare_parser_new()
            defer { bare_parser_free(parser) }
            for number in 0..<repetitions {
                let isGood = documents[number % documents.count].withUnsafeBufferPointer {
                    bare_parser_parse(parser, $0.baseAddress)
                }
                guard isGood == 1 else { return XCTFail() }
            }
        }
    }
}
