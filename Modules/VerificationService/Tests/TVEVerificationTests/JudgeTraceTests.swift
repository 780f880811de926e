import Foundation
import InMemoryTracing
import TVEFleetFixture
import TVEModels
import TVETestTraits
import TVETokenVerification
import Testing
import Tracing

@testable import TVEVerification

/// The spans of a judge, for a program that has installed a tracer.
@Suite(.timeLimit(.hanging))
struct JudgeTraceTests {
    private struct Unavailable: MediaTokenUses {
        func spend(_ use: MediaTokenUse, at now: Date) async throws -> MediaTokenUseOutcome {
            throw FixtureError("secret-reason")
        }
    }

    private let mint: Mint
    private let keys: MediaTokenKeySet

    init() throws {
        mint = try Mint.shared.get()
        let key = try TokenVerificationKey(pemRepresentation: mint.publicKey)
        keys = MediaTokenKeySet([MediaTokenKey(name: "secret-key", key: key)])
    }

    private func spans(
        _ requests: [VerificationRequest], _ uses: any MediaTokenUses = MemoryMediaTokenUses(issuerClockSkew: 0)
    ) async throws -> [FinishedInMemorySpan] {
        let tracer = InMemoryTracer()
        let judge = MediaTokenJudge(
            requestors: [RequestorPolicy(id: "DEMO", keys: keys)], uses: uses, tracer: tracer,
            failureName: { _ in "away" })
        try await tracer.withSpan("request") { _ in _ = try await judge.judge(requests) }
        #expect(tracer.activeSpans.isEmpty)
        return tracer.finishedSpans
    }

    @Test func judgingAndSpending_areSpansOfTheRequest() async throws {
        let token = try mint.token()
        let spans = try await spans(
            [.init(token: token), .init(token: token), .init(token: "x")],
            MemoryMediaTokenUses(began: .distantPast, issuerClockSkew: 0))
        #expect(spans.map(\.operationName) == ["tve.verify", "tve.spend", "request"])
        let request = try #require(spans.last)
        #expect(spans.prefix(2).allSatisfy { $0.parentSpanID == request.spanID && $0.status == nil })
        #expect(
            spans[0].attributes == [
                "tve.tokens": 3, "tve.requestors": .stringArray(["DEMO"]),
                "tve.verdicts": .stringArray(["validToken", "validToken", "invalidTokenFormat"]),
            ])
        #expect(
            spans[1].attributes == [
                "tve.first": 1, "tve.refused": 1, "tve.refusals": .stringArray(["spent"]), "tve.unavailable": 0,
            ])
    }

    @Test func aTokenThatIsNotToBeSpent_hasNoSpanOfSpending() async throws {
        for request in [VerificationRequest(token: try mint.token(), spend: false), .init(token: "x")] {
            #expect(try await spans([request]).map(\.operationName) == ["tve.verify", "request"])
        }
    }

    @Test func aMemoryThatFails_isAnErrorOfItsSpan() async throws {
        let span = try #require(try await spans([.init(token: mint.token())], Unavailable()).dropFirst().first)
        #expect(span.status?.code == .error)
        #expect(span.errors.isEmpty)
        #expect(
            span.attributes == [
                "tve.first": 0, "tve.refused": 0, "tve.unavailable": 1, "tve.failures": .stringArray(["away"]),
            ])
    }

    /// The content of a span ends up in a system that others can read.
    @Test(.row("SE10", "VP18")) func spans_sayNothingOfATokenOrKey() async throws {
        let token = try mint.token(viewer: "secret-viewer", resource: "secret-resource")
        let requests = [
            VerificationRequest(token: token), .init(token: token, resource: "secret-other"), .init(token: "secret"),
        ]
        for uses in [MemoryMediaTokenUses(issuerClockSkew: 0), Unavailable()] as [any MediaTokenUses] {
            for span in try await spans(requests, uses) {
                var text = "\(span)"
                dump(span, to: &text)
                #expect(!text.contains("secret") && !text.contains(token.prefix(40)), "\(span.operationName)")
            }
        }
    }

    @Test func withoutATracer_noneIsAsked() async throws {
        let judge = MediaTokenJudge(
            requestors: [RequestorPolicy(id: "DEMO", keys: keys)],
            uses: MemoryMediaTokenUses(began: .distantPast, issuerClockSkew: 0))
        let tracer = InMemoryTracer()
        // The tracer is installed after the judge was created, so the judge does not use it.
        let answers = try await withTracer(tracer) {
            try await judge.judge([VerificationRequest(token: mint.token())])
        }
        #expect(answers.map(\.firstUse) == [true])
        #expect(tracer.finishedSpans.isEmpty)
    }
}
