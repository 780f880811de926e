import Foundation

/// Several keys and values at once.
extension StorageLog {
    /// The keys below another one, in the order of their values in the file.
    func keys(under ancestor: StorageKey) -> [StorageKey] {
        let found = index.entries.filter { $0.key.isInside(ancestor) }
        return found.sorted { $0.value.offset < $1.value.offset }.map(\.key)
    }

    /// The places of several keys' values, to be read without the lock.
    func places(of keys: [StorageKey]) -> LogPlaces {
        LogPlaces(file: file, keys: keys, entries: keys.map { index.entries[$0] })
    }
}
