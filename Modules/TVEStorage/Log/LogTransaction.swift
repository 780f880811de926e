import Foundation
import TVEModels

/// A run of the bodies of updates that are written together, one after the other, against an unchanged log.
///
/// Their changes form one record, so that a reader never mistakes an interrupted write for a complete one.
struct LogTransaction {
    private(set) var record = LogRecord()
    private let log: StorageLog
    private let hasLeftovers: @Sendable () -> Bool
    /// The values that the next body reads, which are the log with the changes of the earlier bodies.
    private var draft: StorageDraft

    /// Begins at the end of a log.
    ///
    /// - Parameters:
    ///   - log: the log, which must not change during the transaction, because a second owner would make it copy its
    ///     index.
    ///   - hasLeftovers: returns a Boolean value that indicates whether the directory contains bytes of an earlier log.
    init(_ log: StorageLog, hasLeftovers: @escaping @Sendable () -> Bool) {
        self.log = log
        self.hasLeftovers = hasLeftovers
        draft = StorageDraft(of: LogReading(log: log))
    }

    /// Runs a body.
    ///
    /// If it fails, the record contains none of its changes.
    mutating func run(
        _ body: (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        let batch = try body(draft)
        let size = batch.reduce(record.count) { $0 + Self.maximumSize(of: $1) }
        guard size <= LogFormat.maximumPayload else { throw .tooLarge(limit: LogFormat.maximumPayload) }
        for change in batch { encode(change) }
    }

    /// Writes a change into the record, unless it has no effect.
    private mutating func encode(_ change: StorageChange) {
        switch change {
        case .put(let key, let value): record.appendValue(value, for: key)
        case .putIfAbsent(let key, let value):
            guard !hasValue(for: key) else { return }
            record.appendValue(value, for: key)
        case .remove(let key):
            guard hasValue(for: key) else { return }
            record.appendRemoval(of: key)
        case .removeAll(let ancestor):
            // Outdated bytes in the file may belong to a value that must be removed permanently.
            guard
                log.hasOutdated || draft.holdsAnything(under: ancestor, amongst: log.index.entries.keys)
                    || hasLeftovers()
            else { return }
            record.appendRemoval(ofAllUnder: ancestor)
        }
        draft.decide(change)
    }

    private func hasValue(for key: StorageKey) -> Bool {
        if let known = draft.decision(about: key) { return known != nil }
        return log.index.entries[key] != nil
    }

    /// Returns the number of bytes that a change needs at most.
    private static func maximumSize(of change: StorageChange) -> Int {
        switch change {
        case .put(let key, let value), .putIfAbsent(let key, let value): LogRecord.cost(key, value.count)
        case .remove(let key), .removeAll(let key): LogRecord.cost(key, 0)
        }
    }
}

/// The contents of a log in the form that the body of an update reads.
private struct LogReading: StorageReading {
    let log: StorageLog

    func value(for key: StorageKey) throws(StorageError) -> Data? { try log.value(for: key) }
    func rawValue(for key: StorageKey) throws(StorageError) -> Data? { try log.rawValue(for: key) }
    func keys(under ancestor: StorageKey) -> [StorageKey] { log.keys(under: ancestor) }

    func values(for keys: [StorageKey]) -> [Result<Data?, StorageError>] { log.locations(of: keys).values() }
}

/// An update that waits to be written, alone or together with others.
final class StorageCommit: Sendable {
    let body: @Sendable (any StorageReading) throws(StorageError) -> [StorageChange]
    private let outcome = Guarded<Result<Void, StorageError>?>(nil)

    init(_ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> [StorageChange]) {
        self.body = body
    }

    /// The outcome of the update, or nil while it waits.
    var result: Result<Void, StorageError>? { outcome.withLock { $0 } }

    /// Sets the outcome, once.
    func finish(_ result: Result<Void, StorageError>) { outcome.withLock { $0 = $0 ?? result } }
}
