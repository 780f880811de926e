import Foundation
import TVEModels
import TVEStorage
import TVETestSupport

/// The store of a device, whose operations fail when the walk says so.
final class WalkStorage: StorageBackend {
    /// Which operations fail.
    ///
    /// A change fails with both, because it reads first.
    enum Fault: Sendable, CaseIterable { case reading, writing }

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

    private let memory = MemoryStorage()
    private let state = Guarded(State())

    /// Makes operations fail from now on; nil ends that.
    func fail(_ fault: Fault?, oneOf rate: Int, seed: UInt64) {
        state.withLock { ($0.fault, $0.rate, $0.random) = (fault, rate, SeededRandom(state: seed)) }
    }

    /// Whether operations may fail.
    var isFaulty: Bool { state.withLock { $0.fault != nil } }

    /// Whether an operation has failed since the last time.
    func takeFailure() -> Bool {
        state.withLock { state in
            defer { state.hasFailed = false }
            return state.hasFailed
        }
    }

    /// Whether a login is stored.
    var hasLogin: Bool {
        memory.keys(under: StorageKey("requestor")).contains { $0.rawValue.hasSuffix("/authn") }
    }

    private func tryReading() throws(StorageError) {
        if state.withLock({ $0.fails(at: .reading) }) { throw .cannotRead(errno: EIO) }
    }

    // MARK: - StorageBackend

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try tryReading()
        if state.withLock({ $0.fails(at: .writing) }) { throw .cannotWrite(errno: ENOSPC) }
        try memory.update(body)
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? {
        try tryReading()
        return try memory.value(for: key)
    }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try tryReading()
        return memory.keys(under: ancestor)
    }
}
