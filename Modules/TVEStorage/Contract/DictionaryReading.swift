import Foundation

/// A store in a dictionary, as the body of an update reads it.
struct DictionaryReading: StorageReading {
    let values: [StorageKey: Data]

    func value(for key: StorageKey) -> Data? { values[key] }
    func keys(under ancestor: StorageKey) -> [StorageKey] { values.keys.filter { $0.isInside(ancestor) } }
}
