package import Foundation
import TVEModels
package import TVEStorage

/// A store in memory whose operations a test can make fail.
package final class FailingStorage: StorageBackend {
    /// The kind of operations that fail.
    ///
    /// If reading fails, writing fails as well, because a change reads first. With `locked`, another process keeps the
    /// store locked, so that no write comes to its turn.
    package enum Fault: Sendable, CaseIterable { case reading, writing, locked }

    private struct State {
        var fault: Fault?
        /// The average number of operations of which one fails.
        var rate = 1
        var random = SeededRandom(state: 0)
        var hasFailed = false
        var longestWait = Duration.zero

        mutating func fails(at operation: Fault) -> Bool {
            guard fault == operation, random.next() % UInt64(rate) == 0 else { return false }
            hasFailed = true
            return true
        }
    }

    /// The store with the contents, which never fails.
    package let memory: MemoryStorage
    private let state = Guarded(State())

    /// Creates a store whose operations succeed.
    ///
    /// - Parameter memory: the contents.
    package init(_ memory: MemoryStorage = MemoryStorage()) { self.memory = memory }

    /// Makes operations fail from now on.
    ///
    /// - Parameters:
    ///   - fault: the kind of operations that fail; `nil` makes all operations succeed again.
    ///   - rate: the average number of operations of which one fails at random.
    ///   - seed: the seed of the random choice.
    package func fail(_ fault: Fault?, oneOf rate: Int = 1, seed: UInt64 = 0) {
        state.withLock { state in
            state.fault = fault
            state.rate = rate
            state.random = SeededRandom(state: seed)
        }
    }

    /// A Boolean value that indicates whether operations may fail.
    package var isFaulty: Bool { state.withLock { $0.fault != nil } }

    /// Returns a Boolean value that indicates whether an operation has failed since the last call.
    package func takeFailure() -> Bool {
        state.withLock { state in
            defer { state.hasFailed = false }
            return state.hasFailed
        }
    }

    /// The longest time that a write was willing to wait for the process that keeps the store locked.
    package var longestWait: Duration { state.withLock(\.longestWait) }

    private func tryReading() throws(StorageError) {
        if state.withLock({ $0.fails(at: .reading) }) { throw .cannotRead(errno: EIO) }
    }

    // MARK: - StorageBackend

    package func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try update(patience: .seconds(5), body)
    }

    package func update(
        patience: Duration,
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try tryReading()
        if state.withLock({ $0.fails(at: .writing) }) { throw .cannotWrite(errno: ENOSPC) }
        let isLocked = state.withLock { state in
            guard state.fails(at: .locked) else { return false }
            state.longestWait = max(state.longestWait, patience)
            return true
        }
        if isLocked { throw .locked }
        try memory.update(body)
    }

    package func value(for key: StorageKey) throws(StorageError) -> Data? {
        try tryReading()
        return memory.value(for: key)
    }

    package func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try tryReading()
        return memory.keys(under: ancestor)
    }
}
