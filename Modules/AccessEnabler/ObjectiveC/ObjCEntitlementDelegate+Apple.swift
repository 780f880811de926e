#if canImport(ObjectiveC)
import Foundation

/// `EntitlementDelegate` under its documented selectors, for Objective-C; see the Swift protocol of that name.
@objc(EntitlementDelegate)
public protocol ObjCEntitlementDelegate: AnyObject {
    /// `setRequestor` has ended.
    @objc(setRequestorComplete:)
    func setRequestorComplete(_ status: Int32)
    /// Whether the viewer is logged in.
    @objc(setAuthenticationStatus:errorCode:)
    func setAuthenticationStatus(_ status: Int32, errorCode code: String)
    /// Asks the app to show a picker.
    @objc(displayProviderDialog:)
    func displayProviderDialog(_ mvpds: [Any])
    /// Asks the app to open a page.
    @objc(navigateToUrl:)
    func navigate(toUrl url: String)
    /// Asks the app to open a page with `SFSafariViewController`.
    @objc(navigateToUrl:useSVC:)
    optional func navigate(toUrl url: String, useSVC: Bool)
    /// Asks the app to show the platform's TV provider dialog.
    @objc(presentTvProviderDialog:)
    func presentTvProviderDialog(_ viewController: PlatformViewController)
    /// Asks the app to take the platform's TV provider dialog away.
    @objc(dismissTvProviderDialog:)
    func dismissTvProviderDialog(_ viewController: PlatformViewController)
    /// Answers `getSelectedProvider`.
    @objc(selectedProvider:)
    func selectedProvider(_ mvpd: ObjCMVPD?)
    /// The viewer may watch.
    @objc(setToken:forResource:)
    func setToken(_ token: String, forResource resource: String)
    /// The viewer may not watch, or it could not be found out.
    @objc(tokenRequestFailed:errorCode:errorDescription:)
    func tokenRequestFailed(_ resource: String, errorCode code: String, errorDescription description: String)
    /// Answers `checkPreauthorizedResources`.
    @objc(preauthorizedResources:)
    func preauthorizedResources(_ resources: [Any])
    /// Answers `getMetadata`.
    @objc(setMetadataStatus:encrypted:forKey:andArguments:)
    func setMetadataStatus(
        _ metadata: Any?, encrypted: Bool, forKey key: Int32, andArguments arguments: [AnyHashable: Any])
    /// Something to report to the app's analytics.
    @objc(sendTrackingData:forEventType:)
    func sendTrackingData(_ data: [Any], forEventType event: Int32)
}
#endif
