import Foundation

/// Sealed values, opened with the keys.
struct SealedReading: StorageReading {
    let sealed: any StorageReading
    let keys: SealingKeySource

    func value(for key: StorageKey) throws(StorageError) -> Data? {
        guard let bytes = try sealed.value(for: key) else { return nil }
        switch try open(bytes, key) {
        case .success(let value): return value
        // A caller that reads one value does not need to know why it cannot be opened.
        case .failure: throw .invalidValue(key)
        }
    }

    /// Each value, or its error: `.keyMissing` for a value that another key sealed.
    func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
        let values = try sealed.values(for: keys)
        var opened: [Result<Data?, StorageError>] = []
        opened.reserveCapacity(keys.count)
        for (key, value) in zip(keys, values) {
            switch value {
            case .success(let bytes?): opened.append(try open(bytes, key).map(Optional.some))
            case .success(nil), .failure: opened.append(value)
            }
        }
        return opened
    }

    func rawValue(for key: StorageKey) throws(StorageError) -> Data? { try sealed.rawValue(for: key) }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { try sealed.keys(under: ancestor) }

    /// Opens a value; throws when a key is temporarily unavailable, because that is not the value's fault.
    func open(_ bytes: Data, _ key: StorageKey) throws(StorageError) -> Result<Data, StorageError> {
        let opened = SealedValue.open(bytes, key, with: try keys.keys())
        guard case .failure(.keyMissing) = opened else { return opened }
        // Another process may have replaced the store and its key.
        return SealedValue.open(bytes, key, with: try keys.keys(isStale: true))
    }
}
