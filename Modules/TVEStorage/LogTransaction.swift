import Foundation

/// Runs the bodies of updates that are written together, one after the other, against a log that none has changed yet.
///
/// One record comes of all of them, so that a write that breaks off leaves nothing that a reader could take for whole.
struct LogTransaction {
    private(set) var record = LogRecord()
    private let log: StorageLog
    private let hasLeftovers: @Sendable () -> Bool
    /// What the next body sees: the log with what the bodies before it decided.
    private var draft: StorageDraft

    /// Begins at the end of a log.
    ///
    /// - Parameters:
    ///   - log: not changed while the transaction lives, since a second owner would make the log copy its index.
    ///   - hasLeftovers: whether bytes of an earlier log stand beside this one.
    init(_ log: StorageLog, hasLeftovers: @escaping @Sendable () -> Bool) {
        self.log = log
        self.hasLeftovers = hasLeftovers
        draft = StorageDraft(of: LogReading(log: log))
    }

    /// Runs a body; when it fails, nothing of it is in the record.
    mutating func run(
        _ body: (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        let batch = try body(draft)
        let size = batch.reduce(record.count) { $0 + Self.most($1) }
        guard size <= LogFormat.maximumPayload else { throw .tooLarge(limit: LogFormat.maximumPayload) }
        for change in batch { add(change) }
    }

    private mutating func add(_ change: StorageChange) {
        switch change {
        case .put(let key, let value): put(key, value)
        case .putIfAbsent(let key, let value):
            if !holds(key) { put(key, value) }
        case .remove(let key):
            guard holds(key) else { return }
            record.remove(key)
            draft.decide(change)
        case .removeAll(let ancestor):
            // What is outdated in the file may be of a value that is to be gone for good.
            guard
                log.hasOutdated || draft.holdsAnything(under: ancestor, amongst: log.index.entries.keys)
                    || hasLeftovers()
            else { return }
            record.removeAll(under: ancestor)
            draft.decide(change)
        }
    }

    private mutating func put(_ key: StorageKey, _ value: Data) {
        record.put(key, value)
        draft.decide(.put(key, value))
    }

    private func holds(_ key: StorageKey) -> Bool {
        if let known = draft.decision(about: key) { return known != nil }
        return log.index.entries[key] != nil
    }

    /// The bytes that a change takes at most.
    private static func most(_ change: StorageChange) -> Int {
        switch change {
        case .put(let key, let value), .putIfAbsent(let key, let value): LogRecord.cost(key, value.count)
        case .remove(let key), .removeAll(let key): LogRecord.cost(key, 0)
        }
    }
}

/// What a log holds, as a body sees it.
private struct LogReading: StorageReading {
    let log: StorageLog

    func value(for key: StorageKey) throws(StorageError) -> Data? { try log.value(for: key) }
    func rawValue(for key: StorageKey) throws(StorageError) -> Data? { try log.rawValue(for: key) }
    func keys(under ancestor: StorageKey) -> [StorageKey] { log.keys(under: ancestor) }

    func values(for keys: [StorageKey]) -> [Result<Data?, StorageError>] { log.places(of: keys).values() }
}
