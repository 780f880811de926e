import AccessEnabler
import Dispatch
import TVEModels
import TVETestSupport

/// A delegate that records on which queue `setRequestorComplete` comes.
final class QueueWitness: EntitlementDelegate, Sendable {
    /// Marks the main queue; a thread proves nothing, because on Linux any thread may serve it.
    private let mark = DispatchSpecificKey<Bool>()

    let recorder = CallbackRecorder()
    let wasOnMainQueue = Guarded<Bool?>(nil)

    init() {
        DispatchQueue.main.setSpecific(key: mark, value: true)
    }

    func setRequestorComplete(_ status: Int32) {
        wasOnMainQueue.withLock { $0 = DispatchQueue.getSpecific(key: mark) == true }
        recorder.setRequestorComplete(status)
    }

    func setAuthenticationStatus(_ status: Int32, errorCode code: String!) {}
    func displayProviderDialog(_ mvpds: [Any]!) {}
    func navigate(toUrl url: String!) {}
    func selectedProvider(_ mvpd: MVPD!) {}
    func setToken(_ token: String!, forResource resource: String!) {}
    func tokenRequestFailed(_ resource: String!, errorCode code: String!, errorDescription description: String!) {}
    func presentTvProviderDialog(_ viewController: PlatformViewController!) {}
    func dismissTvProviderDialog(_ viewController: PlatformViewController!) {}
    func preauthorizedResources(_ resources: [Any]!) {}
    func setMetadataStatus(
        _ metadata: Any!, encrypted: Bool, forKey key: Int32, andArguments arguments: [AnyHashable: Any]!
    ) {}
    func sendTrackingData(_ data: [Any]!, forEventType event: Int32) {}
}
