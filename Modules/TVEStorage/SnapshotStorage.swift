import Foundation
import TVEModels

/// A backend that keeps all values in one snapshot, for places that hold only one piece of bytes.
///
/// Every read looks at the carrier, so that what another process wrote is seen where the carrier shows it. Writers of
/// several processes can overwrite each other's changes; the carriers are for one process, or for rare writes.
final class SnapshotStorage: Sendable {
    private let carriers: [any SnapshotCarrier]
    private let lock = Guarded(())

    /// Makes a backend of one place, or of several that each hold a copy.
    init(_ carriers: [any SnapshotCarrier]) {
        self.carriers = carriers
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? {
        try lock.withLock { _ throws(StorageError) in try newest().values[key] }
    }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try lock.withLock { _ throws(StorageError) in try newest().values.keys.filter { $0.isInside(ancestor) } }
    }

    func apply(_ batch: [StorageChange]) throws(StorageError) {
        try lock.withLock { _ throws(StorageError) in
            var snapshot = try newest()
            let before = snapshot.values
            for change in batch { snapshot.values.apply(change) }
            guard snapshot.values != before else { return }
            snapshot.generation &+= 1
            try save(snapshot)
        }
    }

    /// Which damage a copy has, nil when all are good.
    func damage() throws(StorageError) -> StorageError.Damage? {
        try lock.withLock { _ throws(StorageError) in
            for carrier in carriers {
                do throws(StorageError) {
                    _ = try carrier.load().map { bytes throws(StorageError) in try Snapshot(bytes) }
                } catch .damaged(let damage) {
                    return damage
                }
            }
            return nil
        }
    }

    func removeEverything() throws(StorageError) {
        try lock.withLock { _ throws(StorageError) in
            var empty = Snapshot()
            empty.generation = ((try? newest())?.generation ?? 0) &+ 1
            try save(empty)
        }
    }

    /// One copy after the other, so that whatever breaks off leaves one whole.
    private func save(_ snapshot: Snapshot) throws(StorageError) {
        let bytes = snapshot.bytes
        for carrier in carriers { try carrier.save(bytes) }
    }

    /// The newest whole copy; a damaged one counts only when there is no other.
    private func newest() throws(StorageError) -> Snapshot {
        var newest: Snapshot?
        var failure: StorageError?
        for carrier in carriers {
            do throws(StorageError) {
                guard let bytes = try carrier.load() else { continue }
                let snapshot = try Snapshot(bytes)
                // Counted around the end of the numbers.
                if let known = newest, Int32(bitPattern: snapshot.generation &- known.generation) <= 0 { continue }
                newest = snapshot
            } catch .damaged(let damage) {
                failure = .damaged(damage)
            }
        }
        if let newest { return newest }
        if let failure { throw failure }
        return Snapshot()
    }
}
