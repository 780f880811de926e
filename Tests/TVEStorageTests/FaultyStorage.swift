import Foundation
import TVEModels
import TVEStorage

/// A memory store that fails on command.
final class FaultyStorage: StorageBackend {
    let memory = MemoryStorage()
    private let faults = Guarded(Faults())

    /// What goes wrong.
    struct Faults: Sendable {
        var read: StorageError?
        var write: StorageError?
        /// Values are returned with an additional byte.
        var changesValues = false
        var damage: StorageError.Damage?
        /// Removing everything makes the store usable again.
        var isMendedByRemoval = false
    }

    func set(_ change: (inout Faults) -> Void) { faults.withLock { change(&$0) } }

    func value(for key: StorageKey) throws(StorageError) -> Data? {
        let faults = faults.withLock { $0 }
        if let error = faults.read { throw error }
        guard let value = memory.value(for: key) else { return nil }
        return faults.changesValues ? value + [0] : value
    }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        if let error = faults.withLock(\.read) { throw error }
        return memory.keys(under: ancestor)
    }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        if let error = faults.withLock(\.write) { throw error }
        try memory.update(body)
    }

    func damage() throws(StorageError) -> StorageError.Damage? { faults.withLock(\.damage) }

    func removeEverything() throws(StorageError) {
        memory.apply([.removeAll(under: .everything)])
        faults.withLock { if $0.isMendedByRemoval { $0 = Faults() } }
    }
}
