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

    @Test(arguments: [(-1, 1), (0, 1), (0.999, 1), (1, 2), (1.999, 2), (2, 4)] as [(Double, Double)])
    func aShortCall_isInTheFirstBuckets(milliseconds: Double, bound: Double) {
        var histogram = LatencyHistogram()
        histogram.record(.milliseconds(milliseconds))
        #expect(histogram.quantile(0.5) == .milliseconds(bound) && histogram.total == 1)
    }

    /// Of three calls, two make up more than half.
    @Test(arguments: [(1.0 / 3, 1), (0.34, 2), (2.0 / 3, 2), (0.67, 4)] as [(Double, Double)])
    func aShareBetweenTwoCalls_isThatOfTheLongerOne(share: Double, milliseconds: Double) {
        var histogram = LatencyHistogram()
        for duration in [0.0, 1, 2] { histogram.record(.milliseconds(duration)) }
        #expect(histogram.quantile(share) == .milliseconds(milliseconds))
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
        #expect(statistics[.authorize].successes == 4)
        var none = Statistics()
        none.merge(read)
        #expect(none == read)
        none.merge(Statistics())
        #expect(none == read)
    }

    @Test(arguments: ["[]", "[1,2]", list(20), list(22), list(21).replacing("[0", with: "[-1"), "{}"])
    func refusesAHistogramThatIsNone(json: String) throws {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(LatencyHistogram.self, from: Data(json.utf8))
        }
        #expect(try JSONDecoder().decode(LatencyHistogram.self, from: Data(Self.list(21).utf8)) == LatencyHistogram())
    }

    private static func list(_ count: Int) -> String {
        "[\(Array(repeating: "0", count: count).joined(separator: ","))]"
    }
}
