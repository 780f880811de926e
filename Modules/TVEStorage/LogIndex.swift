/// Where the values of a log are.
struct LogIndex {
    /// A value's place in the file.
    struct Entry: Equatable {
        let offset: Int
        let count: Int
    }

    private(set) var entries: [StorageKey: Entry] = [:]
    /// How many bytes the values would take in a log that holds nothing else.
    private(set) var liveBytes = 0

    mutating func put(_ key: StorageKey, _ entry: Entry) {
        if let old = entries.updateValue(entry, forKey: key) { liveBytes -= LogOperation.cost(key, old.count) }
        liveBytes += LogOperation.cost(key, entry.count)
    }

    mutating func remove(_ key: StorageKey) {
        if let old = entries.removeValue(forKey: key) { liveBytes -= LogOperation.cost(key, old.count) }
    }

    mutating func removeAll(under ancestor: StorageKey) {
        for key in entries.keys.filter({ $0.isInside(ancestor) }) { remove(key) }
    }

    /// Makes one operation of a record.
    ///
    /// - Parameters:
    ///   - step: the operation.
    ///   - start: where the record's payload begins in the file.
    mutating func apply(_ step: LogOperation.Step, payloadAt start: Int) {
        switch step {
        case .put(let key, let offset, let count): put(key, Entry(offset: start + offset, count: count))
        case .remove(let key): remove(key)
        case .removeAll(let ancestor): removeAll(under: ancestor)
        }
    }
}
