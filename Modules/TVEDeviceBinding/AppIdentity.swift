import Foundation
import TVEModels

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
        guard let vendor = bundleID.dividedAtLast(".")?.before, !vendor.isEmpty else { return bundleID }
        return String(vendor)
    }

    /// The keychain group of the team's apps with this vendor prefix, `TEAM.com.example.tv`; nil while the team is unknown.
    public var keychainGroup: String? { teamID.isEmpty ? nil : "\(teamID).\(vendorPrefix)" }
}

extension AppIdentity {
    /// The running app as its bundle describes it; a program without a bundle has the name of its process.
    ///
    /// The team's id is known where the app's Info.plist has the key `AppIdentifierPrefix` with the value `$(AppIdentifierPrefix)`.
    public static var main: AppIdentity {
        AppIdentity(
            bundleID: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName,
            identifierPrefix: Bundle.main.object(forInfoDictionaryKey: "AppIdentifierPrefix"))
    }

    /// Names an app by the team's prefix in its Info.plist, which ends in a dot.
    ///
    /// Where the build has not replaced `$(AppIdentifierPrefix)` the team is unknown.
    package init(bundleID: String, identifierPrefix: Any?) {
        let prefix = identifierPrefix as? String ?? ""
        let teamID = prefix.hasByteSuffix(".") ? String(decoding: prefix.utf8.dropLast(), as: UTF8.self) : prefix
        self.init(bundleID: bundleID, teamID: teamID.utf8.first == UInt8(ascii: "$") ? "" : teamID)
    }
}
