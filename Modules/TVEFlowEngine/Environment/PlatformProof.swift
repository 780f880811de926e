import TVEModels
import TVENetworking

/// The platform's status, which a service needs as the proof of a login from the platform.
///
/// The status can expire while the app is open. The service then no longer returns a login from the platform.
/// `RESTv2Service` caches the last status, and requests a new one here when the cached one has expired or when the
/// service has denied the login.
final class PlatformProof: Sendable {
    private let platform: any PlatformSignOn
    private let clock: SessionClock
    private let query = Guarded<Query?>(nil)
    /// Joins simultaneous requests into one request to the platform.
    private let flight = SingleFlight<PlatformStatus?>()

    /// The request to the platform, and the TV providers that its answer may name.
    private struct Query {
        let request: PlatformAccountRequest
        let providers: [TVProvider]
    }

    init(_ platform: any PlatformSignOn, _ clock: SessionClock) {
        self.platform = platform
        self.clock = clock
    }

    /// Stores the request that can be sent to the platform without showing anything to the viewer.
    ///
    /// - Parameter providers: the TV providers that the platform's answer may name.
    func remember(_ request: PlatformAccountRequest, _ providers: [TVProvider]) {
        query.withLock { $0 = Query(request: request, providers: providers) }
    }

    /// Returns the platform's current status, or `nil` if the platform does not answer or no request is stored.
    func status() async -> PlatformStatus? {
        guard let query = query.withLock(\.self) else { return nil }
        return await flight.run { [clock, platform] in
            await clock.run(atMost: Self.timeLimit) { await Self.status(platform, query) } ?? nil
        } ?? nil
    }

    private static func status(
        _ platform: any PlatformSignOn, _ query: Query
    ) async -> PlatformStatus? {
        let access = await platform.access(mayAsk: false)
        if access == .undetermined { return PlatformStatus(permission: .notDetermined) }
        do throws(PlatformSignOnError) {
            try access.check()
            let account = try await platform.account(query.request, presenter: nil)
            return PlatformStatus(account, of: query.providers.provider(platformID: account.providerID)?.id)
        } catch {
            switch error {
            case .notSignedIn, .unsupportedProvider: return PlatformStatus(permission: .granted)
            case .accessNotGranted: return PlatformStatus(permission: .denied)
            case .cancelled, .notOffered, .failed: return nil
            }
        }
    }

    /// The limit is short because a viewer is waiting for the request that needs the proof.
    private static let timeLimit = Duration.seconds(5)
}

extension PlatformStatus {
    init(_ account: PlatformAccount, of mvpdID: MVPDID?) {
        self.init(permission: .granted, providerID: account.providerID, expires: account.expires, mvpdID: mvpdID)
    }
}
