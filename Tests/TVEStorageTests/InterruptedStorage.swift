import Foundation
import TVEModels
import TVEStorage

/// A store in which another process does something at the worst moment: when everything was read and nothing is written yet.
final class InterruptedStorage: StorageBackend {
    private let next: any StorageBackend
    private let other: Guarded<(@Sendable () throws -> Void)?>

    /// - Parameter other: what the other process does, once, right before the next change.
    init(_ next: any StorageBackend, other: @escaping @Sendable () throws -> Void) {
        self.next = next
        self.other = Guarded(other)
    }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        let other = other.withLock { $0.take() }
        // The test sees what the other process could not do.
        try? other?()
        try next.update(body)
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? { try next.value(for: key) }
    func rawValue(for key: StorageKey) throws(StorageError) -> Data? { try next.rawValue(for: key) }
    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { try next.keys(under: ancestor) }
    func damage() throws(StorageError) -> StorageError.Damage? { try next.damage() }
    func probe() throws(StorageError) -> Bool { try next.probe() }
    func removeEverything() throws(StorageError) { try next.removeEverything() }
}
