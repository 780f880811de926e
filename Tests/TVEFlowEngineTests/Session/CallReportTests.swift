import TVEFlowEngine
import TVEModels
import TVENetworking
import TVETestSupport
import TVETestTraits
import TVETracking
import Testing

/// Each completed call is reported as an event of its session and included in its statistics.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct CallReportTests {
    private func make(
        _ call: CallReport.Call, in session: EntitlementSession, by viewer: ViewerWhoLogsIn = ViewerWhoLogsIn()
    ) async throws(TVEError) {
        switch call {
        case .start: try await session.start()
        case .authenticate: _ = try await session.authenticate(using: viewer)
        case .authorize: _ = try await session.authorize("DEMO-1")
        case .preauthorize: _ = try await session.preauthorize(["DEMO-1"])
        case .logout: try await session.logout()
        }
    }

    @Test(arguments: ServiceDialect.allCases)
    func everyCallThatSucceeds_isReportedOnce(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect).session(started: false)
        // The cases have the order in which an app makes the calls.
        for call in CallReport.Call.allCases { try await make(call, in: session) }
        #expect(log.calls.map(\.call) == CallReport.Call.allCases)
        #expect(log.calls.allSatisfy { $0.failure == nil })
        for call in CallReport.Call.allCases {
            let counts = session.statistics[call]
            #expect(counts.successes == 1 && counts.failures.isEmpty, "\(call)")
        }
    }

    @Test(
        arguments: ServiceDialect.both(
            [
                (.start, .serviceUnreachable), (.authenticate, .providerNotSelected),
                (.authorize, .notAuthenticated), (.preauthorize, .notAuthenticated), (.logout, .storageFailed),
            ] as [(CallReport.Call, TVEError.Code)]))
    func aCallThatFails_isReportedOnce_withItsError(
        dialect: ServiceDialect, call: CallReport.Call, code: TVEError.Code
    ) async throws {
        let fixture = try await FlowFixture(dialect)
        let storage = FailingStorage()
        let (session, log) = try await fixture.session(started: call != .start) { $0.storage = storage }
        if call == .start { fixture.answer(.start, .failure(.unreachable)) }
        if call == .logout { storage.fail(.writing) }
        let before = log.calls.count
        await #expect(throws: TVEError(code)) {
            try await make(call, in: session, by: ViewerWhoLogsIn(choice: nil))
        }
        let reports = log.calls.dropFirst(before)
        #expect(reports.map(\.call) == [call] && reports.map(\.failure) == [code])
        #expect(session.statistics[call].failures == [code.rawValue: 1])
    }

    /// A closed session sends no events.
    @Test(arguments: ServiceDialect.allCases, CallReport.Call.allCases)
    func aCallOfAClosedSession_onlyCountsAsAFailure(dialect: ServiceDialect, call: CallReport.Call) async throws {
        let (session, log) = try await FlowFixture(dialect).session()
        await session.end()
        let before = log.calls
        await #expect(throws: TVEError(.requestorNotConfigured)) { try await make(call, in: session) }
        #expect(log.calls == before)
        #expect(session.statistics[call].failures == [TVEError.Code.requestorNotConfigured.rawValue: 1])
    }
}
