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

    // The last bucket contains the longest call, however long it took, so nothing is known that it did not exceed.
    @Test(
        arguments: [(0.0, 4.0), (0.25, 4), (0.5, 8), (0.75, 128), (1, nil), (7, nil), (-1, 4)]
            as [(Double, Double?)])
    func saysWhatAShareOfTheCallsDidNotExceed(share: Double, milliseconds: Double?) {
        let duration = milliseconds.map { Duration.milliseconds($0) }
        #expect(Self.sample()[.authorize].latency.quantile(share) == duration)
    }

    @Test func theLastBound_isThatOfTheLastBucketButOne() {
        var histogram = LatencyHistogram()
        histogram.record(.milliseconds(524_287))
        #expect(histogram.quantile(1) == .milliseconds(524_288))
        histogram.record(.milliseconds(524_288))
        #expect(histogram.quantile(1) == nil)
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
