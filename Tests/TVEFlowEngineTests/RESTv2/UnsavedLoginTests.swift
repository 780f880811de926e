import HTTPTypes
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVEFlowEngine

/// Logins from the service beside that of the viewer's choice, whose copies cannot be stored.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct UnsavedLoginTests {
    /// The copy is best effort, whether the viewer has chosen a provider or not.
    @Test(.row("AZ21"), arguments: [FailingStorage.Fault.writing, .locked], [true, false])
    func isUsed(fault: FailingStorage.Fault, isLoggedIn: Bool) async throws {
        let fixture = try await FlowFixture(.restV2, world: .withTempPass())
        let store = FailingStorage(fixture.storage)
        let (session, _) = try await fixture.session { $0.storage = store }
        if isLoggedIn {
            try await session.selectProvider("demo-cable")
            try await session.authenticate(using: ViewerWhoLogsIn())
        }
        await session.refreshTask?.value
        store.fail(fault)
        #expect(try await session.authorize("DEMO-1", as: "TempPass").claims.mvpdID == "TempPass")
        #expect(try await session.preauthorize(["DEMO-1"], as: "TempPass").map(\.isAuthorized) == [true])
        #expect(store.longestWait == .zero)
        store.fail(nil)
        _ = try await session.authorize("DEMO-1", as: "TempPass")
        #expect(fixture.storage.keys(under: StorageKey("requestor")).contains { $0.rawValue.contains("TempPass") })
    }

    /// The logout is that of another process, and has not reached the service yet.
    @Test func isNotUsed_afterALogout() async throws {
        let fixture = try await FlowFixture(.restV2, world: .withTempPass())
        let store = FailingStorage(fixture.storage)
        let (session, _) = try await fixture.session { $0.storage = store }
        let (other, _) = try await fixture.session()
        store.fail(.locked)
        let decision = Gate()
        fixture.transport.setInterception { request, _ in
            if request.path?.contains("/logout/") == true { return .failure(.unreachable) }
            if fixture.isAt(.authorization, request) { await decision.pass() }
            return nil
        }
        let play = Task { try await session.authorize("DEMO-1", as: "TempPass") }
        await decision.arrival()
        try await other.logout(of: "TempPass")
        decision.open()
        await #expect(throws: TVEError(.notAuthenticated)) { try await play.value }
    }
}
