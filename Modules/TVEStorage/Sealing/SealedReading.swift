import Crypto
import Foundation
import TVEModels

/// A reading of sealed values that opens them with the keys.
struct SealedReading: StorageReading {
    let sealed: any StorageReading
    let keys: SealingKeySource

    func value(for key: StorageKey) throws(StorageError) -> Data? { try opened(try sealed.value(for: key), key) }

    /// Opens the value of a key, or returns nil if the key has none.
    func opened(_ bytes: Data?, _ key: StorageKey) throws(StorageError) -> Data? {
        guard let bytes else { return nil }
        switch try open(bytes, key) {
        case .success(let value): return value
        // A caller that reads one value does not need the reason why it cannot be opened.
        case .failure: throw .invalidValue(key)
        }
    }

    /// Returns each value, or its error, which is `.keyMissing` for a value that another key sealed, and
    /// `.unknownLayout` for one that a newer version sealed.
    func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
        let values = try sealed.values(for: keys)
        var opened: [Result<Data?, StorageError>] = []
        opened.reserveCapacity(keys.count)
        // A lookup of the key may take long, and one answers for all values of the reading.
        var mayLookAgain = true
        for (key, value) in zip(keys, values) {
            switch value {
            case .success(let bytes?):
                opened.append(try open(bytes, key, mayLookAgain: &mayLookAgain).map(Optional.some))
            case .success(nil), .failure: opened.append(value)
            }
        }
        return opened
    }

    func rawValue(for key: StorageKey) throws(StorageError) -> Data? { try sealed.rawValue(for: key) }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { try sealed.keys(under: ancestor) }

    /// Opens a value, and throws if a key is temporarily unavailable, because that is not a fault of the value.
    func open(_ bytes: Data, _ key: StorageKey) throws(StorageError) -> Result<Data, StorageError> {
        var mayLookAgain = true
        return try open(bytes, key, mayLookAgain: &mayLookAgain)
    }

    private func open(
        _ bytes: Data, _ key: StorageKey, mayLookAgain: inout Bool
    ) throws(StorageError) -> Result<Data, StorageError> {
        let opened = SealedValue.open(bytes, key, with: try keys.keys())
        guard case .failure(.keyMissing) = opened, mayLookAgain else { return opened }
        mayLookAgain = false
        // Another process may have replaced the store and its key.
        return SealedValue.open(bytes, key, with: try keys.keys(isStale: true))
    }
}

/// The format of a sealed value: layout (1 byte), key id (4), nonce (12), sealed bytes, tag (16).
///
/// The entry's key is associated data, so that a value moved to another entry does not open.
enum SealedValue {
    private static let layout: UInt8 = 1
    /// The layouts that newer versions may write, none of which is the first byte of a readable text.
    private static let newerLayouts: ClosedRange<UInt8> = 2...8
    private static let nonceStart = 5

    static func seal(_ value: Data, _ key: StorageKey, with sealing: SealingKey) throws(StorageError) -> Data {
        do {
            let box = try AES.GCM.seal(value, using: sealing.key, authenticating: Data(key.rawValue.utf8))
            var bytes = Data(capacity: nonceStart + 28 + value.count)
            bytes.append(layout)
            bytes.append(sealing.identifier)
            bytes.append(contentsOf: box.nonce)
            bytes.append(box.ciphertext)
            bytes.append(box.tag)
            return bytes
        } catch {
            // Sealing fails only for a nonce of a wrong length, and the library created this one.
            throw .invalidValue(key)
        }
    }

