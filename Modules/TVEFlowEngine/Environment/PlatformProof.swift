import TVEModels
import TVENetworking

/// Requests the platform's status, which a service needs as the proof of a login from the platform.
///
/// The status can expire while the app is open. After that the service no longer returns a login from the platform.
final class PlatformProof: Sendable {
    private let platform: (any PlatformSignOn)?
    private let clock: SessionClock
    private let request = Guarded<PlatformAccountRequest?>(nil)
    /// Joins simultaneous requests into one request to the platform.
    private let question = SingleFlight<PlatformStatus?>()

    init(_ platform: (any PlatformSignOn)?, _ clock: SessionClock) {
        self.platform = platform
        self.clock = clock
    }

    /// Stores the request that can be sent to the platform without showing anything to the viewer.
    func remember(_ request: PlatformAccountRequest) { self.request.withLock { $0 = request } }

    /// Returns the platform's current status, or `nil` if the platform does not answer or no request is stored.
    func status() async -> PlatformStatus? {
        guard let platform, let request = request.withLock({ $0 }) else { return nil }
        return await question.run { [clock] in
            await clock.run(atMost: Self.timeLimit) { await Self.status(platform, request) } ?? nil
        } ?? nil
    }

    private static func status(
        _ platform: any PlatformSignOn, _ request: PlatformAccountRequest
    ) async -> PlatformStatus? {
        switch await platform.access(mayAsk: false) {
        case .denied: return PlatformStatus(permission: .denied)
        case .restricted: return PlatformStatus(permission: .restricted)
        case .undetermined: return PlatformStatus(permission: .notDetermined)
        case .notOffered, .failed: return nil
        case .granted: break
        }
        do throws(PlatformSignOnError) {
            return PlatformStatus(try await platform.account(request, presenter: nil))
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
    init(_ account: PlatformAccount, of mvpdID: MVPDID? = nil) {
        self.init(permission: .granted, providerID: account.providerID, expires: account.expires, mvpdID: mvpdID)
    }
}
