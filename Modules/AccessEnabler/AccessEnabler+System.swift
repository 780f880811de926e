import TVEDeviceBinding
import TVEFlowEngine
import TVEStorage

extension AccessEnabler {
    /// Where this system lets an app store data and lets apps of one team share it (API reference, storage
    /// generations): the keychain on iOS, sealed user defaults on tvOS, where an app has no permanent files, and a sealed
    /// file elsewhere.
    ///
    /// - Parameter keychainGroup: the group that shares the keychain item; nil takes the group of team and vendor if
    ///   the app has the entitlement, else the first group of the app.
    static func systemStorage(_ app: AppIdentity, keychainGroup: String?) -> any StorageBackend {
        #if os(tvOS)
        // Everybody who reads a backup of the device reads its preferences, so they are sealed; the key is not in it.
        SealedStorage(
            UserDefaultsStorage(suiteName: "\(app.bundleID).entitlements"),
            keyIn: KeychainStorage(service: "tve.seal.\(app.bundleID)", staysOnDevice: true))
        #elseif canImport(Security) && !os(macOS)
        KeychainStorage(
            service: "tve.\(app.vendorPrefix)",
            accessGroup: keychainGroup ?? app.keychainGroup.flatMap { KeychainStorage.mayUse($0) ? $0 : nil })
        #else
        SealedStorage.file(FileStorage.defaultDirectory(name: app.bundleID))
        #endif
    }

    /// Where the device's first id is kept on systems whose own id may change: the keychain, which outlives the app and is
    /// left out where a backup is restored on another device; nil for the storage.
    static func identityStorage(_ app: AppIdentity, keychainGroup: String?) -> (any StorageBackend)? {
        #if canImport(Security) && !os(macOS)
        KeychainStorage(
            service: "tve.device.\(app.vendorPrefix)",
            accessGroup: keychainGroup ?? app.keychainGroup.flatMap { KeychainStorage.mayUse($0) ? $0 : nil },
            staysOnDevice: true)
        #else
        nil
        #endif
    }

    /// The system's browser for providers that need Safari; nil where the system has none.
    public static var systemBrowser: (any AutomaticBrowser)? {
        #if canImport(AuthenticationServices) && !os(macOS) && !os(tvOS)
        SystemBrowser()
        #else
        nil
        #endif
    }

    /// Writes what a session reports into the system's log, if the system has one.
    static func log(_ event: SessionEvent) {
        #if canImport(os)
        SystemLog.record(event)
        #endif
    }
}
