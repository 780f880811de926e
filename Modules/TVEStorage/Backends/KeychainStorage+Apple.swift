#if canImport(Security)
import Crypto
import Foundation
import Security
import TVEModels

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
    ///   - accessGroup: the group of apps that share the item, or nil for the first group of the app, which other apps
    ///     may have too. The group of the app alone is the team's id, a dot and the bundle id.
    ///   - staysOnDevice: a Boolean value that indicates whether the item is left out when a backup is restored to
    ///     another device.
    public init(service: String, accessGroup: String? = nil, staysOnDevice: Bool = false) {
        storage = SnapshotStorage([
            KeychainSnapshotItem(service: service, accessGroup: accessGroup, staysOnDevice: staysOnDevice)
        ])
    }

    /// Opens a store in an access group, and moves the values of the app's own item into the group's item.
    ///
    /// - Parameters:
    ///   - service: the name of both items.
    ///   - accessGroup: the group of apps that share the item.
    ///   - formerGroup: the group of the app alone. Its item is removed once its values are in the shared item, and a
    ///     value that the shared item has already remains.
    ///   - staysOnDevice: a Boolean value that indicates whether a backup on another device omits the shared item.
    package init(service: String, accessGroup: String, takingOver formerGroup: String, staysOnDevice: Bool) {
        func item(in group: String) -> KeychainSnapshotItem {
            KeychainSnapshotItem(service: service, accessGroup: group, staysOnDevice: staysOnDevice)
        }
        storage = SnapshotStorage([
            SharedKeychainSnapshotItem(shared: item(in: accessGroup), own: item(in: formerGroup))
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

struct KeychainSnapshotItem: SnapshotItem {
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
        // An item without bytes still exists, so no other item can be added under its name.
        case errSecSuccess: return item as? Data ?? Data()
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

    /// Removes the item, if there is one.
    func remove() throws(StorageError) {
        let status = SecItemDelete(query as CFDictionary)
        guard [errSecSuccess, errSecItemNotFound].contains(status) else { throw Self.failure(status) }
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

/// An item that apps share, and an item of this app alone, whose values move into the shared one.
private struct SharedKeychainSnapshotItem: SnapshotItem {
    let shared: KeychainSnapshotItem
    let own: KeychainSnapshotItem
    /// A Boolean value that indicates whether the app's own item is known not to exist any more.
    private let isMoved: Guarded<Bool>

    init(shared: KeychainSnapshotItem, own: KeychainSnapshotItem) {
        self.shared = shared
        self.own = own
        isMoved = Guarded(false)
    }

    func load() throws(StorageError) -> Data? {
        for _ in 0..<SnapshotStorage.mostAttempts {
            var bytes = try shared.load()
            if isMoved.withLock(\.self) { return bytes }
            if let former = try ownBytes() {
                // Both items stay as they are if one of them is damaged or has a newer layout.
                guard let merged = Self.merged(former, into: bytes) else { return bytes }
                // If another process has changed the shared item in the meantime, everything begins again.
                guard try shared.save(merged, insteadOf: bytes) else { continue }
                // An interruption at this point leaves the values in both items, and loses none.
                try own.remove()
                bytes = merged
            }
            isMoved.withLock { $0 = true }
            return bytes
        }
        throw .locked
    }

    func save(_ bytes: Data, insteadOf old: Data?) throws(StorageError) -> Bool {
        try shared.save(bytes, insteadOf: old)
    }

    /// Returns the bytes of the app's own item, or nil if there are none or the group is not the app's.
    private func ownBytes() throws(StorageError) -> Data? {
        do throws(StorageError) {
            return try own.load()
        } catch .cannotRead(errno: errSecMissingEntitlement) {
            return nil
        }
    }

    /// Returns a snapshot with the values of both items, or nil if one of them is unreadable.
    ///
    /// If both have a value of one key, the shared one stays.
    private static func merged(_ former: Data, into present: Data?) -> Data? {
        do throws(StorageError) {
            var snapshot = Snapshot()
            if let present { snapshot = try Snapshot(present) }
            for (key, value) in try Snapshot(former).values { snapshot.values.apply(.putIfAbsent(key, value)) }
            snapshot.generation &+= 1
            return snapshot.bytes
        } catch {
            return nil
        }
    }
}
#endif
