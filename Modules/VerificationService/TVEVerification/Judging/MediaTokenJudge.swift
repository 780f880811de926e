public import Foundation
public import Metrics
public import TVEModels
public import TVETokenVerification

/// A judge that verifies media tokens for any number of requestors, and spends those that are valid.
///
/// A judge is a value, like its verifiers. Create it once, and use it from any thread.
public struct MediaTokenJudge: Sendable {
    private let verifiers: [RequestorID: MediaTokenVerifier]
    private let uses: any MediaTokenUses
    private let memoryFailurePolicy: MemoryFailurePolicy
    private let clock: @Sendable () -> Date
    private let failureName: @Sendable (any Error) -> String
    private let meters: VerificationMeters
    private let issuerClock = IssuerClock()

    /// Creates a judge.
    ///
    /// - Parameters:
    ///   - requestors: the requestors whose tokens are verified. If two have the same id, the last one is used.
    ///   - uses: the memory of spent tokens.
    ///   - onMemoryFailure: the policy for a valid token when `uses` fails.
    ///   - metrics: the factory of the counters of verdicts and spends.
    ///   - failureName: a closure that returns one of a few words for an error of `uses`, for the label of a counter.
    ///   - clock: a closure that returns the current time.
    public init(
        requestors: [RequestorPolicy], uses: any MediaTokenUses,
        onMemoryFailure: MemoryFailurePolicy = .failClosed, metrics: any MetricsFactory = MetricsSystem.factory,
        failureName: @escaping @Sendable (any Error) -> String = { $0 is MemoryMediaTokenUses.Full ? "full" : "other" },
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        verifiers = Dictionary(
            requestors.map { policy in
                let verifier = MediaTokenVerifier(
                    keys: policy.keys, requestorID: policy.id, clockTolerance: policy.clockTolerance)
                return (policy.id, verifier)
            }, uniquingKeysWith: { $1 })
        self.uses = uses
        memoryFailurePolicy = onMemoryFailure
        self.clock = clock
        self.failureName = failureName
        meters = VerificationMeters(requestors: requestors.map(\.id), metrics)
    }

    /// Creates the counters of failures of the memory, so that each is on the page with the value 0 before its first
    /// use.
    ///
    /// - Parameter names: the words that the closure `failureName` returns.
    package func expectFailures(_ names: [String]) { meters.expectFailures(names) }

    /// The number of seconds by which the issuer's clock was at least ahead of this machine's clock in the last
    /// minutes.
    ///
    /// The times in tokens are whole seconds, and a token has some age when it arrives, so the number is negative if
    /// the clocks agree. It is `nil` if no token with a valid signature has arrived.
    public var issuerClockLead: TimeInterval? { issuerClock.lead(at: clock()) }

    /// The reasons for which requests are not judged.
    enum Refusal: Error, Equatable {
        /// A request names no requestor, and several are configured.
        case requestorMissing
        /// A request names a requestor that is not configured.
        case requestorUnknown
        /// A request names a requestor whose tokens the caller may not submit.
        case requestorForbidden
    }

    /// Verifies tokens, and spends those that are valid in one round trip.
    ///
    /// - Parameters:
    ///   - requests: the tokens, with the checks that the caller wants.
    ///   - allowed: the requestors whose tokens the caller may submit; `nil` for all.
    /// - Returns: one answer for each request, in order.
    /// - Throws: ``Refusal`` before anything is spent.
    func judge(
        _ requests: [VerificationRequest], for allowed: Set<RequestorID>? = nil
    ) async throws(Refusal) -> [VerificationAnswer] {
        let now = clock()
        var chosen: [(id: RequestorID, verifier: MediaTokenVerifier)] = []
        for request in requests { chosen.append(try verifier(for: request, allowed)) }
        let found = zip(requests, chosen).map { request, chosen in
            chosen.verifier.verify(request.token, resource: request.resource, at: now)
        }
        issuerClock.record(found.compactMap { $0.claims?.issued.date }, at: now)
        var answers = found.map { found in
            VerificationAnswer(
                verdict: found.verdict, claims: found.claims, key: found.keyName, fault: found.fault.map { "\($0)" })
        }
        let spent = requests.indices.filter { requests[$0].spend && found[$0].use != nil }
        if !spent.isEmpty {
            let results = await uses.spend(spent.compactMap { found[$0].use }, at: now)
            for (place, result) in zip(spent, results) {
                switch result {
                case .success(let outcome): answers[place].use = .decided(outcome)
                case .failure(let error):
                    answers[place].use = .unavailable(isGranted: memoryFailurePolicy == .failOpen)
                    meters.countFailure(failureName(error))
                }
            }
        }
        for (chosen, answer) in zip(chosen, answers) { meters.count(answer, requestor: chosen.id) }
        return answers
    }

    /// Returns the verifier for a request.
    ///
    /// The choice never depends on the token, because a token of one requestor must not start the stream of another
    /// one.
    private func verifier(
        for request: VerificationRequest, _ allowed: Set<RequestorID>?
    ) throws(Refusal) -> (id: RequestorID, verifier: MediaTokenVerifier) {
        guard let id = request.requestor ?? (verifiers.count == 1 ? verifiers.keys.first : nil) else {
            throw .requestorMissing
        }
        guard let verifier = verifiers[id] else { throw .requestorUnknown }
        guard allowed?.contains(id) != false else { throw .requestorForbidden }
        return (id, verifier)
    }
}

/// The settings for the verification of one requestor's media tokens.
public struct RequestorPolicy: Sendable {
    /// The id of the requestor.
    public let id: RequestorID
    /// The keys that may have signed the requestor's tokens; they can be replaced at any time.
    public let keys: MediaTokenKeySet
    /// The number of seconds for which a token is still accepted after its expiry.
    public let clockTolerance: TimeInterval

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - id: the id of the requestor.
    ///   - keys: the keys that may have signed the requestor's tokens.
    ///   - clockTolerance: the number of seconds for which a token is still accepted after its expiry, at most
    ///     `MediaTokenVerifier.largestClockTolerance`. The documented value is 0.
    public init(id: RequestorID, keys: MediaTokenKeySet, clockTolerance: TimeInterval = 0) {
        self.id = id
        self.keys = keys
        self.clockTolerance = clockTolerance
    }
}

/// The treatment of a valid token when the memory cannot determine whether the token was spent.
///
/// The raw values are the words of the configuration file.
public enum MemoryFailurePolicy: String, Sendable, CaseIterable {
    /// The token is refused, and the stream does not start.
    case failClosed = "refuse"
    /// The token is accepted as a first use, and the answer states that the memory is unavailable.
    ///
    /// As long as the memory is unavailable, a token can be used more than once.
    case failOpen = "accept"
}
