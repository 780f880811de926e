import Crypto
public import Foundation
import TVEModels

/// Keeps values sealed in another backend: nobody without the key can read, change or swap them unnoticed.
///
/// AES-256-GCM with a random nonce a value and the entry's key as associated data, so that a value moved to another entry
/// does not open. What is sealed are values; the names of entries stay readable. A value that does not open is
/// `StorageError.invalidValue`, never other bytes. An attacker who can write can still bring back an older state of the
/// whole store or of one entry.
public final class SealedStorage: StorageBackend {
    private let backend: any StorageBackend
    private let findKeys: @Sendable () throws(StorageError) -> [SealingKey]
    /// The keys once they were found.
    private let found = Guarded<[SealingKey]?>(nil)

    /// Layout (1 byte), which key (4), nonce (12), sealed bytes, tag (16).
    private static let layout: UInt8 = 1
    private static let nonceStart = 5

    /// Seals a backend.
    ///
    /// - Parameters:
    ///   - backend: where the sealed bytes go.
    ///   - key: seals, and opens what it sealed.
    ///   - olderKeys: open what was sealed before a rotation; see ``reseal()``.
    public init(_ backend: any StorageBackend, key: SealingKey, olderKeys: [SealingKey] = []) {
        self.backend = backend
        findKeys = { [key] + olderKeys }
    }

    /// Seals a backend with a key that is looked for when it is first needed, and again at every call until it is found.
    ///
    /// A key that cannot be had at the moment, in a keychain that is still locked for example, fails the call and changes
    /// nothing.
    ///
    /// - Parameters:
    ///   - backend: where the sealed bytes go.
    ///   - findKey: finds the key.
    public init(_ backend: any StorageBackend, findKey: @escaping @Sendable () throws(StorageError) -> SealingKey) {
        self.backend = backend
        findKeys = { () throws(StorageError) in [try findKey()] }
    }

    /// A sealed store in a directory, with its key in a file beside the log.
    ///
    /// The key is made with the first value. When values are there and the key is not, every call throws
    /// `StorageError.keyMissing`: a new key would open none of them.
    ///
    /// - Parameters:
    ///   - directory: a directory for this store alone; made with its parents when it is missing.
    ///   - key: the file with the key; `sealing.key` in the directory by default.
    /// - Returns: the store; nothing is read or created before the first call.
    public static func file(_ directory: URL, key: URL? = nil) -> SealedStorage {
        let file = FileStorage(directory: directory)
        let url = key ?? FileStorage.sealingKey(in: directory)
        return SealedStorage(file) { () throws(StorageError) in
            if let key = try SealingKey.existing(url) { return key }
            guard try file.keys(under: .everything).isEmpty else { throw .keyMissing }
            return try SealingKey.file(url)
        }
    }

    /// The opened value of a key.
    ///
    /// - Parameter key: which value.
    /// - Returns: the bytes, or nil when the key has no value.
    /// - Throws: `StorageError.invalidValue` for a value that none of the keys opens; any other of the backend's.
    public func value(for key: StorageKey) throws(StorageError) -> Data? {
        guard let sealed = try backend.value(for: key) else { return nil }
        return try open(sealed, key)
    }

