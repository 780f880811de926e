/// Where the values of a log are.
struct LogIndex {
    /// A value's place in the file, and its checksum.
    struct Entry: Equatable {
        let offset: Int
        let count: Int
        let checksum: UInt32
    }

    private(set) var entries: [StorageKey: Entry] = [:]
    /// How many bytes the values would need in a log that contains nothing else.
    private(set) var liveBytes = 0

    mutating func put(_ key: StorageKey, _ entry: Entry) {
        if let old = entries.updateValue(entry, forKey: key) { liveBytes -= LogRecord.cost(key, old.count) }
        liveBytes += LogRecord.cost(key, entry.count)
    }

    mutating func remove(_ key: StorageKey) {
        if let old = entries.removeValue(forKey: key) { liveBytes -= LogRecord.cost(key, old.count) }
    }

    mutating func removeAll(under ancestor: StorageKey) {
        for key in entries.keys.filter({ $0.isInside(ancestor) }) { remove(key) }
    }

    /// Applies one step of a record; steps about the file change nothing here.
    mutating func apply(_ step: LogStep) {
        switch step {
        case .put(let key, let entry): put(key, entry)
        case .remove(let key): remove(key)
        case .removeAll(let ancestor): removeAll(under: ancestor)
        case .void, .moved, .note: break
        }
    }
}
