import Foundation
import TVEModels

/// A backend that stores all values in one snapshot, for places that hold only one block of bytes.
///
/// Every read reads the item, so changes of other processes are visible as soon as the item shows them. If an
/// update finds a newer snapshot than the one it has read, its body runs again, provided that the item can detect
/// it.
final class SnapshotStorage: StorageBackend {
    private let items: [any SnapshotItem]
    private let lock = Lock()
    /// The lock that excludes other handles and processes while an update runs, if the items have one.
    private let exclusively: ExclusiveAccess
    let capacity: Int?

    /// A function that runs work under a lock.
    ///
    /// It waits for the lock at most for the given time, or for the lock's own limit if the time is nil.
    typealias ExclusiveAccess =
        @Sendable (
            _ patience: Duration?, _ work: () throws(StorageError) -> Void
        ) throws(StorageError) -> Void

    /// The number of attempts to replace an item that another process has changed since it was read.
    static let mostAttempts = 64

    /// Creates a backend from one item, or from several that each hold a copy.
    init(
        _ items: [any SnapshotItem], capacity: Int? = nil,
        exclusively: @escaping ExclusiveAccess = { _, work throws(StorageError) in try work() }
    ) {
        self.items = items
        self.capacity = capacity
        self.exclusively = exclusively
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? {
        try lock.withLock { () throws(StorageError) in try newest(of: copies()).values[key] }
    }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try lock.withLock { () throws(StorageError) in
            try newest(of: copies()).values.keys.filter { $0.isInside(ancestor) }
        }
    }

    /// Returns the values of several keys from one snapshot, which is read and parsed once for all of them.
    func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
        let values = try lock.withLock { () throws(StorageError) in try newest(of: copies()).values }
        return keys.map { .success(values[$0]) }
    }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try update(waiting: nil, body)
    }

    func update(
        patience: Duration,
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try update(waiting: patience, body)
    }

    private func update(
        waiting patience: Duration?, _ body: (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        // A writer that waits for other processes does not hold the lock that readers need.
        try exclusively(patience) { () throws(StorageError) in
            try lock.withLock { () throws(StorageError) in
                for _ in 0..<Self.mostAttempts {
                    let loaded = try copies()
                    let newest = try newest(of: loaded)
                    var snapshot = newest
                    for change in try body(DictionaryReading(newest.values)) { snapshot.values.apply(change) }
                    // A copy that is outdated or damaged is repaired even if nothing changes, and one that is no longer
                    // used is removed.
                    let isEven = zip(items, loaded).allSatisfy { item, copy in
                        guard copy.failure == nil else { return false }
                        guard item.isKept else { return copy.bytes == nil }
                        return copy.generation == newest.generation
                    }
                    guard snapshot.values != newest.values || !isEven else { return }
                    // A longer snapshot would be read as damage.
                    guard snapshot.size <= LogFormat.maximumPayload else {
                        throw .tooLarge(limit: LogFormat.maximumPayload)
                    }
                    snapshot.generation &+= 1
                    if try save(snapshot, insteadOf: loaded) { return }
                }
                throw .locked
            }
        }
    }

    /// Returns the damage of a copy, or nil if all copies are intact.
    func damage() throws(StorageError) -> StorageError.Damage? {
        try lock.withLock { () throws(StorageError) -> StorageError.Damage? in
            for case .damaged(let damage)? in try copies().map(\.failure) { return damage }
            return nil
        }
    }

    func removeEverything() throws(StorageError) {
        try exclusively(nil) { () throws(StorageError) in
            try lock.withLock { () throws(StorageError) in
                for _ in 0..<Self.mostAttempts {
                    let loaded = try copies()
                    let known = loaded.compactMap { $0.snapshot?.generation }.max() ?? 0
                    var empty = Snapshot()
                    empty.generation = known &+ 1
                    // A copy that can no longer be written must not keep the viewer from being logged out.
                    if try save(empty, insteadOf: loaded, outdatedFirst: false) { return }
                }
                throw .locked
            }
        }
    }

    /// The contents of one item, which are its bytes and either the snapshot in them or the error.
    private struct Copy {
        var bytes: Data?
        var snapshot: Snapshot?
        var failure: StorageError?

        /// The generation of the snapshot, or nil if it is damaged.
        var generation: UInt32? { failure == nil ? (snapshot ?? Snapshot()).generation : nil }
    }

    private func copies() throws(StorageError) -> [Copy] {
        var copies: [Copy] = []
        for item in items {
            var copy = Copy()
            do throws(StorageError) {
                copy.bytes = try item.load()
                copy.snapshot = try copy.bytes.map { bytes throws(StorageError) in try Snapshot(bytes) }
            } catch .damaged(let damage) {
                copy.failure = .damaged(damage)
            }
            copies.append(copy)
        }
        return copies
    }

    /// Returns the newest intact copy, and throws the error of a damaged one only if there is no other.
    private func newest(of copies: [Copy]) throws(StorageError) -> Snapshot {
        let newest = copies.compactMap(\.snapshot).reduce(nil as Snapshot?) { newest, copy in
            // The comparison allows for wraparound.
            guard let newest else { return copy }
            return Int32(bitPattern: copy.generation &- newest.generation) > 0 ? copy : newest
        }
        if let newest { return newest }
        if let failure = copies.compactMap(\.failure).last { throw failure }
        return Snapshot()
    }

    /// Writes one copy after the other, so that an interruption leaves one of them intact.
    ///
    /// A copy that an earlier update could not write comes first. Otherwise an interruption could destroy the only copy
    /// that has the changes of that update.
    ///
    /// - Returns: false if the copy that comes first has changed since it was loaded. Then nothing is written.
    private func save(
        _ snapshot: Snapshot, insteadOf loaded: [Copy], outdatedFirst: Bool = true
    ) throws(StorageError) -> Bool {
        let bytes = snapshot.bytes
        let newest = snapshot.generation &- 1
        // A place that is no longer used is written only to empty it.
        let pairs = Array(zip(items, loaded)).filter { item, copy in
            item.isKept || copy.bytes != nil || copy.failure != nil
        }
        let outdated = pairs.filter { item, copy in
            outdatedFirst && item.isKept && copy.generation != newest
        }
        let others = pairs.filter { item, copy in
            !outdatedFirst || !item.isKept || copy.generation == newest
        }
        for (number, (item, copy)) in (outdated + others).enumerated() {
            if number == 0 {
                guard try item.save(bytes, insteadOf: copy.bytes) else { return false }
            } else {
                // The change is made when one copy is written. If another copy fails, the next update repairs it.
                _ = try? item.save(bytes, insteadOf: copy.bytes)
            }
        }
        return true
    }
}

/// A place that holds one block of bytes and replaces it as a whole: a preference, a pasteboard item, a keychain item.
protocol SnapshotItem: Sendable {
    /// A Boolean value that indicates whether new bytes are saved here.
    ///
    /// An item of an earlier version returns false, and saving removes its bytes.
    var isKept: Bool { get }

    /// Returns the bytes, or nil if there are none.
    func load() throws(StorageError) -> Data?

    /// Stores bytes in place of the earlier ones.
    ///
    /// - Parameter old: the bytes that the change is based on.
    /// - Returns: false if the item is known to hold other bytes now. Then nothing has changed.
    func save(_ bytes: Data, insteadOf old: Data?) throws(StorageError) -> Bool
}

extension SnapshotItem {
    var isKept: Bool { true }
}
