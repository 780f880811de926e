public import Foundation

/// One change of a batch.
public enum StorageChange: Sendable {
    /// Stores a value and replaces an earlier value of the key.
    case put(StorageKey, Data)
    /// Stores a value, unless the key has one.
    case putIfAbsent(StorageKey, Data)
    /// Removes a value, if there is one.
    case remove(StorageKey)
    /// Removes the value of a key and of every key below it.
    case removeAll(under: StorageKey)
}

extension [StorageKey: Data] {
    /// Makes one change to a store in a dictionary.
    package mutating func apply(_ change: StorageChange) {
        switch change {
        case .put(let key, let value): self[key] = value
        case .putIfAbsent(let key, let value): self[key] = self[key] ?? value
        case .remove(let key): removeValue(forKey: key)
        case .removeAll(let ancestor): self = filter { !$0.key.isInside(ancestor) }
        }
    }
}

/// A store in a dictionary, in the form that the body of an update reads.
package struct DictionaryReading: StorageReading {
    let values: [StorageKey: Data]

    package init(_ values: [StorageKey: Data]) {
        self.values = values
    }

    package func value(for key: StorageKey) -> Data? { values[key] }
    package func keys(under ancestor: StorageKey) -> [StorageKey] { values.keys.filter { $0.isInside(ancestor) } }
}
