import Metrics
import TVEModels
import TVETokenVerification

/// The counters of a judge, looked up once.
struct VerificationMeters: Sendable {
    private let verdicts: [RequestorID: [MediaTokenVerifier.Verdict: Counter]]
    /// By the word for the first use, or for the reason of a refusal.
    private let spends: [String: Counter]
    private let factory: any MetricsFactory

    private static let first = "first"

    /// Makes the counters, so that each is on the page with 0 before its first use.
    ///
    /// - Parameter requestors: all possible ids; a value from a caller never becomes a label.
    init(requestors: [RequestorID], _ factory: any MetricsFactory) {
        self.factory = factory
        verdicts = Dictionary(
            requestors.map { id in
                let counters = MediaTokenVerifier.Verdict.allCases.map { verdict in
                    let dimensions = [("requestor", id.text), ("verdict", verdict.rawValue)]
                    return (verdict, Counter(label: "tve_verdicts_total", dimensions: dimensions, factory: factory))
                }
                return (id, Dictionary(uniqueKeysWithValues: counters))
            }, uniquingKeysWith: { $1 })
        spends = Dictionary(
            uniqueKeysWithValues: ([Self.first, VerificationAnswer.unavailable] + MediaTokenRefusal.reasons).map {
                let dimensions = [("result", $0)]
                return ($0, Counter(label: "tve_spends_total", dimensions: dimensions, factory: factory))
            })
    }

    func count(_ answer: VerificationAnswer, requestor: RequestorID) {
        verdicts[requestor]?[answer.verdict]?.increment()
        switch answer.use {
        case .decided(let outcome): spends[outcome.refusal?.reason ?? Self.first]?.increment()
        case .unavailable: spends[VerificationAnswer.unavailable]?.increment()
        case nil: break
        }
    }

    /// Counts a failure to find out whether a token was spent; the reason is one of a few words.
    func countFailure(_ reason: String) {
        // Failures are rare; finding the counter again costs a dictionary look-up.
        Counter(label: "tve_spend_failures_total", dimensions: [("reason", reason)], factory: factory).increment()
    }
}
