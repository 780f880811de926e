import TVEDeviceBinding
import TVEFlowEngine
import TVEStorage

extension AccessEnabler {
    /// Returns the usual storage of an app on this system (API reference, storage generations).
    ///
    /// It is the keychain on iOS, where apps of one team can share it, sealed user defaults on tvOS, where an app has
    /// no permanent files, and a sealed file of this app on other systems.
    ///
    /// - Parameter keychainGroup: the group that shares the keychain item. Pass nil to use the group of the team and
    ///   the vendor if the app has the entitlement, or otherwise the first group of the app.
    static func systemStorage(_ app: AppIdentity, keychainGroup: String?) -> any StorageBackend {
        #if os(tvOS)
        // Everybody who reads a backup of the device reads its preferences, so they are sealed; the key is not in it.
        SealedStorage(
            UserDefaultsStorage(suiteName: "\(app.bundleID).entitlements"),
            keyIn: KeychainStorage(service: "tve.seal.\(app.bundleID)", staysOnDevice: true))
        #elseif canImport(Security) && !os(macOS)
        keychain("tve.\(app.vendorPrefix)", of: app, group: keychainGroup)
        #else
        SealedStorage.file(FileStorage.defaultDirectory(name: app.bundleID))
        #endif
    }

    /// Returns the storage for the device's first identifier on systems whose own identifier may change, or nil to use
    /// the storage for entitlements.
    ///
    /// It is the keychain, whose items survive the removal of the app. The item is not restored from a backup to
    /// another device.
    static func identityStorage(_ app: AppIdentity, keychainGroup: String?) -> (any StorageBackend)? {
        #if canImport(Security) && !os(macOS)
        keychain("tve.device.\(app.vendorPrefix)", of: app, group: keychainGroup, staysOnDevice: true)
        #else
        nil
        #endif
    }

    #if canImport(Security) && !os(macOS)
    /// Opens an item of the keychain in a group, or in the group of the team and the vendor if the app has it.
    ///
    /// An app without the entitlement stores its items in a group of its own. If an update of the app adds the
    /// entitlement, what is stored there moves into the group.
    private static func keychain(
        _ service: String, of app: AppIdentity, group named: String?, staysOnDevice: Bool = false
    ) -> KeychainStorage {
        guard let group = named ?? app.keychainGroup.flatMap({ KeychainStorage.mayUse($0) ? $0 : nil }) else {
            return KeychainStorage(service: service, staysOnDevice: staysOnDevice)
        }
        // Every group begins with the team's id, which is known from nothing else if Info.plist does not name it.
        let team = String(decoding: group.utf8.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self)
        let own = "\(team).\(app.bundleID)"
        if own.utf8.elementsEqual(group.utf8) {
            return KeychainStorage(service: service, accessGroup: group, staysOnDevice: staysOnDevice)
        }
        return KeychainStorage(service: service, accessGroup: group, takingOver: own, staysOnDevice: staysOnDevice)
    }
    #endif

    /// The system's browser for providers that need Safari, or nil where the system has none.
    public static var systemBrowser: (any AutomaticBrowser)? {
        #if canImport(AuthenticationServices) && !os(macOS) && !os(tvOS)
        SystemBrowser()
        #else
        nil
        #endif
    }

    /// Writes a session's event to the system's log, if the system has one.
    static func log(_ event: SessionEvent) {
        #if canImport(os)
        SystemLog.record(event)
        #endif
    }
}
