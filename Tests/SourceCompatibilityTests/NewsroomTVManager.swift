// A sample app's integration code, written like apps for the original library: one manager that is both delegates, a
// flow flag because callbacks carry no correlation, and closures that pass on all results. It must compile unchanged.
import AccessEnabler
import Foundation

final class NewsroomTVManager: NSObject, EntitlementDelegate, EntitlementStatus {
    enum Flow {
        case none, checkingLogin, login, logout
    }

    private(set) var flow = Flow.none
    private(set) var providers: [MVPD] = []
    private(set) var selectedProviderName: String?
    private(set) var isAuthenticated = false
    private(set) var trackedEvents: [String] = []
    private(set) var userMetadata: [String: Any] = [:]
    private(set) var statusIds: [String] = []

    var onReady: ((Bool) -> Void)?
    var onProviders: (([MVPD]) -> Void)?
    var onLoginPage: ((URL) -> Void)?
    var onAuthentication: ((Bool, String) -> Void)?
    var onToken: ((String, String) -> Void)?
    var onDenied: ((String, String, String) -> Void)?
    var onPreauthorized: (([String]) -> Void)?
    var onProvider: ((MVPD?) -> Void)?
    var onMetadata: ((Any?, Bool, Int) -> Void)?

    private let accessEnabler: AccessEnabler
    private let requestor: String
    private let serviceProviders: [String]

    init(accessEnabler: AccessEnabler, requestor: String, serviceProviders: [String]) {
        self.accessEnabler = accessEnabler
        self.requestor = requestor
        self.serviceProviders = serviceProviders
        super.init()
        accessEnabler.delegate = self
        accessEnabler.statusDelegate = self
    }

    // MARK: calls

    func start() {
        flow = .checkingLogin
        accessEnabler.setOptions(["visitorID": "newsroom-visitor", "handleSVC": false])
        accessEnabler.setRequestor(requestor, serviceProviders: serviceProviders)
        accessEnabler.checkAuthentication()
    }

    func login() {
        flow = .login
        accessEnabler.getAuthentication()
    }

    func pick(_ provider: MVPD) {
        selectedProviderName = provider.displayName
        accessEnabler.setSelectedProvider(provider.id)
    }

    func cancelLogin() {
        accessEnabler.setSelectedProvider(nil)
    }

    func browserReached(_ url: URL) -> Bool {
        guard url.absoluteString.hasPrefix(ADOBEPASS_REDIRECT_URL) else { return false }
        accessEnabler.handleExternalURL(url.description)
        return true
    }

    func play(_ resource: String) { accessEnabler.getAuthorization(resource) }
    func mark(_ resources: [String]) { accessEnabler.checkPreauthorizedResources(resources) }
    func whichProvider() { accessEnabler.getSelectedProvider() }

    func logout() {
        flow = .logout
        accessEnabler.logout()
    }

    func fetchMetadata(_ name: String) {
        accessEnabler.getMetadata([
            METADATA_OPCODE_KEY: Int(METADATA_USER_META), METADATA_USER_META_KEY: name,
        ])
    }

    // MARK: EntitlementDelegate

    func setRequestorComplete(_ status: Int32) {
        onReady?(status == ACCESS_ENABLER_STATUS_SUCCESS)
    }

    func setAuthenticationStatus(_ status: Int32, errorCode code: String!) {
        switch status {
        case ACCESS_ENABLER_STATUS_SUCCESS:
            isAuthenticated = true
        case ACCESS_ENABLER_STATUS_ERROR:
            isAuthenticated = false
        default:
            break
        }
        flow = .none
        onAuthentication?(isAuthenticated, code)
    }

    func displayProviderDialog(_ mvpds: [Any]!) {
        guard flow == .login, let list = mvpds as? [MVPD] else { return }
        providers = list.sorted { $0.displayName < $1.displayName }
        onProviders?(providers)
    }

    func navigate(toUrl url: String!) {
        guard let page = URL(string: url) else { return }
        onLoginPage?(page)
    }

    func navigate(toUrl url: String!, useSVC: Bool) {
        navigate(toUrl: url)
    }

    func presentTvProviderDialog(_ viewController: UIViewController!) {}
    func dismissTvProviderDialog(_ viewController: UIViewController!) {}

    func selectedProvider(_ mvpd: MVPD!) {
        onProvider?(mvpd)
    }

    func setToken(_ token: String!, forResource resource: String!) {
        onToken?(token, resource)
    }

    func tokenRequestFailed(_ resource: String!, errorCode code: String!, errorDescription description: String!) {
        onDenied?(resource, code, description)
    }

    func preauthorizedResources(_ resources: [Any]!) {
        onPreauthorized?(resources as? [String] ?? [])
    }

    func setMetadataStatus(
        _ metadata: Any!, encrypted: Bool, forKey key: Int32, andArguments arguments: [AnyHashable: Any]!
    ) {
        switch key {
        case METADATA_USER_META:
            let name = arguments[METADATA_USER_META_KEY] as? String ?? ""
            if let list = metadata as? [String] {
                userMetadata[name] = list.joined(separator: ",")
            } else if let text = metadata as? String {
                userMetadata[name] = text
            }
        case METADATA_AUTHENTICATION, METADATA_AUTHORIZATION, METADATA_DEVICE_ID:
            break
        default:
            break
        }
        onMetadata?(metadata, encrypted, Int(key))
    }

    func sendTrackingData(_ data: [Any]!, forEventType event: Int32) {
        switch event {
        case TRACKING_AUTHENTICATION: trackedEvents.append("authentication \(data[0])")
        case TRACKING_AUTHORIZATION: trackedEvents.append("authorization \(data[0])")
        case TRACKING_GET_SELECTED_PROVIDER: trackedEvents.append("selection \(data[0])")
        default: break
        }
    }

    // MARK: EntitlementStatus

    func status(_ statusDictionary: [AnyHashable: Any]!) {
        if let id = statusDictionary["errorId"] as? String, let level = statusDictionary["level"] as? String {
            statusIds.append("\(level) \(id)")
        }
    }
}
