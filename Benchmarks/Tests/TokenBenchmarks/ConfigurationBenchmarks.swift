import Foundation
import Harness
import TVETokenCodec
import XCTest

/// The time to parse a requestor's configuration.
final class ConfigurationBenchmarks: XCTestCase {
    private static func read(_ text: String, _ providers: Int) -> (Int) -> Void {
        let bytes = Data(text.utf8)
        let reader = ConfigurationReader()
        return { repetitions in
            for _ in 0..<repetitions {
                guard (try? reader.configuration(bytes))?.requestor.providers.count == providers else {
                    return XCTFail()
                }
            }
        }
    }

    func testReads1000Providers_againstBareLibXML2() {
        let text = ConfigurationPopulation.text(providers: 1_000)
        let read = Self.read(text, 1_000)
        var contest = Contest("configuration of 1,000 providers", run: read)
        contest.peer("bare libxml2", goal: .atMost(0.70), run: BareLibXML2.parse([Array(text.utf8CString)]))
        XCTAssertEqual(contest.compare(), [])
        measure { read(10) }
    }

    func testCostPerProvider_staysTheSame() {
        let sizes = [10, 100, 1_000, 10_000]
        for size in sizes {
            // The smallest is parsed a thousand times and the largest once, so that both have the same number of
            // providers.
            let text = ConfigurationPopulation.text(providers: size)
            let small = ConfigurationPopulation.text(providers: 10)
            var contest = Contest("configuration of \(size) providers", rounds: 11) { repetitions in
                for _ in 0..<repetitions { Self.read(text, size)(1) }
            }
            contest.peer("\(size / 10) of 10 providers", goal: .atMost(1.25)) { repetitions in
                for _ in 0..<repetitions { Self.read(small, 10)(size / 10) }
            }
            XCTAssertEqual(contest.compare(), [])
        }
    }
}
