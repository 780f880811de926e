package import Foundation
import TVEModels
package import TVEStorage

/// A store in which another process does something at the worst moment: when everything was read and nothing is written yet.
package final class InterruptedStorage: StorageBackend {
    private let next: any StorageBackend
    private let other: Guarded<(@Sendable () throws -> Void)?>

    /// - Parameter other: what the other process does, once, right before the next change.
    package init(_ next: any StorageBackend, other: (@Sendable () throws -> Void)? = nil) {
        self.next = next
        self.other = Guarded(other)
    }

    /// Says what the other process does, once, right before the next change.
    package func interrupt(by other: @escaping @Sendable () throws -> Void) {
        self.other.withLock { $0 = other }
    }

    /// Whether the other process still has to do what it was told.
    package var isPending: Bool { other.withLock { $0 != nil } }

    package func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        let other = other.withLock { $0.take() }
        // The test sees what the other process could not do.
        try? other?()
        try next.update(body)
    }

    package func value(for key: StorageKey) throws(StorageError) -> Data? { try next.value(for: key) }
    package func rawValue(for key: StorageKey) throws(StorageError) -> Data? { try next.rawValue(for: key) }
    package func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try next.keys(under: ancestor)
    }
    package func damage() throws(StorageError) -> StorageError.Damage? { try next.damage() }
    package func probe() throws(StorageError) -> Bool { try next.probe() }
    package func removeEverything() throws(StorageError) { try next.removeEverything() }
}