    /// The opened values of several keys.
    ///
    /// - Parameter keys: which values.
    /// - Returns: for each key its bytes, nil without a value, or `StorageError.invalidValue`.
    /// - Throws: any of the backend's ``StorageError``s.
    public func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
        let sealed = try backend.values(for: keys)
        // A key that cannot be had now is not the values' fault.
        _ = try sealingKeys()
        var opened: [Result<Data?, StorageError>] = []
        opened.reserveCapacity(keys.count)
        for (key, value) in zip(keys, sealed) {
            do throws(StorageError) {
                let bytes = try value.get()
                opened.append(.success(try bytes.map { bytes throws(StorageError) in try open(bytes, key) }))
            } catch {
                opened.append(.failure(error))
            }
        }
        return opened
    }

    /// All keys that are this key or lie below it.
    ///
    /// - Parameter ancestor: where to look.
    /// - Returns: the keys that have values.
    /// - Throws: any of the backend's ``StorageError``s about reading.
    public func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try backend.keys(under: ancestor)
    }

    /// Makes all changes, with sealed values.
    ///
    /// - Parameter batch: the changes, made in order.
    /// - Throws: any of the backend's ``StorageError``s; nothing has changed then.
    public func apply(_ batch: [StorageChange]) throws(StorageError) {
        var sealed: [StorageChange] = []
        sealed.reserveCapacity(batch.count)
        for change in batch {
            switch change {
            case .put(let key, let value): sealed.append(.put(key, try seal(value, key)))
            case .putIfAbsent(let key, let value): sealed.append(.putIfAbsent(key, try seal(value, key)))
            case .remove, .removeAll: sealed.append(change)
            }
        }
        try backend.apply(sealed)
    }

    /// The sealed bytes of a value.
    ///
    /// - Parameter key: which value.
    /// - Returns: the bytes, or nil when the key has no value.
    /// - Throws: any of the backend's ``StorageError``s about reading.
    public func rawValue(for key: StorageKey) throws(StorageError) -> Data? { try backend.rawValue(for: key) }

    /// Whether what the backend keeps fits together.
    ///
    /// - Returns: nil when it does, else what is wrong.
    /// - Throws: any of the backend's ``StorageError``s about reading.
    public func damage() throws(StorageError) -> StorageError.Damage? { try backend.damage() }

    /// Removes everything from the backend.
    ///
    /// - Throws: any of the backend's ``StorageError``s.
    public func removeEverything() throws(StorageError) { try backend.removeEverything() }

    /// Seals every value that an older key sealed with the present one, after which the older keys can go.
    ///
    /// - Returns: how many values were sealed anew.
    /// - Throws: any ``StorageError``; `.invalidValue` for a value that no key opens, and nothing has changed then.
    @discardableResult
    public func reseal() throws(StorageError) -> Int {
        var batch: [StorageChange] = []
        let present = try sealingKeys()[0].identifier
        for key in try backend.keys(under: .everything) {
            guard let sealed = try backend.value(for: key), sealed.dropFirst().prefix(4) != present
            else { continue }
            batch.append(.put(key, try seal(try open(sealed, key), key)))
        }
        if !batch.isEmpty { try backend.apply(batch) }
        return batch.count
    }

    private func sealingKeys() throws(StorageError) -> [SealingKey] {
        try found.withLock { found throws(StorageError) in
            if let found { return found }
            let keys = try findKeys()
            found = keys
            return keys
        }
    }

    private func seal(_ value: Data, _ key: StorageKey) throws(StorageError) -> Data {
        let sealing = try sealingKeys()[0]
        do {
            let box = try AES.GCM.seal(value, using: sealing.key, authenticating: Data(key.rawValue.utf8))
            var bytes = Data(capacity: Self.nonceStart + 28 + value.count)
            bytes.append(Self.layout)
            bytes.append(sealing.identifier)
            bytes.append(contentsOf: box.nonce)
            bytes.append(box.ciphertext)
            bytes.append(box.tag)
            return bytes
        } catch {
            // Only a nonce of another length fails, and this one was made by the library.
            throw .invalidValue(key)
        }
    }

    private func open(_ sealed: Data, _ key: StorageKey) throws(StorageError) -> Data {
        let candidates = try sealingKeys()
        guard sealed.first == Self.layout,
            let with = candidates.first(where: { sealed.dropFirst().starts(with: $0.identifier) }),
            let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst(Self.nonceStart)),
            let value = try? AES.GCM.open(box, using: with.key, authenticating: Data(key.rawValue.utf8))
        else { throw .invalidValue(key) }
        return value
    }
}
