import Foundation
import TVEModels
import TVEStorage

/// A plan that makes one system call fail, or all calls from one on, once it is armed, and that counts the calls.
final class FaultPlan: Sendable {
    struct Plan: Sendable {
        /// The number of the call that fails, counted from the moment of arming.
        var number: Int
        var fault: StorageSystem.Fault
        /// A Boolean value that indicates whether every later call of the same kind fails too.
        var lasts = false
    }

    private struct State {
        var plan: Plan?
        var count = 0
        var kind: StorageSystem.Call?
    }

    private let state = Guarded(State())

    func arm(_ plan: Plan?) { state.withLock { $0 = State(plan: plan) } }

    /// The number of calls since the last arming.
    var count: Int { state.withLock(\.count) }

    /// A Boolean value that indicates whether the fault has occurred.
    var isPlayed: Bool { state.withLock { $0.kind != nil } }

    var system: StorageSystem {
        StorageSystem { [self] call in
            state.withLock { state in
                defer { state.count += 1 }
                guard let plan = state.plan else { return nil }
                if state.count == plan.number {
                    state.kind = call
                } else if !plan.lasts || state.kind != call {
                    return nil
                }
                return plan.fault
            }
        }
    }
}

extension StorageBackend {
    /// Returns all values.
    func contents() throws -> [StorageKey: Data] {
        var contents: [StorageKey: Data] = [:]
        for key in try keys(under: .everything) { contents[key] = try value(for: key) }
        return contents
    }
}

/// A memory store that fails on command.
final class FaultyStorage: StorageBackend {
    let memory = MemoryStorage()
    private let faults = Guarded(Faults())

    /// The faults of the store.
    struct Faults: Sendable {
        var read: StorageError?
        /// The key of a value on a place of the medium that cannot be read.
        var unreadable: StorageKey?
        var write: StorageError?
        /// A Boolean value that indicates whether values are returned with an additional byte.
        var changesValues = false
        var damage: StorageError.Damage?
        /// A Boolean value that indicates whether reading and writing fail only once, and damage is reported only once.
        var happenOnce = false
        /// A Boolean value that indicates whether removing everything makes the store usable again.
        var isMendedByRemoval = false
    }

    func set(_ change: (inout Faults) -> Void) { faults.withLock { change(&$0) } }

    private func faultsOfReading() -> Faults {
        faults.withLock { faults in
            defer { if faults.happenOnce { faults.read = nil } }
            return faults
        }
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? {
        let faults = faultsOfReading()
        if let error = faults.read { throw error }
        if key == faults.unreadable { throw .cannotRead(errno: EIO) }
        guard let value = memory.value(for: key) else { return nil }
        return faults.changesValues ? value + [0] : value
    }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        if let error = faultsOfReading().read { throw error }
        return memory.keys(under: ancestor)
    }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        let error = faults.withLock { faults in
            defer { if faults.happenOnce { faults.write = nil } }
            return faults.write
        }
        if let error { throw error }
        try memory.update(body)
    }

    func damage() throws(StorageError) -> StorageError.Damage? {
        faults.withLock { faults in
            defer { if faults.happenOnce { faults.damage = nil } }
            return faults.damage
        }
    }

    func removeEverything() throws(StorageError) {
        memory.apply([.removeAll(under: .everything)])
        faults.withLock { if $0.isMendedByRemoval { $0 = Faults() } }
    }
}
