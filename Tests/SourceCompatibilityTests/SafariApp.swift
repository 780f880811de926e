import AccessEnabler

/// What the apps below have in common.
class SafariApp: NSObject {
    let pages = AsyncStream<String>.makeStream()

    func navigate(toUrl url: String!) { pages.continuation.yield("web view") }
    func setRequestorComplete(_ status: Int32) {}
    func setAuthenticationStatus(_ status: Int32, errorCode code: String!) {}
    func displayProviderDialog(_ mvpds: [Any]!) {}
    func presentTvProviderDialog(_ viewController: UIViewController!) {}
    func dismissTvProviderDialog(_ viewController: UIViewController!) {}
    func selectedProvider(_ mvpd: MVPD!) {}
    func setToken(_ token: String!, forResource resource: String!) {}
    func tokenRequestFailed(_ resource: String!, errorCode code: String!, errorDescription description: String!) {}
    func preauthorizedResources(_ resources: [Any]!) {}
    func setMetadataStatus(
        _ metadata: Any!, encrypted: Bool, forKey key: Int32, andArguments arguments: [AnyHashable: Any]!
    ) {}
    func sendTrackingData(_ data: [Any]!, forEventType event: Int32) {}
}

final class ImplicitSafariApp: SafariApp, EntitlementDelegate {
    func navigate(toUrl url: String!, useSVC: Bool) { pages.continuation.yield("!") }
}

final class OptionalSafariApp: SafariApp, EntitlementDelegate {
    func navigate(toUrl url: String?, useSVC: Bool) { pages.continuation.yield("?") }
}

final class PlainSafariApp: SafariApp, EntitlementDelegate {
    func navigate(toUrl url: String, useSVC: Bool) { pages.continuation.yield("plain") }
}

final class WebViewApp: SafariApp, EntitlementDelegate {}
