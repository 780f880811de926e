import Foundation
import TVENetworking
import TVETestSupport

@testable import TVEFlowEngine

extension FlowFixture {
    /// Reads the status, waits until the service has answered the request that follows, and returns the status after
    /// that.
    func isLoggedInAfterAll(_ session: EntitlementSession) async -> Bool {
        // A request that is still running would be dated by the clock below.
        await session.refreshTask?.value
        let before = await session.lastRefresh
        clock.advance(by: 60)
        _ = await session.authenticationStatus()
        while await session.lastRefresh == before, !Task.isCancelled { await Task.shortPause() }
        await session.refreshTask?.value
        return await session.isLoggedIn
    }

    /// Makes the service fail at one path.
    func fail(_ path: String) {
        answer(path, .failure(.unreachable))
    }
}
