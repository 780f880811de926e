import Foundation

extension AppIdentity {
    /// The running app as its bundle describes it; a program without a bundle has the name of its process.
    ///
    /// The team's id is known where the app's Info.plist has the key `AppIdentifierPrefix` with the value `$(AppIdentifierPrefix)`.
    public static var main: AppIdentity {
        let prefix = Bundle.main.object(forInfoDictionaryKey: "AppIdentifierPrefix") as? String ?? ""
        return AppIdentity(
            bundleID: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName,
            teamID: prefix.hasSuffix(".") ? String(prefix.dropLast()) : prefix)
    }
}
