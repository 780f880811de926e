#if canImport(Security)
import Crypto
import Foundation
import Security

/// A backend in the keychain, readable while the device is locked if it was unlocked once since the restart.
///
/// All values are one keychain item, because only one item changes atomically. It is replaced only if it is still the
/// item that an update was decided on, so no app's change overwrites another's. Apps of one team share it through an
/// access group (API reference, storage generations 3.7 and later). Until the first unlock every call fails with
/// `StorageError.locked`, which is not damage. On macOS a program needs an entitlement for it, for example that of its
/// access groups; without one every call fails with `errSecMissingEntitlement` (-34018).
public final class KeychainStorage: StorageBackend, ForwardingStorage {
    let storage: any StorageBackend

    /// Opens a store; nothing is read or created before the first call.
    ///
    /// - Parameters:
    ///   - service: the name of the item.
    ///   - accessGroup: the group of apps that share it; nil for this app alone.
    ///   - staysOnDevice: whether a backup that is restored on another device leaves it out.
    public init(service: String, accessGroup: String? = nil, staysOnDevice: Bool = false) {
        storage = SnapshotStorage([
            KeychainCarrier(service: service, accessGroup: accessGroup, staysOnDevice: staysOnDevice)
        ])
    }

    /// Whether this app may use an access group: whether its entitlement names the group.
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
            // On macOS the older keychain would ignore access group and accessibility. Others have only this one.
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
    /// The keychain replaces only what its query finds, and the query contains the item's mark, so no change is lost.
    /// An item of an earlier version has no mark and is replaced once without one.
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

    /// Changes the item that a query finds, if there is one.
    private static func replace(_ query: [CFString: Any], _ change: [CFString: Any]) throws(StorageError) -> Bool {
        switch SecItemUpdate(query as CFDictionary, change as CFDictionary) {
        case errSecSuccess: return true
        case errSecItemNotFound: return false
        case let status: throw failure(status)
        }
    }

    /// Whether the stored item was written by a version that marks its items.
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

    /// Distinguishes one state of the item from the next.
    private static func mark(_ bytes: Data) -> Data { Data(SHA256.hash(data: bytes)) }

    private static func failure(_ status: OSStatus) -> StorageError {
        status == errSecInteractionNotAllowed ? .locked : .cannotWrite(errno: status)
    }
}
#endif
