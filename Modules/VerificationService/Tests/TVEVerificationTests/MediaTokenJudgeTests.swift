import Foundation
import TVEFleetFixture
import TVEModels
import TVETestTraits
import TVETokenVerification
import Testing

@testable import TVEVerification

/// The answers to a batch, of which the memory can answer only a part.
@Suite(.timeLimit(.hanging))
struct MediaTokenJudgeTests {
    private static let now = Date(timeIntervalSince1970: 2_000_000_000)

    /// A memory that fails for the tokens of one second, and grants all others.
    private struct PartialUses: MediaTokenUses {
        let failing: Date

        func spend(_ use: MediaTokenUse, at now: Date) async throws -> MediaTokenUseOutcome {
            guard use.issued != failing else { throw CocoaError(.fileReadUnknown) }
            return .granted
        }
    }

    private func judge(
        of requestors: [RequestorID], onFailure policy: MemoryFailurePolicy, metrics registry: PrometheusRegistry
    ) throws -> MediaTokenJudge {
        let key = MediaTokenKey(
            name: "demo", key: try TokenVerificationKey(pemRepresentation: Mint.shared.get().publicKey))
        return MediaTokenJudge(
            requestors: requestors.map { RequestorPolicy(id: $0, keys: MediaTokenKeySet([key])) },
            uses: PartialUses(failing: Self.now.addingTimeInterval(-5)), onMemoryFailure: policy, metrics: registry,
            clock: { Self.now })
    }

    private func token(_ age: TimeInterval) throws -> String {
        try Mint.shared.get().token(issued: Self.now.addingTimeInterval(-age))
    }

    @Test(.row("VP9"), arguments: MemoryFailurePolicy.allCases)
    func aFailureOfTheMemory_concernsItsTokenAlone(policy: MemoryFailurePolicy) async throws {
        let registry = PrometheusRegistry()
        let requests = [
            VerificationRequest(token: try token(1), spend: false), VerificationRequest(token: try token(5)),
            VerificationRequest(token: "x"), VerificationRequest(token: try token(500)),
            VerificationRequest(token: try token(2)),
        ]
        let judge = try self.judge(of: ["DEMO"], onFailure: policy, metrics: registry)
        let answers = try await judge.judge(requests)
        let verdicts: [MediaTokenVerifier.Verdict] = [
            .validToken, .validToken, .invalidTokenFormat, .tokenExpired, .validToken,
        ]
        #expect(answers.map(\.verdict) == verdicts)
        let isOpen = policy == .failOpen
        let uses: [Bool?] = [nil, isOpen, nil, nil, true]
        let reasons: [String?] = [nil, isOpen ? nil : "unavailable", nil, nil, nil]
        #expect(answers.map(\.firstUse) == uses)
        #expect(answers.map(\.reason) == reasons)
        #expect(answers.map(\.key) == ["demo", "demo", nil, "demo", "demo"])
        let page = registry.page
        for line in [
            "tve_verdicts_total{requestor=\"DEMO\",verdict=\"validToken\"} 3",
            "tve_verdicts_total{requestor=\"DEMO\",verdict=\"tokenExpired\"} 1",
            "tve_key_uses_total{requestor=\"DEMO\",key=\"demo\"} 4", "tve_spends_total{result=\"first\"} 1",
            "tve_spends_total{result=\"unavailable\"} 1", "tve_spend_failures_total{reason=\"other\"} 1",
        ] {
            #expect(page.contains("\(line)\n"), "\(line)")
        }
    }

    /// Both requestors have the key, so only the choice of the requestor keeps their tokens apart.
    @Test(
        .row("VP12", "VP13"),
        arguments: [
            ("DEMO", nil, .success(.validToken)), ("OTHER", nil, .success(.otherRequestor)),
            ("DEMO", ["DEMO"], .success(.validToken)), ("DEMO", ["OTHER"], .failure(.requestorForbidden)),
            ("OTHER", ["OTHER"], .success(.otherRequestor)), ("OTHER", ["DEMO"], .failure(.requestorForbidden)),
            ("DEMO", [], .failure(.requestorForbidden)), (nil, nil, .failure(.requestorMissing)),
            (nil, ["DEMO"], .failure(.requestorMissing)), ("demo", nil, .failure(.requestorUnknown)),
        ] as [(RequestorID?, Set<RequestorID>?, Result<MediaTokenVerifier.Verdict, MediaTokenJudge.Refusal>)])
    func aRequestor_isThatOfTheRequest_ifTheCallerMayAskForIt(
        requestor: RequestorID?, allowed: Set<RequestorID>?,
        expected: Result<MediaTokenVerifier.Verdict, MediaTokenJudge.Refusal>
    ) async throws {
        let registry = PrometheusRegistry()
        let judge = try self.judge(of: ["DEMO", "OTHER"], onFailure: .failClosed, metrics: registry)
        let request = VerificationRequest(token: try token(1), requestor: requestor)
        let found: Result<MediaTokenVerifier.Verdict, MediaTokenJudge.Refusal>
        do throws(MediaTokenJudge.Refusal) {
            found = .success(try await judge.judge([request], for: allowed)[0].verdict)
        } catch {
            found = .failure(error)
        }
        #expect(found == expected)
        // Nothing else was spent.
        let grants = expected == .success(.validToken) ? 1 : 0
        #expect(registry.page.contains("tve_spends_total{result=\"first\"} \(grants)\n"))
    }

    /// A client that waits as long as the answer says gets its stream.
    @Test(
        arguments: [
            (0.001, 1), (1, 1), (1.001, 2), (59.5, 60), (1e12, 1_000_000_000), (.infinity, 1_000_000_000),
        ] as [(TimeInterval, Int)])
    func theSecondsToWait_areRoundedUp(seconds: TimeInterval, written: Int) {
        var answer = VerificationAnswer(verdict: .validToken)
        answer.use = .decided(.refused(.clockBehind(seconds: seconds)))
        var text = JSONText()
        answer.append(to: &text)
        let reason = #""firstUse":false,"reason":"clock-behind","retryAfter":\#(written)"#
        #expect(String(decoding: text.bytes, as: UTF8.self) == #"{"verdict":"validToken",\#(reason)}"#)
    }

    @Test func anAnswer_hasEveryClaim() {
        let claims = MediaToken.Claims(
            sessionGUID: #"v\w"#, requestorID: "DEMO", resource: "R", timeToLive: 420_500,
            issued: TokenDate(secondsSince1970: 1_000), mvpdID: "cable", proxyMVPDID: "proxy")
        var text = JSONText()
        VerificationAnswer(verdict: .tokenExpired, claims: claims, key: "2026").append(to: &text)
        let expected =
            #"{"verdict":"tokenExpired","claims":{"sessionGUID":"v\\w","requestor":"DEMO","resource":"R","#
            + #""mvpd":"cable","proxyMvpd":"proxy","issued":1000,"expires":1420},"key":"2026"}"#
        #expect(String(decoding: text.bytes, as: UTF8.self) == expected)
    }
}
