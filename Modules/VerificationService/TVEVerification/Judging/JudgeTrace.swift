import TVEModels
import TVETokenVerification
import Tracing

/// The tracing of a judge.
///
/// The attributes of spans are numbers, verdicts and configured names. They contain no part of a token, a key or a
/// request. Without a tracer, no spans are created and no attributes are computed.
struct JudgeTrace: Sendable {
    typealias Judged = (id: RequestorID, verification: MediaTokenVerifier.Verification)

    /// The tracer; `nil` without one, so that a call costs a single comparison.
    private let tracer: (any Tracer)?

    init(_ tracer: any Tracer) {
        self.tracer = tracer is NoOpTracer ? nil : tracer
    }

    /// Runs the verification of the tokens of one request in a span, and returns its result.
    func verifying(_ body: () -> [Judged]) -> [Judged] {
        guard let tracer else { return body() }
        return tracer.withSpan("tve.verify") { span in
            let judged = body()
            span.updateAttributes { attributes in
                attributes["tve.tokens"] = judged.count
                attributes["tve.requestors"] = Set(judged.map(\.id.text)).sorted()
                attributes["tve.verdicts"] = judged.map(\.verification.verdict.rawValue)
            }
            return judged
        }
    }

    /// Spends tokens in a span, which is the parent of the spans of the memory.
    ///
    /// - Parameters:
    ///   - name: a closure that returns one of a few words for an error. The description of the error itself may
    ///     contain more than a span should.
    ///   - body: a closure that spends the tokens.
    /// - Returns: the result of `body`.
    func spending(
        name: (any Error) -> String, _ body: () async -> [Result<MediaTokenUseOutcome, any Error>]
    ) async -> [Result<MediaTokenUseOutcome, any Error>] {
        guard let tracer else { return await body() }
        return await tracer.withSpan("tve.spend") { span in
            let results = await body()
            var failures: Set<String> = []
            var counts = (first: 0, refused: 0, unavailable: 0)
            var refusals: Set<String> = []
            for result in results {
                switch result {
                case .success(.granted): counts.first += 1
                case .success(.refused(let refusal)):
                    counts.refused += 1
                    refusals.insert(refusal.reason)
                case .failure(let error):
                    counts.unavailable += 1
                    failures.insert(name(error))
                }
            }
            span.updateAttributes { attributes in
                attributes["tve.first"] = counts.first
                attributes["tve.refused"] = counts.refused
                attributes["tve.unavailable"] = counts.unavailable
                if !refusals.isEmpty { attributes["tve.refusals"] = refusals.sorted() }
                if !failures.isEmpty { attributes["tve.failures"] = failures.sorted() }
            }
            if !failures.isEmpty { span.setStatus(SpanStatus(code: .error)) }
            return results
        }
    }
}
