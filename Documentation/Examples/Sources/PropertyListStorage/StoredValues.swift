import Foundation
import TVEStorage

/// The values of a store, by the names of their keys.
struct StoredValues: Codable, Equatable, StorageReading {
    private var values: [String: Data] = [:]

    func value(for key: StorageKey) -> Data? { values[key.rawValue] }

    func keys(under ancestor: StorageKey) -> [StorageKey] {
        values.keys.map(StorageKey.init(rawValue:)).filter { $0.isInside(ancestor) }
    }

    mutating func make(_ change: StorageChange) {
        switch change {
        case .put(let key, let value): values[key.rawValue] = value
        case .putIfAbsent(let key, let value): values[key.rawValue] = values[key.rawValue] ?? value
        case .remove(let key): values[key.rawValue] = nil
        case .removeAll(let ancestor): for key in keys(under: ancestor) { values[key.rawValue] = nil }
        }
    }
}
