import TVEModels
import TVETokenVerification
import Tracing

/// The spans of a judge; without a tracer nothing is made or computed.
///
/// Attributes are numbers, verdicts and configured names: nothing of a token, of a key, or of what a caller wrote.
struct JudgeTrace: Sendable {
    typealias Judged = (id: RequestorID, verification: MediaTokenVerifier.Verification)

    /// Nil when there is none, so that every call costs one comparison.
    private let tracer: (any Tracer)?

    init(_ tracer: any Tracer) {
        self.tracer = tracer is NoOpTracer ? nil : tracer
    }

    /// Runs the verification of the tokens of one request.
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

    /// Spends tokens; spans that the memory makes are children of this one.
    ///
    /// - Parameter name: one of a few words for an error. The error itself may say more than a span should.
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
