public import Foundation
import TVEModels

/// A backend that stores its values in one append-only log, for one or several processes of the same user.
///
/// An update is one checksummed record at the end of the log. Its body runs, and its record is written and flushed,
/// under an advisory lock between processes. Updates of several threads share a write and a flush. A reader sees either
/// all changes of a batch or none, and an acknowledged batch survives a power failure. The log is rewritten if more
/// than half of it is outdated, and after a permanent removal. Values stay in the file, and only keys and offsets are
/// held in memory. The directory has mode 0700 and its files have 0600. Files of other users are refused
/// (Documentation/Storage.md).
public final class FileStorage: StorageBackend {
    /// The updates that wait to be written together.
    let waiting = Guarded<[StorageCommit]>([])
    private let state: Guarded<LogKeeper>
    private let patience: Duration
    private let paths: StorePaths
    /// The system calls of this store, for types that store files beside it.
    let system: StorageSystem

    /// Opens a store.
    ///
    /// It reads and creates nothing before the first call.
    ///
    /// - Parameters:
    ///   - directory: a directory for this store alone, which is created with its parents if it is missing.
    ///   - patience: the time that a write waits for another process that is writing, in milliseconds.
    ///   - flushes: a Boolean value that indicates whether a write returns only after its bytes are on the medium. If
    ///     false, a crash of the system (not of the process) can lose the last writes, and nothing else.
    public convenience init(directory: URL, patience: Int = 5_000, flushes: Bool = true) {
        self.init(directory: directory, patience: patience, flushes: flushes, system: StorageSystem())
    }

    /// Opens a store over a system whose calls may fail on purpose.
    package init(directory: URL, patience: Int = 5_000, flushes: Bool = true, system: StorageSystem) {
        self.system = system
        self.patience = .milliseconds(max(0, patience))
        paths = StorePaths(directory, system)
        state = Guarded(LogKeeper(paths, flushes: flushes, system))
    }

    // MARK: - Reading

    /// Returns the value of a key, as of the last batch of any process.
    ///
    /// - Throws: `StorageError.invalidValue` if the bytes do not match their checksum, or any other error about
    ///   reading.
    public func value(for key: StorageKey) throws(StorageError) -> Data? {
        try read { log throws(StorageError) in try log.value(for: key) }
    }

    /// Returns the value of a key without looking for newer records, if the revision is the present one.
    ///
    /// - Parameters:
    ///   - key: the key of the value.
    ///   - revision: the result that ``revision()`` has just returned.
    func value(for key: StorageKey, as revision: UInt64) throws(StorageError) -> Data? {
        try state.withLock { state throws(StorageError) in
            guard state.log.revision != revision else { return try state.log.value(for: key) }
            return try state.read { log throws(StorageError) in try log.value(for: key) }
        }
    }

    /// Returns the place of a key's value without looking for newer records.
    func place(of key: StorageKey) -> ValuePlace {
        state.withLock { state in state.log.place(of: key) }
    }

    /// Returns the stored bytes of a value, whether they match their checksum or not.
    public func rawValue(for key: StorageKey) throws(StorageError) -> Data? {
        try read { log throws(StorageError) in try log.rawValue(for: key) }
    }

