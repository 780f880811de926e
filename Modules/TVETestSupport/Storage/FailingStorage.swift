package import Foundation
import TVEModels
package import TVEStorage

/// A store in memory whose operations fail when a test says so.
package final class FailingStorage: StorageBackend {
    /// Which operations fail.
    ///
    /// Without reading there is no change either, because a change reads first.
    package enum Fault: Sendable, CaseIterable { case reading, writing }

    private struct State {
        var fault: Fault?
        /// One of so many operations fails.
        var rate = 1
        var random = SeededRandom(state: 0)
        var hasFailed = false

        mutating func fails(at operation: Fault) -> Bool {
            guard fault == operation, random.next() % UInt64(rate) == 0 else { return false }
            hasFailed = true
            return true
        }
    }

    /// What is stored; this never fails.
    package let memory = MemoryStorage()
    private let state = Guarded(State())

    /// Makes an empty store that works.
    package init() {}

    /// Makes operations fail from now on.
    ///
    /// - Parameters:
    ///   - fault: which operations; nil when all work again.
    ///   - rate: one of so many fails, at random.
    ///   - seed: decides which.
    package func fail(_ fault: Fault?, oneOf rate: Int = 1, seed: UInt64 = 0) {
        state.withLock { ($0.fault, $0.rate, $0.random) = (fault, rate, SeededRandom(state: seed)) }
    }

    /// Whether operations may fail.
    package var isFaulty: Bool { state.withLock { $0.fault != nil } }

    /// Whether an operation has failed since the last time.
    package func takeFailure() -> Bool {
        state.withLock { state in
            defer { state.hasFailed = false }
            return state.hasFailed
        }
    }

    private func tryReading() throws(StorageError) {
        if state.withLock({ $0.fails(at: .reading) }) { throw .cannotRead(errno: EIO) }
    }

    // MARK: - StorageBackend

    package func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try tryReading()
        if state.withLock({ $0.fails(at: .writing) }) { throw .cannotWrite(errno: ENOSPC) }
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
