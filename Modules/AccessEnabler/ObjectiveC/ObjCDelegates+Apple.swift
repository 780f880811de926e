#if canImport(ObjectiveC)
import Foundation

/// Hands callbacks on to delegates that are written in Objective-C.
///
/// Unchecked, because the app's delegates are not `Sendable`: they are set and called on the run of callbacks alone.
final class ObjCDelegates: EntitlementDelegate, EntitlementStatus, @unchecked Sendable {
    weak var delegate: (any ObjCEntitlementDelegate)?
    weak var statusDelegate: (any ObjCEntitlementStatus)?

    func setRequestorComplete(_ status: Int32) { delegate?.setRequestorComplete(status) }

    func setAuthenticationStatus(_ status: Int32, errorCode code: String!) {
        delegate?.setAuthenticationStatus(status, errorCode: code ?? "")
    }

    func displayProviderDialog(_ mvpds: [Any]!) {
        delegate?.displayProviderDialog((mvpds ?? []).compactMap { ($0 as? MVPD).map(ObjCMVPD.init) })
    }

    func navigate(toUrl url: String!) { delegate?.navigate(toUrl: url ?? "") }

    func navigate(toUrl url: String!, useSVC: Bool) {
        // The one method that an app may leave out.
        if delegate?.navigate?(toUrl: url ?? "", useSVC: useSVC) == nil { delegate?.navigate(toUrl: url ?? "") }
    }

    func presentTvProviderDialog(_ viewController: PlatformViewController!) {
        if let viewController { delegate?.presentTvProviderDialog(viewController) }
    }

    func dismissTvProviderDialog(_ viewController: PlatformViewController!) {
        if let viewController { delegate?.dismissTvProviderDialog(viewController) }
    }

    func selectedProvider(_ mvpd: MVPD!) { delegate?.selectedProvider(mvpd.map(ObjCMVPD.init)) }

    func setToken(_ token: String!, forResource resource: String!) {
        delegate?.setToken(token ?? "", forResource: resource ?? "")
    }

    func tokenRequestFailed(_ resource: String!, errorCode code: String!, errorDescription description: String!) {
        delegate?.tokenRequestFailed(resource ?? "", errorCode: code ?? "", errorDescription: description ?? "")
    }

    func preauthorizedResources(_ resources: [Any]!) { delegate?.preauthorizedResources(resources ?? []) }

    func setMetadataStatus(
        _ metadata: Any!, encrypted: Bool, forKey key: Int32, andArguments arguments: [AnyHashable: Any]!
    ) {
        delegate?.setMetadataStatus(metadata, encrypted: encrypted, forKey: key, andArguments: arguments ?? [:])
    }

    func sendTrackingData(_ data: [Any]!, forEventType event: Int32) {
        delegate?.sendTrackingData(data ?? [], forEventType: event)
    }

    func status(_ statusDictionary: [AnyHashable: Any]!) { statusDelegate?.status(statusDictionary ?? [:]) }
}
#endif
