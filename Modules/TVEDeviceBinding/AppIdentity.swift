import Foundation
import TVEModels

/// The identity of an app: its bundle id and the team that signs it.
public struct AppIdentity: Sendable, Hashable {
    /// The reverse-domain id of the app, for example `com.example.tv.Player`.
    public let bundleID: String
    /// The id of the development team, which determines which apps may share storage.
    public let teamID: String

    /// Creates the identity of an app.
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
    /// A bundle id with a single component is used as a whole (single sign-on on iOS, device id since iOS 7).
    public var vendorPrefix: String {
        guard let vendor = bundleID.dividedAtLast(".")?.before, !vendor.isEmpty else { return bundleID }
        return String(vendor)
    }

    /// The keychain group of the team's apps with this vendor prefix, for example `TEAM.com.example.tv`, or nil while
    /// the team is unknown.
    public var keychainGroup: String? { teamID.isEmpty ? nil : "\(teamID).\(vendorPrefix)" }
}

extension AppIdentity {
    /// The identity of the running app, taken from its bundle.
    ///
    /// For a program without a bundle, the bundle id is the process name.
    ///
    /// The team id is known if the app's Info.plist has the key `AppIdentifierPrefix` with the value
    /// `$(AppIdentifierPrefix)`.
    public static var main: AppIdentity {
        AppIdentity(
            bundleID: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName,
            identifierPrefix: Bundle.main.object(forInfoDictionaryKey: "AppIdentifierPrefix"))
    }

    /// Creates the identity of an app from the team's prefix in its Info.plist, which ends with a dot.
    ///
    /// If the build has not replaced `$(AppIdentifierPrefix)`, the team is unknown.
    package init(bundleID: String, identifierPrefix: Any?) {
        let prefix = identifierPrefix as? String ?? ""
        let teamID = prefix.hasByteSuffix(".") ? String(decoding: prefix.utf8.dropLast(), as: UTF8.self) : prefix
        self.init(bundleID: bundleID, teamID: teamID.utf8.first == UInt8(ascii: "$") ? "" : teamID)
    }
}
