// A second sample app: a plug-in for a television framework that begins with a placeholder because its statement comes
// from a server, works on a second screen, and uses the newer preauthorize call. It must compile unchanged.
import AccessEnabler
import Foundation

protocol LivingRoomAuthListener: AnyObject {
    func authProvider(_ provider: LivingRoomAuthProvider, showCode code: String)
    func authProvider(_ provider: LivingRoomAuthProvider, didChange loggedIn: Bool)
    func authProvider(_ provider: LivingRoomAuthProvider, mayPlay resource: String, with token: String?)
    func authProvider(_ provider: LivingRoomAuthProvider, decided decisions: [String: Bool])
    func authProvider(_ provider: LivingRoomAuthProvider, needsProviderFrom mvpds: [MVPD])
}

class LivingRoomAuthProvider: NSObject {
    weak var listener: LivingRoomAuthListener?
    var accessEnabler: AccessEnabler?
    var lastError: String?

    func configure(with enabler: AccessEnabler, requestor: String, endpoint: String) {
        accessEnabler = enabler
        accessEnabler?.delegate = self
        accessEnabler?.statusDelegate = self
        accessEnabler?.setRequestor(requestor, serviceProviders: [endpoint])
    }

    func signIn() {
        accessEnabler?.getAuthentication(false, withData: nil, andFilter: nil)
    }

    func choose(_ mvpd: MVPD?) {
        accessEnabler?.setSelectedProvider(mvpd?.id)
    }

    func entitlement(for channel: String, title: String) {
        let mrss =
            "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel><title>\(channel)</title>"
            + "<item><title>\(title)</title></item></channel></rss>"
        accessEnabler?.checkAuthorization(mrss, withData: ["source": "living-room"])
    }

    func decide(about channels: [String]) {
        let request = PreauthorizeRequest.Builder()
            .setResources(resources: channels)
            .disableFeatures(features: Set([PreauthorizeRequest.Feature.LOCAL_CACHE]))
            .build()
        let callback = AccessEnablerCallback<PreauthorizeResponse>(
            onResponse: { [weak self] response in self?.handle(response) },
            onFailure: { [weak self] response in
                self?.lastError = response.getStatus()?.getCode()
            })
        accessEnabler?.preauthorize(request, didCompleteWith: callback)
    }

    private func handle(_ response: PreauthorizeResponse) {
        if let status = response.getStatus() {
            lastError = status.getCode()
            return
        }
        var decisions: [String: Bool] = [:]
        for decision in response.getDecisions() { decisions[decision.getId()] = decision.isAuthorized() }
        listener?.authProvider(self, decided: decisions)
    }

    func signOut() {
        accessEnabler?.logout()
    }
}

extension LivingRoomAuthProvider: EntitlementDelegate {
    func setRequestorComplete(_ status: Int32) {
        if status == 1 { accessEnabler?.checkAuthentication() }
    }

    func setAuthenticationStatus(_ status: Int32, errorCode code: String!) {
        if code == PROVIDER_NOT_SELECTED_ERROR { lastError = code }
        listener?.authProvider(self, didChange: status == 1)
    }

    func setToken(_ token: String!, forResource resource: String!) {
        listener?.authProvider(self, mayPlay: resource, with: token)
    }

    func tokenRequestFailed(_ resource: String!, errorCode code: String!, errorDescription description: String!) {
        lastError = description.isEmpty ? code : description
        listener?.authProvider(self, mayPlay: resource, with: nil)
    }

    func displayProviderDialog(_ mvpds: [Any]!) {
        listener?.authProvider(self, needsProviderFrom: mvpds.compactMap { $0 as? MVPD })
    }

    func selectedProvider(_ mvpd: MVPD!) {}
    func preauthorizedResources(_ resources: [Any]!) {}
    func navigate(toUrl url: String!) {}
    func sendTrackingData(_ data: [Any]!, forEventType event: Int32) {}
    func setMetadataStatus(
        _ metadata: Any!, encrypted: Bool, forKey key: Int32, andArguments arguments: [AnyHashable: Any]!
    ) {}
    func presentTvProviderDialog(_ viewController: UIViewController!) {}
    func dismissTvProviderDialog(_ viewController: UIViewController!) {}
}

extension LivingRoomAuthProvider: EntitlementStatus {
    func status(_ statusDictionary: [AnyHashable: Any]!) {
        guard let errorId = statusDictionary["errorId"] as? String else { return }
        switch errorId {
        case "REGCODE":
            if let code = statusDictionary["message"] as? String {
                listener?.authProvider(self, showCode: code)
            }
        case "CFG400", "CFG404", "R400", "R401":
            lastError = errorId
        default:
            break
        }
    }
}
