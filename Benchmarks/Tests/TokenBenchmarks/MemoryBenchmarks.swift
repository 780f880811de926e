import Foundation
import Harness
import TVETokenCodec
import XCTest

/// The memory that parsing leaves allocated.
final class MemoryBenchmarks: XCTestCase {
    /// A million tokens, a tenth of them with new element names, which the parser never frees.
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
        print("RATIO memory after 1,000,000 tokens vs before: \(grown) KB more")
        XCTAssertLessThan(grown, 2_048)
    }
}
