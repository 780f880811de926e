// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The facts about an app that the system knows: its developer, its entitlements and its Info.plist.
public struct App: Sendable, Hashable {
    public var bundleID: String
    public var teamID: String
    /// The groups of the entitlement `keychain-access-groups`, without the team's prefix.
    public var keychainGroups: [String]
    /// The texts in the app's Info.plist, by key.
    public var infoPlist = ["NSVideoSubscriberAccountUsageDescription": "So that you need not type a password."]
    /// The domains in the app's entitlement `com.apple.developer.associated-domains` with the service `webcredentials`.
    public var credentialDomains: Set<String> = []
    /// A Boolean value that indicates whether the app has the entitlement
    /// `com.apple.developer.video-subscriber-single-sign-on`.
    public var maySignOn = true
    /// A Boolean value that indicates whether the app is signed with an application id.
    ///
    /// Without one, as in a test without a host app, it has no keychain.
    public var hasKeychain = true
    /// A Boolean value that indicates whether the app came from the App Store, instead of Xcode or an enterprise.
    public var isFromAppStore: Bool

    public init(_ bundleID: String, team teamID: String, keychainGroups: [String] = [], isFromAppStore: Bool = false) {
        self.bundleID = bundleID
        self.teamID = teamID
        self.keychainGroups = keychainGroups
        self.isFromAppStore = isFromAppStore
    }

    /// The access groups in their order, of which the first one receives new items.
    ///
    /// Sources: developer.apple.com/documentation/security/ksecattraccessgroup (the strings in the entitlement, then
    /// the app's id, then app groups, which nothing here uses) and
    /// …/security/sharing-access-to-keychain-items-among-a-collection-of-apps (the first of them is the default). The
    /// strings in the entitlement begin with the team's id.
    public var accessGroups: [String] { keychainGroups.map { "\(teamID).\($0)" } + ["\(teamID).\(bundleID)"] }

    /// Returns the reason for which the system's browser refuses a callback at a host that is not one of
    /// ``credentialDomains``.
    public func refusal(ofCallbackAt host: String) -> String {
        "Application with identifier \(bundleID) is not associated with domain \(host). "
            + "Using HTTPS callbacks requires Associated Domains using the `webcredentials` service type for \(host)."
    }

    /// The app's vendor for `identifierForVendor`.
    ///
    /// Source: developer.apple.com/documentation/uikit/uidevice/identifierforvendor. The App Store provides the vendor,
    /// which is taken to be the team here. For other apps it is the bundle id without its last component, or the only
    /// component.
    public var vendor: String {
        if isFromAppStore { return "team \(teamID)" }
        let components = bundleID.split(separator: ".", omittingEmptySubsequences: false)
        return components.count > 1 ? components.dropLast().joined(separator: ".") : bundleID
    }
}
