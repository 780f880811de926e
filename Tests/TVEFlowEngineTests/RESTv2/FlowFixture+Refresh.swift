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

    /// Returns the service's answer about demo-cable, whose login begins now.
    ///
    /// - Parameters:
    ///   - type: the type of the profile.
    ///   - seconds: the number of seconds that the login lasts.
    ///   - attributes: the members of the viewer's metadata, as JSON.
    func profile(
        _ type: String = "regular", lasting seconds: Int = 9_000, attributes: String = ""
    ) -> ScriptedTransport.Answer {
        let now = Int(clock.now.timeIntervalSince1970) * 1_000
        return .response(
            status: 200,
            body: "{\"profiles\":{\"demo-cable\":{\"notBefore\":\(now),\"notAfter\":\(now + seconds * 1_000),"
                + "\"issuer\":\"m\",\"type\":\"\(type)\",\"attributes\":{\(attributes)}}}}")
    }

    /// Makes the service fail at one path.
    func fail(_ path: String) {
        answer(path, .failure(.unreachable))
    }
}
