import Foundation
import TVEStorage

/// The values of a store by their keys.
///
/// Not a dictionary of texts: Swift takes texts that look the same for equal, and keys are their bytes.
struct StoredValues: Equatable, StorageReading {
    private var values: [StorageKey: Data] = [:]

    func value(for key: StorageKey) -> Data? { values[key] }

    func keys(under ancestor: StorageKey) -> [StorageKey] { values.keys.filter { $0.isInside(ancestor) } }

    mutating func make(_ change: StorageChange) {
        switch change {
        case .put(let key, let value): values[key] = value
        case .putIfAbsent(let key, let value): values[key] = values[key] ?? value
        case .remove(let key): values[key] = nil
        case .removeAll(let ancestor): for key in keys(under: ancestor) { values[key] = nil }
        }
    }
}

/// As a list of entries. Keys are bytes there too: a property list keeps texts that look the same once.
extension StoredValues: Codable {
    private struct Entry: Codable {
        let key: Data
        let value: Data

        var storageKey: StorageKey { StorageKey(rawValue: String(decoding: key, as: UTF8.self)) }
    }

    init(from decoder: any Decoder) throws {
        for entry in try [Entry](from: decoder) { values[entry.storageKey] = entry.value }
    }

    func encode(to encoder: any Encoder) throws {
        try values.sorted { $0.key < $1.key }.map { Entry(key: Data($0.key.rawValue.utf8), value: $0.value) }.encode(
            to: encoder)
    }
}
