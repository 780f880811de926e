/// Which app this is: its bundle id and the team that signs it.
public struct AppIdentity: Sendable, Hashable {
    /// Reverse-domain id of the app, for example `com.example.tv.Player`.
    public let bundleID: String
    /// Id of the development team, which decides who may share storage.
    public let teamID: String

    /// Names an app.
    ///
    /// - Parameters:
    ///   - bundleID: reverse-domain id of the app.
    ///   - teamID: id of the development team.
    public init(bundleID: String, teamID: String) {
        self.bundleID = bundleID
        self.teamID = teamID
    }

    /// The part of the bundle id that apps of one vendor share: all components but the last.
    ///
    /// An id of one component is used whole (single sign-on on iOS, device id since iOS 7).
    public var vendorPrefix: String {
        guard let lastDot = bundleID.lastIndex(of: "."), lastDot != bundleID.startIndex else { return bundleID }
        return String(bundleID[..<lastDot])
    }

    /// The keychain group of the team's apps with this vendor prefix, `TEAM.com.example.tv`; nil while the team is unknown.
    public var keychainGroup: String? { teamID.isEmpty ? nil : "\(teamID).\(vendorPrefix)" }
}
