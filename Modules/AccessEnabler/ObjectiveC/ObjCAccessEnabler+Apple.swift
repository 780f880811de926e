#if canImport(ObjectiveC)
public import Foundation

/// `AccessEnabler` under its documented selectors, for Objective-C; see the Swift class of that name.
///
/// Delegates are held weakly and called on the main queue; set them there.
@objc(AccessEnabler)
public final class ObjCAccessEnabler: NSObject {
    private let enabler: AccessEnabler
    private let delegates = ObjCDelegates()

    /// Makes an access enabler.
    @objc(init:)
    public init(_ softwareStatement: String) {
        enabler = AccessEnabler(softwareStatement)
        super.init()
        connect()
    }

    /// Makes an access enabler that looks at what is stored before it uses it: 0 not at all, 1 everything, 2 clears.
    @objc(initWithStorageCheck:softwareStatement:)
    public init(storageCheck: Int, softwareStatement: String) {
        enabler = AccessEnabler(
            storageCheck: IntegrityCheckType(rawValue: storageCheck) ?? .INTEGRITY_CHECK_NONE,
            softwareStatement: softwareStatement)
        super.init()
        connect()
    }

    /// Makes an access enabler that speaks REST API v2, which wants a statement of its own; checks as above.
    @objc(initWithRESTv2StorageCheck:softwareStatement:)
    public init(restV2StorageCheck storageCheck: Int, softwareStatement: String) {
        enabler = AccessEnabler(
            storageCheck: IntegrityCheckType(rawValue: storageCheck) ?? .INTEGRITY_CHECK_NONE,
            softwareStatement: softwareStatement, service: .restV2)
        super.init()
        connect()
    }

    private func connect() {
        enabler.delegate = delegates
        enabler.statusDelegate = delegates
    }

    /// Receives results.
    @objc public var delegate: (any ObjCEntitlementDelegate)? {
        get { delegates.delegate }
        set { delegates.delegate = newValue }
    }

    /// Receives advanced status codes.
    @objc public var statusDelegate: (any ObjCEntitlementStatus)? {
        get { delegates.statusDelegate }
        set { delegates.statusDelegate = newValue }
    }

    /// Takes options.
    @objc(setOptions:) public func setOptions(_ options: [AnyHashable: Any]) { enabler.setOptions(options) }

    /// Establishes the requestor.
    @objc(setRequestor:) public func setRequestor(_ requestorID: String) { enabler.setRequestor(requestorID) }

    /// Establishes the requestor at services of choice.
    @objc(setRequestor:serviceProviders:)
    public func setRequestor(_ requestorID: String, serviceProviders: [Any]?) {
        enabler.setRequestor(requestorID, serviceProviders: serviceProviders)
    }

    /// Establishes the requestor; the signature is not used.
    @objc(setRequestor:setSignedRequestorId:)
    public func setRequestor(_ requestorID: String, setSignedRequestorId signed: String?) {
        enabler.setRequestor(requestorID)
    }

    /// Establishes the requestor at services of choice; the signature is not used.
    @objc(setRequestor:setSignedRequestorId:serviceProviders:)
    public func setRequestor(_ requestorID: String, setSignedRequestorId signed: String?, serviceProviders: [Any]?) {
        enabler.setRequestor(requestorID, serviceProviders: serviceProviders)
    }

    /// Asks whether the viewer is logged in.
    @objc(checkAuthentication) public func checkAuthentication() { enabler.checkAuthentication() }

    /// Logs the viewer in unless somebody is.
    @objc(getAuthentication) public func getAuthentication() { enabler.getAuthentication() }

    /// Logs the viewer in.
    @objc(getAuthentication:withData:)
    public func getAuthentication(_ forceAuthn: Bool, withData data: [AnyHashable: Any]?) {
        enabler.getAuthentication(forceAuthn, withData: data)
    }

    /// Logs the viewer in unless somebody is.
    @objc(getAuthentication:)
    public func getAuthentication(_ filter: [AnyHashable: Any]?) { enabler.getAuthentication(filter) }

    /// Logs the viewer in.
    @objc(getAuthentication:withData:andFilter:)
    public func getAuthentication(
        _ forceAuthn: Bool, withData data: [AnyHashable: Any]?, andFilter filter: [AnyHashable: Any]?
    ) {
        enabler.getAuthentication(forceAuthn, withData: data, andFilter: filter)
    }

    /// Answers `displayProviderDialog:`, cancels a login with nil, or chooses the provider of the next login.
    @objc(setSelectedProvider:)
    public func setSelectedProvider(_ mvpdID: String?) { enabler.setSelectedProvider(mvpdID) }

    /// Asks for the remembered provider.
    @objc(getSelectedProvider) public func getSelectedProvider() { enabler.getSelectedProvider() }

    /// Finishes the login or logout whose page has reached the redirect.
    @objc(handleExternalURL:) public func handleExternalURL(_ url: String?) { enabler.handleExternalURL(url) }

    /// Asks for a media token without ever starting a login.
    @objc(checkAuthorization:) public func checkAuthorization(_ resource: String?) {
        enabler.checkAuthorization(resource)
    }

    /// Asks for a media token without ever starting a login.
    @objc(checkAuthorization:withData:)
    public func checkAuthorization(_ resource: String?, withData data: [AnyHashable: Any]?) {
        enabler.checkAuthorization(resource, withData: data)
    }

    /// Asks for a media token, logging the viewer in first if needed.
    @objc(getAuthorization:) public func getAuthorization(_ resource: String?) { enabler.getAuthorization(resource) }

    /// Asks for a media token, logging the viewer in first if needed.
    @objc(getAuthorization:withData:)
    public func getAuthorization(_ resource: String?, withData data: [AnyHashable: Any]?) {
        enabler.getAuthorization(resource, withData: data)
    }

    /// Asks which resources the viewer would be allowed to watch.
    @objc(checkPreauthorizedResources:)
    public func checkPreauthorizedResources(_ resources: [Any]?) { enabler.checkPreauthorizedResources(resources) }

    /// Asks which resources the viewer would be allowed to watch.
    @objc(checkPreauthorizedResources:cache:)
    public func checkPreauthorizedResources(_ resources: [Any]?, cache: Bool) {
        enabler.checkPreauthorizedResources(resources, cache: cache)
    }

    /// Asks about the viewer or this device.
    @objc(getMetadata:) public func getMetadata(_ key: [AnyHashable: Any]?) { enabler.getMetadata(key) }

    /// Logs out.
    @objc(logout) public func logout() { enabler.logout() }

    /// Whether a URL is one at which logins and logouts end.
    @objc(canHandle:) public func canHandle(_ url: String?) -> Bool { enabler.canHandle(url) }
}
#endif
