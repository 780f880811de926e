import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Logouts that are repeated after a pause while another process with the same store acts.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct WaitingLogoutTests {
    /// A call that sends a logout.
    enum Sender: CaseIterable {
        case logoutOfOne, logoutOfAll, laterCall

        func send(_ session: EntitlementSession) async throws {
            switch self {
            case .logoutOfOne: try await session.logout(of: "demo-cable")
            case .logoutOfAll: try await session.logout()
            case .laterCall: _ = try await session.profiles()
            }
        }
    }

    /// An answer after which a request is repeated.
    enum Postponement: CaseIterable {
        case throttle, retry

        var answer: ScriptedTransport.Answer {
            switch self {
            case .throttle: .response(status: 429, body: "")
            case .retry: ServiceDialect.refusal("internal_server_error", status: 503, action: "retry")
            }
        }
    }

    /// Makes the service postpone the next logout, after another process has acted.
    private func postponeLogout(
        _ fixture: FlowFixture, _ postponement: Postponement, by other: @escaping @Sendable () async -> Void
    ) {
        let isDue = Guarded(true)
        fixture.transport.setInterception { request, _ in
            guard request.path?.contains("/logout/") == true, isDue.taken() else { return nil }
            await other()
            return postponement.answer
        }
    }

    private func logouts(_ fixture: FlowFixture) -> Int {
        fixture.transport.requests.count { $0.contains("/logout/") }
    }

    /// The viewer has logged in again in another process, which has ended the old login itself.
    @Test(.row("CL19", "LO10"), arguments: Sender.allCases, Postponement.allCases)
    func aLogoutThatHasWaited_endsNoNewerLogin(sender: Sender, postponement: Postponement) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let (other, _) = try await fixture.session()
        await other.refreshTask?.value
        if sender == .laterCall {
            fixture.answer("/logout/", .failure(.unreachable))
            try await session.logout(of: "demo-cable")
            fixture.transport.setScript { _, _ in nil }
        }
        let earlier = logouts(fixture)
        postponeLogout(fixture, postponement) { _ = try? await other.authenticate(using: ViewerWhoLogsIn()) }
        try await sender.send(session)
        // The first request was postponed, and the second one is that of the new login.
        #expect(logouts(fixture) == earlier + 2)
        #expect(try await other.profiles().map(\.mvpdID) == ["demo-cable"])
        #expect(await session.isLoggedIn)
    }

    /// Nobody has logged in meanwhile.
    @Test(.row("CL27"), arguments: Sender.allCases, Postponement.allCases)
    func aLogoutThatHasWaited_isSent(sender: Sender, postponement: Postponement) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        if sender == .laterCall {
            fixture.answer("/logout/", .failure(.unreachable))
            try await session.logout(of: "demo-cable")
            fixture.transport.setScript { _, _ in nil }
        }
        let earlier = logouts(fixture)
        postponeLogout(fixture, postponement) {}
        try await sender.send(session)
        #expect(logouts(fixture) == earlier + 2)
        let (later, _) = try await fixture.session()
        #expect(try await later.profiles().isEmpty)
        #expect(await !later.hasPendingLogout)
    }

    /// Nobody can tell whether another process has settled the logout, and the viewer wants to be logged out.
    @Test(.row("LO10"), arguments: Postponement.allCases)
    func aLogoutThatHasWaited_isSent_ifTheStoreCannotBeRead(postponement: Postponement) async throws {
        let fixture = try await FlowFixture(.restV2)
        let storage = FailingStorage()
        let (session, _) = try await fixture.session { $0.storage = storage }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let earlier = logouts(fixture)
        postponeLogout(fixture, postponement) { storage.fail(.reading) }
        try? await session.logout()
        #expect(logouts(fixture) == earlier + 2)
    }
}
