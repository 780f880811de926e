import Foundation

/// The stored values with changes that are decided but not yet made.
struct StorageDraft: StorageReading {
    private let present: any StorageReading
    /// The values of keys after the changes so far.
    ///
    /// The inner value is nil for a key without a value.
    private var decided: [StorageKey: Data?] = [:]
    /// The keys under which everything was removed, before the later decisions.
    private var cleared: [StorageKey] = []
    private(set) var changes: [StorageChange] = []

    init(of present: any StorageReading) {
        self.present = present
    }

    mutating func add(_ batch: [StorageChange]) throws(StorageError) {
        for change in batch {
            // This reads the stored bytes, because an unreadable value still exists.
            if case .putIfAbsent(let key, _) = change, try rawValue(for: key) != nil { continue }
            decide(change)
            changes.append(change)
        }
    }

    /// Applies a change to later reads.
    ///
    /// The key of a `putIfAbsent` must not have a value.
    mutating func decide(_ change: StorageChange) {
        switch change {
        case .put(let key, let value), .putIfAbsent(let key, let value): decided[key] = .some(value)
        case .remove(let key): decided[key] = .some(nil)
        case .removeAll(let ancestor):
            for key in decided.keys where key.isInside(ancestor) { decided[key] = nil }
            cleared.append(ancestor)
        }
    }

    /// Returns the value that the changes give a key, or nil if they do not affect the key.
    func decision(about key: StorageKey) -> Data?? {
        if let known = decided[key] { return known }
        return cleared.contains { key.isInside($0) } ? .some(nil) : nil
    }

    /// Returns a Boolean value that indicates whether there is a value below a key, after the changes or among the
    /// stored keys.
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
