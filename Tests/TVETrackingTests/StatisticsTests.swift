import Foundation
import TVEModels
import TVETracking
import Testing

struct StatisticsTests {
    private static func sample() -> Statistics {
        var statistics = Statistics()
        statistics.record(CallReport(.authorize, duration: .milliseconds(3)))
        statistics.record(CallReport(.authorize, duration: .milliseconds(5)))
        statistics.record(CallReport(.authorize, failure: .notAuthorized, duration: .milliseconds(100)))
        statistics.record(CallReport(.authorize, failure: .notAuthorized, duration: .seconds(100_000)))
        statistics.record(CallReport(.start, failure: .serviceUnreachable, duration: .zero))
        return statistics
    }

    @Test func countsByCallAndReason() {
        let statistics = Self.sample()
        #expect(statistics[.authorize].attempts == 4 && statistics[.authorize].successes == 2)
        #expect(statistics[.authorize].failures == ["notAuthorized": 2])
        #expect(statistics[.start].failures == ["serviceUnreachable": 1] && statistics[.logout].attempts == 0)
    }

    @Test(arguments: [(0.0, 4.0), (0.25, 4), (0.5, 8), (0.75, 128), (1, 1_048_576), (7, 1_048_576), (-1, 4)])
    func saysWhatAShareOfTheCallsDidNotExceed(share: Double, milliseconds: Double) {
        #expect(Self.sample()[.authorize].latency.quantile(share) == .milliseconds(milliseconds))
    }

    @Test func aCall_ofABucketsEnd_isInTheNext() {
        var histogram = LatencyHistogram()
        histogram.record(.milliseconds(4))
        #expect(histogram.quantile(1) == .milliseconds(8))
    }

    @Test func saysNothing_ofNothing() {
        #expect(LatencyHistogram().quantile(0.5) == nil)
    }

    @Test func addsUp_andSurvivesJSON() throws {
        var statistics = Self.sample()
        let read = try JSONDecoder().decode(Statistics.self, from: JSONEncoder().encode(statistics))
        #expect(read == statistics)
        statistics.merge(read)
        #expect(statistics[.authorize].attempts == 8 && statistics[.authorize].latency.total == 8)
        #expect(statistics[.authorize].failures == ["notAuthorized": 4])
    }

    @Test(arguments: ["[]", "[1,2]", "[\(Array(repeating: "-1", count: 21).joined(separator: ","))]", "{}"])
    func refusesAHistogramThatIsNone(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(LatencyHistogram.self, from: Data(json.utf8))
        }
    }
}
