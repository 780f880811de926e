import Foundation

/// A store that is held as a dictionary, as a body sees it.
struct DictionaryReading: StorageReading {
    let values: [StorageKey: Data]

    func value(for key: StorageKey) -> Data? { values[key] }
    func keys(under ancestor: StorageKey) -> [StorageKey] { values.keys.filter { $0.isInside(ancestor) } }
}
