import Foundation

/// Sealed values as who has the keys reads them.
struct SealedReading: StorageReading {
    let sealed: any StorageReading
    let keys: SealingKeySource

    func value(for key: StorageKey) throws(StorageError) -> Data? {
        guard let bytes = try sealed.value(for: key) else { return nil }
        switch try open(bytes, key) {
        case .success(let value): return value
        // To whoever asks for one value it is all the same why it cannot be had.
        case .failure: throw .invalidValue(key)
        }
    }

    /// Each value, and where there is none why: `.keyMissing` for one that another key sealed.
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

    /// Opens a value; a key that cannot be had now is thrown, since it is not the value's fault.
    func open(_ bytes: Data, _ key: StorageKey) throws(StorageError) -> Result<Data, StorageError> {
        let opened = SealedValue.open(bytes, key, with: try keys.keys())
        guard case .failure(.keyMissing) = opened else { return opened }
        // Another process may have begun a new store with a new key in the place of the old one.
        return SealedValue.open(bytes, key, with: try keys.keys(isStale: true))
    }
}
