import TVEDeviceBinding
public import TVEFlowEngine
import TVEStorage

extension AccessEnabler {
    /// Where this system lets an app keep things, and lets apps of one team share them (API reference, storage generations): the
    /// keychain on iOS, user defaults on tvOS, which gives apps no place for files of their own, and a sealed file elsewhere.
    static func systemStorage(_ bundleID: String) -> any StorageBackend {
        #if os(tvOS)
        UserDefaultsStorage(suiteName: "\(bundleID).entitlements")
        #elseif canImport(Security) && !os(macOS)
        KeychainStorage(service: "tve.\(AppIdentity(bundleID: bundleID, teamID: "").vendorPrefix)")
        #else
        SealedStorage.file(FileStorage.defaultDirectory(name: bundleID))
        #endif
    }

    /// The system's own TV provider account, where it has one.
    public static var systemPlatform: (any PlatformSignOn)? {
        #if canImport(VideoSubscriberAccount) && !os(macOS)
        VideoSubscriberSignOn()
        #else
        nil
        #endif
    }

    /// The system's browser for providers that need Safari, where it has one.
    public static var systemBrowser: (any AutomaticBrowser)? {
        #if canImport(AuthenticationServices) && !os(macOS) && !os(tvOS)
        SystemBrowser()
        #else
        nil
        #endif
    }

    /// Writes what a session reports into the system's log, where it has one.
    static func log(_ event: SessionEvent) {
        #if canImport(os)
        SystemLog.record(event)
        #endif
    }
}
