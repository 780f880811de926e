import Foundation
import TVEModels

/// A backend that stores all values in one snapshot, for places that hold only one block of bytes.
///
/// Every read reads the carrier, so that changes of other processes are visible as soon as the carrier shows them. An
/// update that finds a newer snapshot than the one it was decided on is decided again, if the carrier can tell.
final class SnapshotStorage: StorageBackend {
    private let carriers: [any SnapshotCarrier]
    private let lock = Guarded(())
    /// Runs work while no other handle and no other process works on the same carriers, if that is possible.
    private let alone: Alone
    let capacity: Int?

    typealias Alone = @Sendable (_ work: () throws(StorageError) -> Void) throws(StorageError) -> Void

    /// How often an update is decided again.
    private static let mostAttempts = 64

    /// Makes a backend from one place, or from several that each hold a copy.
    init(
        _ carriers: [any SnapshotCarrier], capacity: Int? = nil,
        alone: @escaping Alone = { work throws(StorageError) in try work() }
    ) {
        self.carriers = carriers
        self.capacity = capacity
        self.alone = alone
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? {
        try lock.withLock { _ throws(StorageError) in try newest(of: copies()).values[key] }
    }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try lock.withLock { _ throws(StorageError) in
            try newest(of: copies()).values.keys.filter { $0.isInside(ancestor) }
        }
    }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try lock.withLock { _ throws(StorageError) in
            try alone { () throws(StorageError) in
                for _ in 0..<Self.mostAttempts {
                    let loaded = try copies()
                    let newest = try newest(of: loaded)
                    var snapshot = newest
                    for change in try body(DictionaryReading(newest.values)) { snapshot.values.apply(change) }
                    // A copy that is outdated or damaged is repaired even when nothing changes, and one that is not
                    // kept any more is removed.
                    let isEven = zip(carriers, loaded).allSatisfy { carrier, copy in
                        guard copy.failure == nil else { return false }
                        guard carrier.isKept else { return copy.bytes == nil }
                        return (copy.snapshot ?? Snapshot()).generation == newest.generation
                    }
                    guard snapshot.values != newest.values || !isEven else { return }
                    snapshot.generation &+= 1
                    if try save(snapshot, insteadOf: loaded) { return }
                }
                throw .locked
            }
        }
    }

    /// The damage of a copy, nil when all are good.
    func damage() throws(StorageError) -> StorageError.Damage? {
        try lock.withLock { _ throws(StorageError) in
            for case .damaged(let damage)? in try copies().map(\.failure) { return damage }
            return nil
        }
    }

    func removeEverything() throws(StorageError) {
        try lock.withLock { _ throws(StorageError) in
            try alone { () throws(StorageError) in
                for _ in 0..<Self.mostAttempts {
                    let loaded = try copies()
                    let known = loaded.compactMap { $0.snapshot?.generation }.max() ?? 0
                    var empty = Snapshot()
                    empty.generation = known &+ 1
                    if try save(empty, insteadOf: loaded) { return }
                }
                throw .locked
            }
        }
    }

    /// The contents of one carrier: its bytes, and the snapshot in them or the error.
    private struct Copy {
        var bytes: Data?
        var snapshot: Snapshot?
        var failure: StorageError?
    }

    private func copies() throws(StorageError) -> [Copy] {
        var copies: [Copy] = []
        for carrier in carriers {
            var copy = Copy()
            do throws(StorageError) {
                copy.bytes = try carrier.load()
                copy.snapshot = try copy.bytes.map { bytes throws(StorageError) in try Snapshot(bytes) }
            } catch .damaged(let damage) {
                copy.failure = .damaged(damage)
            }
            copies.append(copy)
        }
        return copies
    }

    /// The newest intact copy; a damaged one counts only when there is no other.
    private func newest(of copies: [Copy]) throws(StorageError) -> Snapshot {
        let newest = copies.compactMap(\.snapshot).reduce(nil as Snapshot?) { newest, copy in
            // Compared with wraparound.
            guard let newest else { return copy }
            return Int32(bitPattern: copy.generation &- newest.generation) > 0 ? copy : newest
        }
        if let newest { return newest }
        if let failure = copies.compactMap(\.failure).last { throw failure }
        return Snapshot()
    }

    /// One copy after the other, so that an interruption leaves one intact.
    ///
    /// - Returns: false when the first copy has changed since it was loaded; nothing has changed then.
    private func save(_ snapshot: Snapshot, insteadOf loaded: [Copy]) throws(StorageError) -> Bool {
        let bytes = snapshot.bytes
        guard let first = carriers.first, try first.save(bytes, insteadOf: loaded[0].bytes) else { return false }
        // The first copy makes the change; the next update repairs a copy that fails.
        for (carrier, copy) in zip(carriers, loaded).dropFirst() { _ = try? carrier.save(bytes, insteadOf: copy.bytes) }
        return true
    }
}

/// A place that holds one block of bytes and replaces it as a whole: a preference, a pasteboard item, a keychain item.
protocol SnapshotCarrier: Sendable {
    /// Whether new bytes are saved here. A place of an earlier version only loses its bytes when others are saved.
    var isKept: Bool { get }

    /// The bytes, nil when there are none.
    func load() throws(StorageError) -> Data?

    /// - Parameter old: the bytes that the change was decided on.
    /// - Returns: false when the place holds other bytes now, as far as it can tell; nothing has changed then.
    func save(_ bytes: Data, insteadOf old: Data?) throws(StorageError) -> Bool
}

extension SnapshotCarrier {
    var isKept: Bool { true }
}
