import Foundation

/// Several keys and values at once.
extension StorageLog {
    /// The keys below another one, in the order in which their values stand in the file.
    func keys(under ancestor: StorageKey) -> [StorageKey] {
        let found = index.entries.filter { $0.key.isInside(ancestor) }
        return found.sorted { $0.value.offset < $1.value.offset }.map(\.key)
    }

    /// Where the values of several keys are, to be read without anybody waiting for it.
    func places(of keys: [StorageKey]) -> LogPlaces {
        LogPlaces(file: file, keys: keys, entries: keys.map { index.entries[$0] })
    }
}
