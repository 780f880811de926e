// A third sample app: one screen of the main actor that does everything itself. It starts a login after every error,
// and it never finishes the page of a logout. It must compile unchanged.
import AccessEnabler
import Foundation

@MainActor
class MatchdayScreen: NSObject, EntitlementDelegate, EntitlementStatus {
    var enabler: AccessEnabler!
    var isSignedIn = false
    var wantsPicker = true
    var mvpdCache = Set<MVPD>()
    var onEvent: ((String) -> Void)?

    func viewDidLoad(statement: String, make: (String) -> AccessEnabler, endpoint: String) {
        enabler = make(statement)
        enabler.delegate = self
        enabler.statusDelegate = self
        enabler.setOptions([OPTION_PROFILE: "matchday", "league": "first"])
        enabler.setRequestor("DEMO", serviceProviders: [endpoint])
    }

    func kickOff() { enabler.checkAuthentication() }

    func rowSelected(_ mvpd: MVPD) {
        wantsPicker = false
        enabler.setSelectedProvider(mvpd.id)
    }

    func webView(loads url: URL) -> Bool {
        if url.absoluteString.hasPrefix("adobepass://") {
            enabler.handleExternalURL(url.absoluteString)
            return false
        }
        return true
    }

    func watch(_ channel: String) { enabler.checkAuthorization(channel) }

    func signOut() { enabler.logout() }

    func setRequestorComplete(_ status: Int32) {
        onEvent?("ready \(status)")
        if status == ACCESS_ENABLER_STATUS_SUCCESS { kickOff() }
    }

    func setAuthenticationStatus(_ status: Int32, errorCode code: String!) {
        isSignedIn = status == 1
        onEvent?("signed in \(isSignedIn)")
        if status == 0 { enabler.getAuthentication() }
    }

    func displayProviderDialog(_ mvpds: [Any]!) {
        mvpdCache.formUnion(mvpds.compactMap { $0 as? MVPD })
        onEvent?("picker \(mvpdCache.count)")
    }

    func navigate(toUrl url: String!) { onEvent?(url) }
    func setToken(_ token: String!, forResource resource: String!) { onEvent?("token \(resource ?? "")") }

    func tokenRequestFailed(_ resource: String!, errorCode code: String!, errorDescription description: String!) {
        onEvent?("failed \(resource ?? "")")
    }

    func selectedProvider(_ mvpd: MVPD!) {}
    func preauthorizedResources(_ resources: [Any]!) {}
    func presentTvProviderDialog(_ viewController: UIViewController!) {}
    func dismissTvProviderDialog(_ viewController: UIViewController!) {}
    func setMetadataStatus(
        _ metadata: Any!, encrypted: Bool, forKey key: Int32, andArguments arguments: [AnyHashable: Any]!
    ) {}
    func sendTrackingData(_ data: [Any]!, forEventType event: Int32) {}
    func status(_ statusDictionary: [AnyHashable: Any]!) {}
}
