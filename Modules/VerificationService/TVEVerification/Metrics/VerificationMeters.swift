import Metrics
import NIOConcurrencyHelpers
import TVEModels
import TVETokenVerification

/// The counters of a judge, which are looked up once.
struct VerificationMeters: Sendable {
    private let verdicts: [RequestorID: [MediaTokenVerifier.Verdict: Counter]]
    /// The counters by the word for a first use, for an unavailable memory, or for the reason of a refusal.
    private let spends: [String: Counter]
    /// The counters by the name of the key, which the operator chooses.
    private let keyUses = NIOLockedValueBox<[RequestorID: [String: Counter]]>([:])
    private let factory: any MetricsFactory

    private static let first = "first"

    /// Creates the counters, so that each is on the page with the value 0 before its first use.
    ///
    /// - Parameters:
    ///   - requestors: the ids of all configured requestors. A value from a caller never becomes a label.
    ///   - factory: the factory of the counters.
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
        expectFailures(["full", "other"])
    }

    func count(_ answer: VerificationAnswer, requestor: RequestorID) {
        verdicts[requestor]?[answer.verdict]?.increment()
        if let key = answer.key { counter(of: key, requestor).increment() }
        switch answer.use {
        case .decided(let outcome): spends[outcome.refusal?.reason ?? Self.first]?.increment()
        case .unavailable: spends[VerificationAnswer.unavailable]?.increment()
        case nil: break
        }
    }

    /// Returns the counter of the tokens that a key has signed.
    ///
    /// Keys come and go while the service runs, so a counter is created for the first token.
    private func counter(of key: String, _ requestor: RequestorID) -> Counter {
        keyUses.withLockedValue { counters in
            if let known = counters[requestor]?[key] { return known }
            let dimensions = [("requestor", requestor.text), ("key", key)]
            let new = Counter(label: "tve_key_uses_total", dimensions: dimensions, factory: factory)
            counters[requestor, default: [:]][key] = new
            return new
        }
    }

    /// Counts a failure to determine whether a token was spent.
    ///
    /// - Parameter reason: one of a few words.
    func countFailure(_ reason: String) {
        // Failures are rare, and finding the counter again costs a dictionary look-up.
        failures(reason).increment()
    }

    /// Creates the counters of failures, so that Prometheus sees the first burst as an increase from 0.
    func expectFailures(_ reasons: [String]) {
        for reason in reasons { _ = failures(reason) }
    }

    private func failures(_ reason: String) -> Counter {
        Counter(label: "tve_spend_failures_total", dimensions: [("reason", reason)], factory: factory)
    }
}