    /// Opens a value.
    ///
    /// - Returns: the bytes, or `StorageError.keyMissing` if the value's key id is unknown, `.unknownLayout` if a newer
    ///   version sealed it in another layout, or `.invalidValue` if its key does not open it.
    static func open(_ sealed: Data, _ key: StorageKey, with keys: [SealingKey]) -> Result<Data, StorageError> {
        guard sealed.count >= nonceStart + 28, let first = sealed.first else { return .failure(.invalidValue(key)) }
        // The layout is that of a newer version, so nothing is known about the value, and it does not prove damage. In
        // a backend without checksums a damaged byte can look the same. If other values can be opened, a check moves
        // such a value aside.
        guard !newerLayouts.contains(first) else { return .failure(.unknownLayout) }
        guard first == layout else { return .failure(.invalidValue(key)) }
        guard let sealing = keys.first(where: { isSealed(sealed, with: $0) }) else { return .failure(.keyMissing) }
        guard let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst(nonceStart)),
            let value = try? AES.GCM.open(box, using: sealing.key, authenticating: Data(key.rawValue.utf8))
        else { return .failure(.invalidValue(key)) }
        return .success(value)
    }

    /// Returns a Boolean value that indicates whether a value has this key's id.
    static func isSealed(_ sealed: Data, with key: SealingKey) -> Bool {
        sealed.dropFirst().starts(with: key.identifier)
    }
}

/// A cache of values that were read and opened, each valid as long as the store has the same bytes for its key.
final class OpenedValues: Sendable {
    private struct Entry {
        let value: Data?
        let place: ValuePlace
        /// The last revision of the store that is known to have the value.
        var revision: UInt64
    }

    private struct Kept {
        var generation: UInt64 = 0
        private(set) var entries: [StorageKey: Entry] = [:]
        private var bytes = 0

        init(generation: UInt64 = 0) {
            self.generation = generation
        }

        mutating func keep(_ entry: Entry, for key: StorageKey, size: Int) {
            forget(key)
            // A part of the values is forgotten and not all of them, because a caller that reads a little more than
            // there is room for would otherwise find none.
            while bytes + size > OpenedValues.most, !entries.isEmpty {
                for key in Array(entries.keys.prefix(entries.count / 16 + 1)) { forget(key) }
            }
            entries[key] = entry
            bytes += size
        }

        mutating func renew(_ key: StorageKey, as revision: UInt64) { entries[key]?.revision = revision }

        private mutating func forget(_ key: StorageKey) {
            guard let entry = entries.removeValue(forKey: key) else { return }
            bytes -= OpenedValues.size(of: entry.value, key)
        }
    }

    private let kept = Guarded(Kept())

    /// The number of bytes in the cache at most, which is more than a device's entitlements need.
    private static let most = 1 << 20
    /// The number of bytes of the longest value that is cached.
    private static let mostOfOne = 64 << 10

    /// Returns the cached value of a key at a revision, or nil if none is cached.
    ///
    /// The inner value is nil if the key has no value.
    func value(for key: StorageKey, as revision: UInt64) -> Data?? {
        kept.withLock { kept in
            guard let entry = kept.entries[key], entry.revision == revision else { return nil }
            return .some(entry.value)
        }
    }

    /// Returns the cached value of a key that is in the same place as before, or nil if none is cached.
    ///
    /// - Parameters:
    ///   - key: the key of the value.
    ///   - place: the place of the value at this revision, or a later one.
    ///   - revision: the revision of the store.
    func value(for key: StorageKey, at place: ValuePlace, as revision: UInt64) -> Data?? {
        kept.withLock { kept in
            // A key without a value may have had one and have lost it again.
            guard place.offset != nil, let entry = kept.entries[key], entry.place == place else { return nil }
            kept.renew(key, as: revision)
            return .some(entry.value)
        }
    }

    /// Caches a value that was read at this revision of the store, or a later one.
    ///
    /// The value may have left the place meanwhile, to which no value of the key returns.
    func keep(_ value: Data?, for key: StorageKey, at place: ValuePlace, as revision: UInt64) {
        let size = Self.size(of: value, key)
        guard size <= Self.mostOfOne else { return }
        let entry = Entry(value: value, place: place, revision: revision)
        kept.withLock { kept in
            if kept.generation != place.generation { kept = Kept(generation: place.generation) }
            kept.keep(entry, for: key, size: size)
        }
    }

    /// Returns the number of bytes that a value takes with its key.
    private static func size(of value: Data?, _ key: StorageKey) -> Int {
        64 + key.rawValue.utf8.count + (value?.count ?? 0)
    }
}
