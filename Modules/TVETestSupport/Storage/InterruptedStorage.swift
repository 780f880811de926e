package import Foundation
import TVEModels
package import TVEStorage

/// A store that another process changes at the worst moment: between two reads, or after everything was read and before
/// anything is written.
package final class InterruptedStorage: StorageBackend {
    private let next: any StorageBackend
    private let other: Guarded<(@Sendable () throws -> Void)?>
    private let reader = Guarded<(key: StorageKey, other: @Sendable () throws -> Void)?>(nil)

    /// - Parameter other: what the other process does, once, right before the next change.
    package init(_ next: any StorageBackend, other: (@Sendable () throws -> Void)? = nil) {
        self.next = next
        self.other = Guarded(other)
    }

    /// Sets what the other process does, once, right before the next change.
    package func interrupt(by other: @escaping @Sendable () throws -> Void) { self.other.withLock { $0 = other } }

    /// Sets what the other process does, once, right after the next read of a value.
    package func interrupt(afterReading key: StorageKey, by other: @escaping @Sendable () throws -> Void) {
        reader.withLock { $0 = (key, other) }
    }

    /// Whether the other process has not acted yet.
    package var isPending: Bool { other.withLock { $0 != nil } || reader.withLock { $0 != nil } }

    package func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        let other = other.withLock { $0.take() }
        // If the other process fails, the test notices.
        try? other?()
        try next.update(body)
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
