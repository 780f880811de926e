package import Foundation
import TVEModels
package import TVEStorage

/// A store that another process changes at the worst moment.
///
/// The change happens between two reads, or after everything was read and before anything is written.
package final class InterruptedStorage: StorageBackend {
    private let next: any StorageBackend
    private let other: Guarded<(@Sendable () throws -> Void)?>
    private let reader = Guarded<(key: StorageKey, other: @Sendable () throws -> Void)?>(nil)

    /// Creates a store in front of another one.
    ///
    /// - Parameters:
    ///   - next: the store with the contents.
    ///   - other: the action of the other process, which runs once, right before the next change.
    package init(_ next: any StorageBackend, other: (@Sendable () throws -> Void)? = nil) {
        self.next = next
        self.other = Guarded(other)
    }

    /// Sets the action of the other process, which runs once, right before the next change.
    package func interrupt(by other: @escaping @Sendable () throws -> Void) { self.other.withLock { $0 = other } }

    /// Sets the action of the other process, which runs once, right after the next read of a value.
    package func interrupt(afterReading key: StorageKey, by other: @escaping @Sendable () throws -> Void) {
        reader.withLock { $0 = (key, other) }
    }

    /// A Boolean value that indicates whether the other process has not acted yet.
    package var isPending: Bool { other.withLock { $0 != nil } || reader.withLock { $0 != nil } }

    package func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        letOtherAct()
        try next.update(body)
    }

    package func update(
        patience: Duration,
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        letOtherAct()
        try next.update(patience: patience, body)
    }

    private func letOtherAct() {
        let other = other.withLock { $0.take() }
        // The error is ignored, because the test notices that the action of the other process had no effect.
        try? other?()
    }

    package var capacity: Int? { next.capacity }

    package func value(for key: StorageKey) throws(StorageError) -> Data? {
        let value = try next.value(for: key)
        let due = reader.withLock { reader in reader?.key == key ? reader.take() : nil }
        try? due?.other()
        return value
    }

    package func rawValue(for key: StorageKey) throws(StorageError) -> Data? { try next.rawValue(for: key) }
    package func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try next.keys(under: ancestor)
    }
    package func damage() throws(StorageError) -> StorageError.Damage? { try next.damage() }
    package func probe() throws(StorageError) -> Bool { try next.probe() }
    package func removeEverything() throws(StorageError) { try next.removeEverything() }
}
