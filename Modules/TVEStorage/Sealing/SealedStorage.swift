public import Foundation

/// A backend that seals the values in another backend, so that they are unreadable without the key, and changes are
/// detected.
///
/// Values are sealed by AES-256-GCM with a random nonce per value and the entry's key as associated data, so a value
/// that was moved to another entry does not open. Only values are sealed, and the names of entries remain readable. A
/// value that does not open causes `StorageError.invalidValue` and never returns other bytes. An attacker with write
/// access can still restore an older state of the whole store or of one entry.
public final class SealedStorage: StorageBackend, ForwardingStorage {
    let storage: any StorageBackend
    private let keys: SealingKeySource
    private let opened = OpenedValues()

    /// Seals a backend.
    ///
    /// - Parameters:
    ///   - backend: the place that stores the sealed bytes.
    ///   - key: the key that seals new values and opens the values that it sealed.
    ///   - olderKeys: the keys that open values sealed before a rotation; see ``reseal(progress:)``.
    public init(_ backend: any StorageBackend, key: SealingKey, olderKeys: [SealingKey] = []) {
        storage = backend
        keys = SealingKeySource(.given([key] + olderKeys))
    }

    /// Seals a backend with a key that is looked up when it is first needed.
    ///
    /// If the key is temporarily unavailable, for example in a locked keychain, the call fails and changes nothing, and
    /// the next one looks the key up again. So does a call that reads a value of another key, because another process
    /// may have replaced the key. The keys that were found before still open values.
    ///
    /// - Parameters:
    ///   - backend: the place that stores the sealed bytes.
    ///   - findKey: finds the key. It must not use this store or its backend, which would deadlock.
    public init(_ backend: any StorageBackend, findKey: @escaping @Sendable () throws(StorageError) -> SealingKey) {
        storage = backend
        keys = SealingKeySource(.found(findKey))
    }

    init(_ backend: any StorageBackend, _ keys: SealingKeySource) {
        storage = backend
        self.keys = keys
    }

    /// Returns a sealed store in a directory, with its key in a file beside the log.
    ///
    /// The key is created with the first value. If there are values but no key, every call throws
    /// `StorageError.keyMissing`, because a new key would open none of them.
    ///
    /// - Parameters:
    ///   - directory: a directory for this store alone, which is created with its parents if it is missing.
    ///   - key: the file with the key, or nil for `sealing.key` in the directory.
    /// - Returns: the store. It reads and creates nothing before the first call.
    public static func file(_ directory: URL, key: URL? = nil) -> SealedStorage {
        file(FileStorage(directory: directory), key ?? FileStorage.sealingKey(in: directory))
    }

    /// Returns a sealed store over a log, with its key in a file.
    package static func file(_ log: FileStorage, _ key: URL) -> SealedStorage {
        SealedStorage(log, SealingKeySource(.file(SealingKeyFile(key, log.system))))
    }

    /// Returns the opened value of a key.
    ///
    /// - Throws: `StorageError.invalidValue` for a value that none of the keys opens, or any other error of the
    ///   backend.
    public func value(for key: StorageKey) throws(StorageError) -> Data? {
        guard let revision = try storage.revision() else { return try reading.value(for: key) }
        if let known = opened.value(for: key, as: revision) { return known }
        guard let log = storage as? FileStorage else {
            let value = try reading.value(for: key)
            opened.keep(value, for: key, at: ValuePlace(generation: revision, offset: nil), as: revision)
            return value
        }
        // A log that has just looked for new records need not do so again.
        let place = log.place(of: key)
        if let known = opened.value(for: key, at: place, as: revision) { return known }
        let value = try reading.opened(log.value(for: key, as: revision), key)
        opened.keep(value, for: key, at: place, as: revision)
        return value
    }

    /// Returns the opened values of several keys.
    public func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
        try reading.values(for: keys)
    }

    /// Reads opened values, decides, and makes the changes with sealed ones.
    public func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try storage.update(sealing(body))
    }

    /// Reads, decides and changes as ``update(_:)`` does, but the backend waits at most this long for another writer.
    public func update(
        patience: Duration,
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try storage.update(patience: patience, sealing(body))
    }

    /// Returns a body that passes opened values to another body, and seals the values of its changes.
    private func sealing(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) -> @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange] {
        let keys = keys
        // The key is looked up before the backend's lock is taken, because finding a key may take any time.
        _ = try? keys.keys()
        return { present throws(StorageError) in
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

    /// Returns a Boolean value that indicates whether the backend returns the bytes that were written, and a sealed
    /// value opens.
    ///
    /// - Throws: any ``StorageError`` of the backend, or any error of finding the key.
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
        let key = StorageKey("probe")
        let value = Data("probe".utf8)
        return try SealedValue.open(SealedValue.seal(value, key, with: sealing), key, with: [sealing]).get() == value
    }

    /// Removes everything from the backend, and a stored key that can never seal or open a value.
    ///
    /// Without a new key, no value could be stored again. A key file of a wrong length gets the name `NAME.damaged`. A
    /// key that the app provides itself remains. If the app provides none, nothing is removed.
    ///
    /// - Throws: any ``StorageError``.
    public func removeEverything() throws(StorageError) {
        try keys.checkCanBeReplaced()
        try storage.removeEverything()
        try keys.discardUnusable(of: storage)
    }

    /// Reseals every value that an older key sealed with the current key.
    ///
    /// Afterwards the older keys can be removed. The values that they sealed are erased like removed values; see
    /// ``StorageChange/removeAll(under:)``.
    ///
    /// - Parameter progress: receives the number of checked values and of all values from time to time, on the thread
    ///   that reseals.
    /// - Returns: the number of values that were resealed.
    /// - Throws: any ``StorageError``, including `.invalidValue` for a value that its key does not open, `.keyMissing`
    ///   for a value of an unknown key, and `.unknownLayout` for a value that a newer version sealed. Then nothing has
    ///   changed.
    @discardableResult
    public func reseal(progress: EntitlementStore.Progress? = nil) throws(StorageError) -> Int {
        let keys = keys
        return try storage.updating { present throws(StorageError) in
            var resealed: [(key: StorageKey, value: Data)] = []
            let all = try present.keys(under: .everything)
            for (number, key) in all.enumerated() {
                if (number + 1).isMultiple(of: 256) || number + 1 == all.count { progress?(number + 1, all.count) }
                guard let sealed = try present.value(for: key) else { continue }
                let sealing = try keys.sealingKey(in: present)
                guard !SealedValue.isSealed(sealed, with: sealing) else { continue }
                let value = try SealedReading(sealed: present, keys: keys).open(sealed, key).get()
                resealed.append((key, try SealedValue.seal(value, key, with: sealing)))
            }
            // A permanent removal erases the values that the older keys have sealed.
            let leaf = resealed.map(\.key).firstWithoutKeysBelow(amongst: all)
            let erasure: [StorageChange] = leaf.map { [.removeAll(under: $0)] } ?? []
            return (erasure + resealed.map { .put($0.key, $0.value) }, resealed.count)
        }
    }

    private var reading: SealedReading { SealedReading(sealed: storage, keys: keys) }
}
