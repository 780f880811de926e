#if canImport(Security)
import Crypto
import Foundation
import Security

/// A backend in the keychain, which is readable while the device is locked if it was unlocked once since the restart.
///
/// All values are one keychain item, because only a single item changes atomically. An update replaces the item only if
/// it has not changed since the update read it, so no app overwrites another app's change. Apps of one team share the
/// item through an access group (API reference, storage generations 3.7 and later). Until the first unlock every call
/// throws `StorageError.locked`, which is not damage. On macOS a program needs an entitlement to use this backend, for
/// example that of its access groups. Without one, every call fails with `errSecMissingEntitlement` (-34018).
public final class KeychainStorage: StorageBackend, ForwardingStorage {
    let storage: any StorageBackend

    /// Opens a store.
    ///
    /// It reads and creates nothing before the first call.
    ///
    /// - Parameters:
    ///   - service: the name of the item.
    ///   - accessGroup: the group of apps that share the item, or nil for this app alone.
    ///   - staysOnDevice: a Boolean value that indicates whether a backup on another device omits the item.
    public init(service: String, accessGroup: String? = nil, staysOnDevice: Bool = false) {
        storage = SnapshotStorage([
            KeychainCarrier(service: service, accessGroup: accessGroup, staysOnDevice: staysOnDevice)
        ])
    }

    /// Returns a Boolean value that indicates whether this app's entitlement names an access group.
    ///
    /// - Parameter accessGroup: the group, with the team's id.
    public static func mayUse(_ accessGroup: String) -> Bool {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccessGroup: accessGroup, kSecUseDataProtectionKeychain: true,
        ]
        return SecItemCopyMatching(query as CFDictionary, nil) != errSecMissingEntitlement
    }
}

struct KeychainCarrier: SnapshotCarrier {
    let service: String
    let accessGroup: String?
    let staysOnDevice: Bool

    private var query: [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "entitlements",
            // On macOS, the older keychain ignores the access group and the accessibility. Other systems have only this
            // one.
            kSecUseDataProtectionKeychain: true,
        ]
        if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
        return query
    }

    func load() throws(StorageError) -> Data? {
        var query = query
        query[kSecReturnData] = true
        var item: CFTypeRef?
        // The system writes the reference, which is an object of its own.
        switch unsafe SecItemCopyMatching(query as CFDictionary, &item) {
        case errSecSuccess: return item as? Data
        case errSecItemNotFound: return nil
        case errSecInteractionNotAllowed: throw .locked
        case let status: throw .cannotRead(errno: status)
        }
    }

    /// Replaces the item that was read.
    ///
    /// The keychain replaces only items that match the query, and the query contains the mark of the item that was
    /// read, so no change is lost. An item of an earlier version has no mark, and is replaced once without one.
    func save(_ bytes: Data, insteadOf old: Data?) throws(StorageError) -> Bool {
        let change: [CFString: Any] = [
            kSecValueData: bytes, kSecAttrGeneric: Self.mark(bytes),
            kSecAttrAccessible: staysOnDevice
                ? kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly : kSecAttrAccessibleAfterFirstUnlock,
        ]
        guard let old else {
            switch SecItemAdd(query.merging(change) { $1 } as CFDictionary, nil) {
            case errSecSuccess: return true
            case errSecDuplicateItem: return false
            case let status: throw Self.failure(status)
            }
        }
        var marked = query
        marked[kSecAttrGeneric] = Self.mark(old)
        if try Self.replace(marked, change) { return true }
        return try hasMark() ? false : Self.replace(query, change)
    }

    /// Changes the item that matches a query, if there is one.
    private static func replace(_ query: [CFString: Any], _ change: [CFString: Any]) throws(StorageError) -> Bool {
        switch SecItemUpdate(query as CFDictionary, change as CFDictionary) {
        case errSecSuccess: return true
        case errSecItemNotFound: return false
        case let status: throw failure(status)
        }
    }

    /// Returns a Boolean value that indicates whether the stored item was written by a version that marks its items.
    private func hasMark() throws(StorageError) -> Bool {
        var query = query
        query[kSecReturnAttributes] = true
        var item: CFTypeRef?
        // The system writes the reference, which is an object of its own.
        switch unsafe SecItemCopyMatching(query as CFDictionary, &item) {
        case errSecSuccess: return (item as? [String: Any])?[kSecAttrGeneric as String] is Data
        case errSecItemNotFound: return true
        case let status: throw Self.failure(status)
        }
    }

    /// Returns a mark that distinguishes one state of the item from the next.
    private static func mark(_ bytes: Data) -> Data { Data(SHA256.hash(data: bytes)) }

    private static func failure(_ status: OSStatus) -> StorageError {
        status == errSecInteractionNotAllowed ? .locked : .cannotWrite(errno: status)
    }
}
#endif
