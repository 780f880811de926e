import Foundation
import TVEStorage

/// A backend each of whose readings takes place inside an update, as a session reads before it decides.
struct ReadInUpdates: StorageBackend {
    let storage: any StorageBackend

    func value(for key: StorageKey) throws(StorageError) -> Data? {
        try read { present throws(StorageError) in try present.value(for: key) }
    }

    func rawValue(for key: StorageKey) throws(StorageError) -> Data? {
        try read { present throws(StorageError) in try present.rawValue(for: key) }
    }

    func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
        try read { present throws(StorageError) in try present.values(for: keys) }
    }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try read { present throws(StorageError) in try present.keys(under: ancestor) }
    }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try storage.update(body)
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        try storage.updating { present throws(StorageError) in ([], try body(present)) }
    }
}
