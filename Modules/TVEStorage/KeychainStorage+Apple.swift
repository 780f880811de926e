#if canImport(Security)
public import Foundation
import Security

/// A backend in the keychain, readable while the device is locked once it was unlocked after a restart.
///
/// All values are one keychain item, since only one item changes as a whole. Apps of one team share it through an access
/// group (API reference, storage generations 3.7 and later). Until the first unlock every call fails with
/// `StorageError.locked`, which is no damage.
public final class KeychainStorage: StorageBackend {
    private let storage: SnapshotStorage

    /// Opens a store; nothing is read or created before the first call.
    ///
    /// - Parameters:
    ///   - service: the name of the item.
    ///   - accessGroup: the group of apps that share it; nil for this app alone.
    public init(service: String, accessGroup: String? = nil) {
        storage = SnapshotStorage([KeychainCarrier(service: service, accessGroup: accessGroup)])
    }

    /// The value of a key.
    ///
    /// - Parameter key: which value.
    /// - Returns: the bytes, or nil when the key has no value.
    /// - Throws: any ``StorageError`` about reading.
    public func value(for key: StorageKey) throws(StorageError) -> Data? { try storage.value(for: key) }

    /// All keys that are this key or lie below it.
    ///
    /// - Parameter ancestor: where to look.
    /// - Returns: the keys that have values.
    /// - Throws: any ``StorageError`` about reading.
    public func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try storage.keys(under: ancestor)
    }

    /// Makes all changes, in order, or none.
    ///
    /// - Parameter batch: the changes.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func apply(_ batch: [StorageChange]) throws(StorageError) { try storage.apply(batch) }

    /// Whether the item's bytes fit together.
    ///
    /// - Returns: nil when they do, else what is wrong.
    /// - Throws: any ``StorageError`` about reading.
    public func damage() throws(StorageError) -> StorageError.Damage? { try storage.damage() }

    /// Removes everything, a damaged item included.
    ///
    /// - Throws: any ``StorageError``.
    public func removeEverything() throws(StorageError) { try storage.removeEverything() }
}

/// One item of the keychain.
struct KeychainCarrier: SnapshotCarrier {
    let service: String
    let accessGroup: String?

    private var query: [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "entitlements",
        ]
        if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
        return query
    }

    func load() throws(StorageError) -> Data? {
        var query = query
        query[kSecReturnData] = true
        var item: CFTypeRef?
        switch SecItemCopyMatching(query as CFDictionary, &item) {
        case errSecSuccess: return item as? Data
        case errSecItemNotFound: return nil
        case errSecInteractionNotAllowed: throw .locked
        case let status: throw .cannotRead(errno: status)
        }
    }

    func save(_ bytes: Data) throws(StorageError) {
        let change: [CFString: Any] = [
            kSecValueData: bytes, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
        ]
        switch SecItemUpdate(query as CFDictionary, change as CFDictionary) {
        case errSecSuccess: return
        case errSecItemNotFound:
            let status = SecItemAdd(query.merging(change) { $1 } as CFDictionary, nil)
            guard status == errSecSuccess else { throw Self.failure(status) }
        case let status: throw Self.failure(status)
        }
    }

    private static func failure(_ status: OSStatus) -> StorageError {
        status == errSecInteractionNotAllowed ? .locked : .cannotWrite(errno: status)
    }
}
#endif
