public import Foundation
public import Metrics
public import TVEModels
public import TVETokenVerification
public import Tracing

/// Verifies media tokens for any number of requestors, and spends those that are valid.
///
/// A value like its verifiers: make it once, use it from any thread.
public struct MediaTokenJudge: Sendable {
    private let verifiers: [RequestorID: MediaTokenVerifier]
    private let uses: any MediaTokenUses
    private let memoryFailurePolicy: MemoryFailurePolicy
    private let clock: @Sendable () -> Date
    private let failureName: @Sendable (any Error) -> String
    private let meters: VerificationMeters
    private let trace: JudgeTrace
    private let issuerClock = IssuerClock()

    /// Makes a judge.
    ///
    /// - Parameters:
    ///   - requestors: the requestors whose tokens are verified; of two with the same id the last counts.
    ///   - uses: remembers spent tokens.
    ///   - onMemoryFailure: the answer for a valid token when `uses` fails.
    ///   - metrics: counts verdicts.
    ///   - tracer: gets the spans `tve.verify` and `tve.spend`, without anything of a token. By default the one that the
    ///     program has installed before; if there is none, no span is made.
    ///   - failureName: one of a few words for an error of `uses`; the label of a counter.
    ///   - clock: returns the current time.
    public init(
        requestors: [RequestorPolicy], uses: any MediaTokenUses,
        onMemoryFailure: MemoryFailurePolicy = .failClosed, metrics: any MetricsFactory = MetricsSystem.factory,
        tracer: any Tracer = InstrumentationSystem.tracer,
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
        trace = JudgeTrace(tracer)
    }

    /// The number of seconds by which the clock of the service that issues tokens was ahead of this machine's in the last
    /// minutes, at least; nil if no token with a valid signature came.
    ///
    /// Tokens have whole seconds and some age, so it is negative where the clocks agree.
    public var issuerClockLead: TimeInterval? { issuerClock.lead(at: clock()) }

    /// Why questions were not judged.
    enum Refusal: Error, Equatable {
        /// A question has no requestor, and several are configured.
        case requestorMissing
        /// A question has a requestor that is not configured.
        case requestorUnknown
        /// A question has a requestor that is not the caller's.
        case requestorForbidden
    }

    /// Verifies tokens, and spends those that are valid in one round trip.
    ///
    /// - Parameter allowed: the requestors of the caller; nil means all.
    /// - Throws: ``Refusal`` before anything is spent.
    func judge(
        _ requests: [VerificationRequest], for allowed: Set<RequestorID>? = nil
    ) async throws(Refusal) -> [VerificationAnswer] {
        let now = clock()
        var chosen: [(id: RequestorID, verifier: MediaTokenVerifier)] = []
        for request in requests { chosen.append(try verifier(for: request, allowed)) }
        let found = trace.verifying {
            zip(requests, chosen).map { request, chosen in
                (chosen.id, chosen.verifier.verify(request.token, resource: request.resource, at: now))
            }
        }
        issuerClock.record(found.compactMap { $0.verification.claims?.issued.date }, at: now)
        var answers = found.map { found in
            VerificationAnswer(
                verdict: found.verification.verdict, claims: found.verification.claims, key: found.verification.keyName,
                fault: found.verification.fault.map { "\($0)" })
        }
        let spent = requests.indices.filter { requests[$0].spend && found[$0].verification.use != nil }
        if !spent.isEmpty {
            let results = await trace.spending(name: failureName) {
                await uses.spend(spent.compactMap { found[$0].verification.use }, at: now)
            }
            for (place, result) in zip(spent, results) {
                switch result {
                case .success(let outcome): answers[place].use = .decided(outcome)
                case .failure(let error):
                    answers[place].use = .unavailable(isGranted: memoryFailurePolicy == .failOpen)
                    meters.countFailure(failureName(error))
                }
            }
        }
        for (found, answer) in zip(found, answers) { meters.count(answer, requestor: found.id) }
        return answers
    }

    /// The verifier that a question is for.
    ///
    /// Which one it is, never depends on the token: a token of one requestor must not play another one's stream.
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

/// How the media tokens of one requestor are verified.
public struct RequestorPolicy: Sendable {
    /// The requestor's id.
    public let id: RequestorID
    /// The keys that may have signed its tokens; they can be replaced at any time.
    public let keys: MediaTokenKeySet
    /// Seconds by which a token may be past its expiry.
    public let clockTolerance: TimeInterval

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - id: the requestor's id.
    ///   - keys: the keys that may have signed its tokens.
    ///   - clockTolerance: seconds by which a token may be past its expiry, at most
    ///     `MediaTokenVerifier.largestClockTolerance`; the documented value is 0.
    public init(id: RequestorID, keys: MediaTokenKeySet, clockTolerance: TimeInterval = 0) {
        self.id = id
        self.keys = keys
        self.clockTolerance = clockTolerance
    }
}

/// Whether a valid token is granted when the memory cannot say whether it was spent.
///
/// The raw values are the words of the configuration file.
public enum MemoryFailurePolicy: String, Sendable, CaseIterable {
    /// It is not a first use: the stream does not start.
    case failClosed = "refuse"
    /// It counts as a first use, and the answer says that the memory is unavailable. In the meantime, tokens can be
    /// used more than once.
    case failOpen = "accept"
}
