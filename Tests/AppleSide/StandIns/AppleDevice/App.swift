// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// An app as the system knows it: its developer, its entitlements and its Info.plist.
public struct App: Sendable, Hashable {
    public var bundleID: String
    public var teamID: String
    /// The groups of the entitlement `keychain-access-groups`, without the team's prefix.
    public var keychainGroups: [String]
    /// The texts of its Info.plist by key.
    public var infoPlist = ["NSVideoSubscriberAccountUsageDescription": "So that you need not type a password."]
    /// The domains of its entitlement `com.apple.developer.associated-domains` with the service `webcredentials`.
    public var credentialDomains: Set<String> = []
    /// Whether it has the entitlement `com.apple.developer.video-subscriber-single-sign-on`.
    public var maySignOn = true
    /// Whether it is signed with an application id: without one, as in a test without a host, it has no keychain.
    public var hasKeychain = true
    /// Whether it came from the App Store; other apps come from Xcode or an enterprise.
    public var isFromAppStore: Bool

    public init(_ bundleID: String, team teamID: String, keychainGroups: [String] = [], isFromAppStore: Bool = false) {
        self.bundleID = bundleID
        self.teamID = teamID
        self.keychainGroups = keychainGroups
        self.isFromAppStore = isFromAppStore
    }

    /// The access groups in their order; new items go into the first.
    ///
    /// Source: developer.apple.com/documentation/security/ksecattraccessgroup (the entitlement's strings, then the
    /// app's id, then app groups, which nothing here uses) and
    /// …/security/sharing-access-to-keychain-items-among-a-collection-of-apps (the first of them is the default). The
    /// entitlement's strings begin with the team's id.
    public var accessGroups: [String] { keychainGroups.map { "\(teamID).\($0)" } + ["\(teamID).\(bundleID)"] }

    /// The app's vendor for `identifierForVendor`.
    ///
    /// Source: developer.apple.com/documentation/uikit/uidevice/identifierforvendor: data of the App Store, taken here
    /// to be the team; otherwise all components of the bundle id but the last, or the only component.
    public var vendor: String {
        if isFromAppStore { return "team \(teamID)" }
        let components = bundleID.split(separator: ".", omittingEmptySubsequences: false)
        return components.count > 1 ? components.dropLast().joined(separator: ".") : bundleID
    }
}
