public import Foundation

/// Seals the values in another backend: without the key, values cannot be read, and changes and swaps are detected.
///
/// AES-256-GCM with a random nonce per value and the entry's key as associated data, so that a value moved to another
/// entry does not open. Only values are sealed; the names of entries stay readable. A value that does not open is
/// `StorageError.invalidValue`, never other bytes. An attacker who can write can still restore an older state of the
/// whole store or of one entry.
public final class SealedStorage: StorageBackend, ForwardingStorage {
    let storage: any StorageBackend
    private let keys: SealingKeySource
    private let opened = OpenedValues()

    /// Seals a backend.
    ///
    /// - Parameters:
    ///   - backend: where the sealed bytes go.
    ///   - key: seals new values, and opens those that it sealed.
    ///   - olderKeys: open values that were sealed before a rotation; see ``reseal(progress:)``.
    public init(_ backend: any StorageBackend, key: SealingKey, olderKeys: [SealingKey] = []) {
        storage = backend
        keys = SealingKeySource(.given([key] + olderKeys))
    }

    /// Seals a backend with a key that is looked up when it is first needed, and again at every call until it is found.
    ///
    /// If the key is temporarily unavailable, for example in a locked keychain, the call fails and changes nothing.
    ///
    /// - Parameters:
    ///   - backend: where the sealed bytes go.
    ///   - findKey: finds the key; it must not use this store or its backend, which would deadlock.
    public init(_ backend: any StorageBackend, findKey: @escaping @Sendable () throws(StorageError) -> SealingKey) {
        storage = backend
        keys = SealingKeySource(.found(findKey))
    }

    private init(_ backend: any StorageBackend, _ keys: SealingKeySource) {
        storage = backend
        self.keys = keys
    }

    /// A sealed store in a directory, with its key in a file beside the log.
    ///
    /// The key is created with the first value. When there are values but no key, every call throws
    /// `StorageError.keyMissing`: a new key would open none of them.
    ///
    /// - Parameters:
    ///   - directory: a directory for this store alone; created with its parents when it is missing.
    ///   - key: the file with the key; `sealing.key` in the directory by default.
    /// - Returns: the store; nothing is read or created before the first call.
    public static func file(_ directory: URL, key: URL? = nil) -> SealedStorage {
        file(FileStorage(directory: directory), key ?? FileStorage.sealingKey(in: directory))
    }

    /// A sealed store over a log, with its key in a file.
    package static func file(_ log: FileStorage, _ key: URL) -> SealedStorage {
        SealedStorage(log, SealingKeySource(.file(SealingKeyFile(key, log.system))))
    }

    /// The opened value of a key.
    ///
    /// - Throws: `StorageError.invalidValue` for a value that none of the keys opens; any other of the backend's.
    public func value(for key: StorageKey) throws(StorageError) -> Data? {
        let revision = try storage.revision()
        if let revision, let known = opened.value(for: key, as: revision) { return known }
        let value = try reading.value(for: key)
        if let revision { opened.keep(value, for: key, as: revision) }
        return value
    }

    /// The opened values of several keys.
    public func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
        try reading.values(for: keys)
    }

    /// Reads opened values, decides, and makes the changes with sealed ones.
    public func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        let keys = keys
        // Found before the backend's lock is taken, because finding a key may take any time.
        _ = try? keys.keys()
        try storage.update { present throws(StorageError) in
            var sealed: [StorageChange] = []
            for change in try body(SealedReading(sealed: present, keys: keys)) {
                switch change {
                case .put(let key, let value):
                    sealed.append(.put(key, try SealedValue.seal(value, key, with: keys.sealingKey(in: present))))
                case .putIfAbsent(let key, let value):
                    let value = try SealedValue.seal(value, key, with: keys.sealingKey(in: present))
                    sealed.append(.putIfAbsent(key, value))
                case .remove, .removeAll: sealed.append(change)
                }
            }
            return sealed
        }
    }

    /// Whether the backend returns what was written, and a sealed value opens.
    ///
    /// - Throws: any of the backend's ``StorageError``s, or any error of finding the key.
    public func probe() throws(StorageError) -> Bool {
        guard try storage.probe() else { return false }
        let sealing: SealingKey?
        do throws(StorageError) {
            sealing = try keys.keys().first
        } catch .keyMissing {
            // The key is created with the first value.
            guard try storage.keys(under: .everything).isEmpty else { throw .keyMissing }
            return true
        }
        guard let sealing else { return false }
        let (key, value) = (StorageKey("probe"), Data("probe".utf8))
        return try SealedValue.open(SealedValue.seal(value, key, with: sealing), key, with: [sealing]).get() == value
    }

    /// Reseals every value that an older key sealed with the current key; afterwards the older keys can be removed.
    ///
    /// - Parameter progress: called now and then with the number of checked values and of all values, on the thread
    ///   that reseals.
    /// - Returns: how many values were resealed.
    /// - Throws: any ``StorageError``: `.invalidValue` for a value that its key does not open, `.keyMissing` for a
    ///   value of an unknown key; then nothing has changed.
    @discardableResult
    public func reseal(progress: EntitlementStore.Progress? = nil) throws(StorageError) -> Int {
        let keys = keys
        return try storage.updating { present throws(StorageError) in
            var batch: [StorageChange] = []
            let all = try present.keys(under: .everything)
            for (number, key) in all.enumerated() {
                if (number + 1).isMultiple(of: 256) || number + 1 == all.count { progress?(number + 1, all.count) }
                guard let sealed = try present.value(for: key) else { continue }
                let sealing = try keys.sealingKey(in: present)
                guard !SealedValue.isSealed(sealed, with: sealing) else { continue }
                let value = try SealedReading(sealed: present, keys: keys).open(sealed, key).get()
                batch.append(.put(key, try SealedValue.seal(value, key, with: sealing)))
            }
            return (batch, batch.count)
        }
    }

    private var reading: SealedReading { SealedReading(sealed: storage, keys: keys) }
}
