import Foundation

/// What is present, with changes on top that are decided but not made yet.
struct StorageDraft: StorageReading {
    private let present: any StorageReading
    /// What keys have by the changes so far; nil inside for none.
    private var decided: [StorageKey: Data?] = [:]
    /// Keys under which everything was removed, before what was decided since.
    private var cleared: [StorageKey] = []
    /// The changes, in order.
    private(set) var changes: [StorageChange] = []

    init(of present: any StorageReading) {
        self.present = present
    }

    /// Adds changes to those that will be made.
    mutating func add(_ batch: [StorageChange]) throws(StorageError) {
        for change in batch {
            // The bytes as they are kept: a value that cannot be read is there all the same.
            if case .putIfAbsent(let key, _) = change, try rawValue(for: key) != nil { continue }
            decide(change)
            changes.append(change)
        }
    }

    /// Lets a change count for what is read from now on; one that puts a value if there is none must find none.
    mutating func decide(_ change: StorageChange) {
        switch change {
        case .put(let key, let value), .putIfAbsent(let key, let value): decided[key] = .some(value)
        case .remove(let key): decided[key] = .some(nil)
        case .removeAll(let ancestor):
            for key in decided.keys where key.isInside(ancestor) { decided[key] = nil }
            cleared.append(ancestor)
        }
    }

    /// What the changes say about a key; nil when they say nothing.
    func decision(about key: StorageKey) -> Data?? {
        if let known = decided[key] { return known }
        return cleared.contains { key.isInside($0) } ? .some(nil) : nil
    }

    /// Whether anything is below a key, by the changes or amongst keys that are present.
    func holdsAnything(under ancestor: StorageKey, amongst keys: some Sequence<StorageKey>) -> Bool {
        decided.contains { $0.value != nil && $0.key.isInside(ancestor) }
            || keys.contains { $0.isInside(ancestor) && decision(about: $0) == nil }
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? {
        if let known = decision(about: key) { return known }
        return try present.value(for: key)
    }

    func rawValue(for key: StorageKey) throws(StorageError) -> Data? {
        if let known = decision(about: key) { return known }
        return try present.rawValue(for: key)
    }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        let before = try present.keys(under: ancestor)
        if decided.isEmpty && cleared.isEmpty { return before }
        return before.filter { decision(about: $0) == nil }
            + decided.filter { $0.value != nil && $0.key.isInside(ancestor) }.keys
    }
}