    /// Returns the values of several keys at the same moment, which is fastest in the order of ``keys(under:)``.
    public func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
        try read { log in log.locations(of: keys) }.values()
    }

    /// Returns all keys that are this key or lie below it, as of the last batch of any process, in the order of their
    /// values.
    public func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try read { log in log.keys(under: ancestor) }
    }

    /// Returns a number that differs after every change of any process, at the cost of two system calls.
    ///
    /// - Returns: the number, which is meaningless to other handles.
    public func revision() throws(StorageError) -> UInt64? { try read { log in log.revision } }

    private func read<Value: Sendable>(
        _ body: (borrowing StorageLog) throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        try state.withLock { state throws(StorageError) in try state.read(body) }
    }

    // MARK: - Writing

    /// Reads, decides and appends the changes as one record, and returns when the record is on the medium.
    public func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try update(patience: patience, body)
    }

    /// Reads, decides and appends as ``update(_:)`` does, but waits at most this long for another process, and never
    /// longer than the store's own patience.
    public func update(
        patience: Duration,
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        let commit = StorageCommit(body)
        waiting.withLock { $0.append(commit) }
        let result: Result<Void, StorageError>
        do throws(StorageError) {
            // The first caller writes all waiting updates, possibly including this one.
            result = try withLock(patience: patience, unless: { commit.result }) { state in
                commitWaiting(&state)
                return commit.result ?? .failure(.cannotWrite(errno: EIO))
            }
        } catch {
            result = state.withLock { _ in
                // An update that has left the queue is never written.
                waiting.withLock { waiting in waiting.removeAll { $0 === commit } }
                return commit.result ?? .failure(error)
            }
        }
        try result.get()
    }

    /// Runs the bodies of the waiting updates, and writes their changes together.
    ///
    /// The caller must hold the lock. If a body fails, only its update fails.
    private func commitWaiting(_ state: inout LogKeeper) {
        let commits = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        do throws(StorageError) {
            try state.prepareToAppend()
            let record = Self.record(of: commits, over: state.log) { [paths = state.paths] in paths.hasLeftovers }
            try state.commit(record)
            for commit in commits { commit.finish(.success(())) }
        } catch {
            for commit in commits { commit.finish(.failure(error)) }
        }
    }

    /// Runs a body under the lock between processes.
    ///
    /// While another process holds the lock, this store waits without holding its own lock, so that its readers
    /// continue.
    ///
    /// - Parameters:
    ///   - patience: the time to wait, or nil for the store's own.
    ///   - known: returns a result that makes the lock unnecessary. It is called before each attempt to take the lock.
    private func withLock<Value: Sendable>(
        patience: Duration? = nil, unless known: () -> Value? = { nil },
        _ body: (inout LogKeeper) throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        let longest = min(patience ?? self.patience, self.patience)
        return try StorageWait.retry(for: longest) { () throws(StorageError) in
            try state.withLock { state throws(StorageError) -> Value? in
                if let known = known() { return known }
                return try state.withLockIfFree(body)
            }
        }
    }

    /// Runs the bodies, and returns a record of their changes.
    ///
    /// This is a separate function so that only the state holds the log when the record is appended.
    private static func record(
        of commits: [StorageCommit], over log: StorageLog, hasLeftovers: @escaping @Sendable () -> Bool
    ) -> LogRecord {
        var transaction = LogTransaction(log, hasLeftovers: hasLeftovers)
        for commit in commits {
            do throws(StorageError) {
                try transaction.run(commit.body)
            } catch {
                commit.finish(.failure(error))
            }
        }
        return transaction.record
    }

    // MARK: - The store as a whole

    /// Returns the damage of the log, whose bytes are checked under the lock.
    ///
    /// The check writes nothing, and creates no file. If the store can only be read, it takes no lock, and may report
    /// a record as damaged that a process with more rights is writing.
    ///
    /// - Returns: nil for an intact log, or else the damage at its end. Values before the damage are still readable,
    ///   and a single damaged value is detected when it is read.
    /// - Throws: any ``StorageError`` about reading, or `.locked` if another process holds the lock of the store.
    public func damage() throws(StorageError) -> StorageError.Damage? {
        guard try system.status(of: paths.log) != nil else { return nil }
        return try StorageWait.retry(for: patience) { () throws(StorageError) in
            try state.withLock { state throws(StorageError) in try state.inspectIfFree() }
        }.damage
    }

    /// Writes some bytes to the probe area and reads them back, without waiting for the medium.
    public func probe() throws(StorageError) -> Bool {
        let bytes = Data(UUID().uuidString.utf8)
        return try withLock { state throws(StorageError) in try state.probe(bytes) }
    }

    /// Removes everything, even from an unreadable log, so that no byte of it remains in the directory.
    ///
    /// - Throws: any ``StorageError``. Then the old log still exists.
    public func removeEverything() throws(StorageError) {
        guard try system.status(of: paths.directory.path) != nil else { return }
        try withLock { state throws(StorageError) in try state.removeEverything() }
    }

    /// Replaces an unreadable log with a new one, and preserves the old log as `entitlements.damaged`.
    ///
    /// If only the header is damaged, the new log has the values of all records up to the first damaged one. A log that
    /// can be read retains its values.
    ///
    /// - Throws: any ``StorageError``. Then the old log still exists.
    public func setAside() throws(StorageError) {
        guard try system.status(of: paths.directory.path) != nil else { return }
        try withLock { state throws(StorageError) in try state.setAside() }
    }
}
