import Foundation
import Harness
import TVETokenCodec
import XCTest

/// The memory that parsing leaves allocated.
final class MemoryBenchmarks: XCTestCase {
    /// Parses a million tokens, a tenth of which have new element names, which the parser never frees.
    func testAMillionDecodes_leaveMemoryWhereItWas() throws {
        let decoder = TokenDecoder()
        let tokens = TokenPopulation.authentication
        func decode(_ count: Int) {
            for number in 0..<count {
                let token = tokens[number % tokens.count]
                if number % 10 == 0 {
                    let hostile = token.replacing("<ttl>", with: "<a\(number)b\(number % 7)><ttl>")
                    XCTAssertNil(try? decoder.authenticationToken(hostile))
                } else {
                    guard (try? decoder.authenticationToken(token)) != nil else { return XCTFail() }
                }
            }
        }
        decode(20_000)
        let before = try ResidentMemory.kilobytes()
        decode(1_000_000)
        let grown = try ResidentMemory.kilobytes() - before
        let score = Score(
            question: "memory after 1,000,000 tokens", peer: "2 MB more than before", ours: "\(grown) KB",
            theirs: "2048 KB", ratio: Double(grown) / 2_048, goal: .atMost(1))
        XCTAssertNil(Scoreboard.record(score))
    }
}
