import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVETestSupport

/// A session with a login, whose exchanges a test breaks one after the other.
struct SpoiledSession {
    let fixture: FlowFixture
    let session: EntitlementSession
    let log: EventLog
    /// The transport of the viewer's browser.
    var browsing: any HTTPTransport = BrowserTransport()

    /// Breaks an exchange, and returns the code; afterwards the login must still be there and everything work again.
    ///
    /// - Parameter spoil: begins to break everything that is sent to a path that contains the text.
    func code(of endpoint: Endpoint, spoil: (String) -> Void, mend: () -> Void) async -> String? {
        _ = log.take()
        spoil(endpoint.path(fixture.dialect) ?? "")
        let succeeded = await call(endpoint)
        let words = log.take()
        mend()
        guard case .authenticated = await session.authenticationStatus() else { return "logged out" }
        guard await call(endpoint) else { return "does not work again: \(log.take())" }
        return succeeded ? nil : words.first { $0.wholeMatch(of: /[A-Z]+[0-9]+/) != nil } ?? "no code: \(words)"
    }

    /// Makes the call that uses an endpoint; returns whether it succeeded.
    func call(_ endpoint: Endpoint) async -> Bool {
        // Every round begins with full buckets and without leftovers of an earlier one.
        fixture.clock.advance(by: 20)
        do {
            switch endpoint {
            case .configuration: try await session.start()
            case .registrationCode, .loginPage, .session:
                try await session.authenticate(using: ViewerWhoLogsIn(browsing: browsing), isForced: true)
            case .authorization:
                _ = try await session.authorize(Resource.mrss(channel: "DEMO-1", item: .init(guid: UUID().uuidString)))
            case .mediaToken: _ = try await session.authorize("DEMO-1")
            case .preauthorization: _ = try await session.preauthorize(["DEMO-1"], caches: [])
            }
            return true
        } catch {
            return false
        }
    }
}
