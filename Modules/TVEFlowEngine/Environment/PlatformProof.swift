import TVEModels
import TVENetworking

/// Asks the platform for its status on behalf of a service, which needs it as the proof of a login.
///
/// The status ends while the app is open, and the service then does not mention a login from the platform any more.
final class PlatformProof: Sendable {
    private let platform: (any PlatformSignOn)?
    private let clock: SessionClock
    private let request = Guarded<PlatformAccountRequest?>(nil)
    /// Several requests at once ask once.
    private let question = SingleFlight<PlatformStatus?>()

    init(_ platform: (any PlatformSignOn)?, _ clock: SessionClock) {
        self.platform = platform
        self.clock = clock
    }

    /// Takes the question with which the platform can be asked without showing anything.
    func remember(_ request: PlatformAccountRequest) { self.request.withLock { $0 = request } }

    /// The platform's status now; nil when it does not answer, or cannot be asked.
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

    /// A viewer waits for the request that needs the proof.
    private static let timeLimit = Duration.seconds(5)
}

extension PlatformStatus {
    init(_ account: PlatformAccount) {
        self.init(permission: .granted, providerID: account.providerID, expires: account.expires)
    }
}
