public import Foundation
import TVEModels

/// A backend that keeps its values in one append-only log, for one or several processes of the same user.
///
/// An update is one checksummed record at the end of the log, decided, written and flushed under an advisory lock that all
/// processes take; updates of several threads share a write and a flush. A reader sees all of a batch or nothing, and an
/// acknowledged batch survives a power cut. The log is rewritten when more than half of it is outdated, and when something
/// was removed for good. Values stay in the file; only keys and places are held in memory. The directory gets mode 0700,
/// the files 0600; those of other users are refused (Documentation/Storage.md).
public final class FileStorage: StorageBackend {
    private let directory: StorageDirectory
    private let storePath: String
    private let lockPath: String
    /// Where a damaged log is kept when writing goes on without its damaged end.
    private let damagedPath: String
    private let patience: Int
    private let flushes: Bool
    private let waiting = Guarded<[StorageCommit]>([])
    private let state: Guarded<State>

    private struct State {
        var log: StorageLog
        var lock: StorageLock?
        /// Whether somebody asked for damage before.
        var isInspected = false
        /// Damage that a write has put aside and nobody was told of.
        var healed: StorageError.Damage?
        /// The length from which on outdated records are worth a new file.
        var compaction = FileStorage.smallestCompaction
        /// The file whose name is known to be on the medium.
        var settled: LogFile?
        /// Directories with names that may not be on the medium yet.
        var unflushed: Set<String> = []
    }

    /// Logs up to this length, in bytes, are left as they are, however outdated.
    private static let smallestCompaction = 32 << 10

    /// Opens a store; nothing is read or created before the first call.
    ///
    /// - Parameters:
    ///   - directory: a directory for this store alone; made with its parents when it is missing.
    ///   - patience: milliseconds a write waits for another process that is writing.
    ///   - flushes: whether a write returns only when its bytes are on the medium; without, a crash of the system (not of
    ///     the process) can lose the last writes, and nothing else.
    public convenience init(directory: URL, patience: Int = 5_000, flushes: Bool = true) {
        self.init(directory: directory, patience: patience, flushes: flushes, system: StorageSystem())
    }

    /// Opens a store over a system whose calls may fail on purpose.
    package init(directory: URL, patience: Int = 5_000, flushes: Bool = true, system: StorageSystem) {
        self.directory = StorageDirectory(path: directory.path, system: system)
        self.patience = max(0, patience)
        self.flushes = flushes
        // Once and for all: making a path takes longer than writing a value.
        lockPath = directory.appendingPathComponent("entitlements.lock").path
        damagedPath = directory.appendingPathComponent("entitlements.damaged").path
        storePath = directory.appendingPathComponent("entitlements.store").path
        state = Guarded(State(log: StorageLog(storePath, system)))
    }

    /// How many updates wait to be written together; for tests that make them wait.
    package var waitingUpdates: Int { waiting.withLock(\.count) }

    /// The system calls of this store, for those who keep files beside it.
    var system: StorageSystem { directory.system }

    // MARK: - Reading

    /// The value of a key, as of the last batch of any process.
    ///
    /// - Parameter key: which value.
    /// - Returns: the bytes, or nil when the key has no value.
    /// - Throws: `StorageError.invalidValue` when the bytes no longer fit their checksum; any other about reading.
    public func value(for key: StorageKey) throws(StorageError) -> Data? {
        try read { log throws(StorageError) in try log.value(for: key) }
    }

    /// The bytes of a value as they are kept, whether they fit their checksum or not.
    ///
    /// - Parameter key: which value.
    /// - Returns: the bytes, or nil when the key has no value.
    /// - Throws: any ``StorageError`` about reading.
    public func rawValue(for key: StorageKey) throws(StorageError) -> Data? {
        try read { log throws(StorageError) in try log.rawValue(for: key) }
    }

    /// The values of several keys, all as of the same moment; quickest in the order of ``keys(under:)``.
    ///
    /// - Parameter keys: which values.
    /// - Returns: the bytes of each, nil where a key has no value.
    /// - Throws: any ``StorageError`` about reading.
    public func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
        try read { log in log.places(of: keys) }.values()
    }

    /// All keys that are this key or lie below it, as of the last batch of any process, in the order of their values in the
    /// log.
    ///
    /// - Parameter ancestor: where to look.
    /// - Returns: the keys that have values.
    /// - Throws: any ``StorageError`` about reading.
    public func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try read { log in log.keys(under: ancestor) }
    }

    /// A number that is another one after every change of any process; costs two system calls.
    ///
    /// - Returns: the number, which means nothing to other handles.
    /// - Throws: any ``StorageError`` about reading.
    public func revision() throws(StorageError) -> UInt64? {
        try read { log in log.revision }
    }

    private func read<Value: Sendable>(
        _ body: (borrowing StorageLog) throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        try state.withLock { state throws(StorageError) in
            try state.log.refresh()
            return try body(state.log)
        }
    }

    // MARK: - Writing

    /// Reads, decides and appends the changes as one record; returns once it is on the medium.
    ///
    /// - Parameter body: sees the present values and returns the changes to make, in order.
    /// - Throws: what `body` throws, or any ``StorageError``; nothing has changed then.
    public func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        let commit = StorageCommit(body)
        waiting.withLock { $0.append(commit) }
        let result: Result<Void, StorageError> = state.withLock { state in
            // Whoever came first has written what was waiting, this update perhaps among it.
            if let result = commit.result { return result }
            let commits = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            do throws(StorageError) {
                try write(commits, &state)
                for commit in commits { commit.finish(.success(())) }
            } catch {
                for commit in commits { commit.finish(.failure(error)) }
            }
            return commit.result ?? .failure(.cannotWrite(errno: EIO))
        }
        try result.get()
    }

    /// Runs the bodies and writes their changes together; a body that fails ends alone.
    private func write(_ commits: [StorageCommit], _ state: inout State) throws(StorageError) {
        let lock = try takeLock(&state)
        defer { lock.release() }
        try prepareToAppend(&state)
        let record = Self.judge(commits, state.log, hasLeftovers: hasLeftovers)
        guard !record.isEmpty else { return }
        if flushes { try flushNames(&state) }
        try state.log.append(record, flushes: flushes)
        compactIfWorthwhile(&state)
    }

    /// Runs the bodies.
    ///
    /// A function of its own, so that nobody but the state holds the log when the record is appended.
    private static func judge(
        _ commits: [StorageCommit], _ log: StorageLog, hasLeftovers: @escaping @Sendable () -> Bool
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

    /// Brings the log up to date and into a state in which a record can be appended.
    private func prepareToAppend(_ state: inout State) throws(StorageError) {
        // What another process wrote since the last look must not be lost.
        try state.log.refresh(hasLock: true)
        try state.log.verifyDamage()
        try state.log.requireWritable()
        guard !state.log.takesRecords else { return }
        let isDamaged = state.log.tail == .damaged
        try state.log.replaceFile(keepingOldAt: isDamaged ? damagedPath : nil)
        if isDamaged { state.healed = .checksum }
    }

    /// Makes sure that the log's name is on the medium, before anything in it is acknowledged.
    ///
    /// Another process may have put the file there and ended before the name was safe.
    private func flushNames(_ state: inout State) throws(StorageError) {
        if state.log.file == nil { try state.log.replaceFile() }
        if state.log.file !== state.settled {
            // The directory itself may be another process's that ended before its name was safe.
            if state.settled == nil { state.unflushed.insert((directory.path as NSString).deletingLastPathComponent) }
            state.unflushed.insert(directory.path)
        }
        while let path = state.unflushed.first {
            try system.flushDirectory(path)
            state.unflushed.remove(path)
        }
        state.settled = state.log.file
    }

    /// Rewrites the log when that is due.
    ///
    /// The writes are done already, so a failure here is no failure of theirs. What was to be erased is tried again with the
    /// next write; what is only outdated, when the log is twice as long.
    private func compactIfWorthwhile(_ state: inout State) {
        guard state.log.mustErase || state.log.length > max(state.compaction, 2 * state.log.index.liveBytes) else {
            return
        }
        do throws(StorageError) {
            if state.log.mustErase { try eraseAsides() }
            try state.log.replaceFile()
            state.compaction = Self.smallestCompaction
            // A name that is not safe yet is made safe before the next acknowledgement at the latest.
            if flushes { try? flushNames(&state) }
        } catch {
            state.compaction = 2 * state.log.end
        }
    }

    /// Whether bytes of an earlier log stand beside this one: of a damaged one, or of a rewriting that broke off.
    @Sendable private func hasLeftovers() -> Bool {
        [damagedPath, "\(damagedPath).new", "\(storePath).new"].contains { path in
            // What cannot be looked at may be there.
            (try? system.status(of: path).map { _ in true } ?? false) ?? true
        }
    }

    /// Removes what was kept aside of a damaged log: what is to be gone may be in there.
    private func eraseAsides() throws(StorageError) {
        for path in [damagedPath, "\(damagedPath).new"] { try system.remove(path) }
    }

    /// Takes the lock between processes; the directory is made when it is not there.
    private func takeLock(_ state: inout State) throws(StorageError) -> StorageLock {
        // Somebody may remove the directory at any moment, and others then lock another file.
        for _ in 0..<16 {
            if state.lock == nil {
                state.unflushed.formUnion(try directory.prepare())
                state.lock = try StorageLock(lockPath, system)
            }
            guard let lock = state.lock else { continue }
            try lock.take(patience: patience)
            do throws(StorageError) {
                if try system.status(of: lockPath).map({ UInt64($0.st_ino) }) == lock.inode {
                    state.log.lock = lock
                    return lock
                }
            } catch {
                lock.release()
                throw error
            }
            lock.release()
            state.lock = nil
        }
        throw .locked
    }

    // MARK: - The store as a whole

    /// Whether all bytes of the log fit together, looked at while nobody writes.
    ///
    /// - Returns: nil for a log in order, else what is wrong with its end. What stands before the damage is still served, and
    ///   a single damaged value shows when it is read.
    /// - Throws: any ``StorageError`` about reading, `.locked` when another process keeps the store locked.
    public func damage() throws(StorageError) -> StorageError.Damage? {
        try state.withLock { state throws(StorageError) in
            guard try system.status(of: state.log.path) != nil else { return nil }
            let lock = try takeLock(&state)
            defer { lock.release() }
            if let healed = state.healed.take() { return healed }
            // What this handle has read it checked on the way; from the second time on it is read anew.
            if state.isInspected { state.log.reset(nil) }
            state.isInspected = true
            try state.log.refresh()
            try state.log.verifyDamage()
            return switch state.log.tail {
            case .clean: nil
            case .incomplete: .truncated
            case .damaged: .checksum
            }
        }
    }

    /// Writes some bytes to the place for probes and reads them back, without waiting for the medium.
    ///
    /// - Returns: false when other bytes came back.
    /// - Throws: any ``StorageError``.
    public func probe() throws(StorageError) -> Bool {
        let bytes = Data(UUID().uuidString.utf8)
        return try state.withLock { state throws(StorageError) in
            let lock = try takeLock(&state)
            defer { lock.release() }
            try prepareToAppend(&state)
            return try state.log.probe(bytes)
        }
    }

    /// Removes everything, a log that cannot be read too; no byte of it is left in the directory.
    ///
    /// - Throws: any ``StorageError``; the old log is still there then.
    public func removeEverything() throws(StorageError) {
        try beginAnew { () throws(StorageError) in
            try eraseAsides()
            return nil
        }
    }

    /// Begins a new log in the place of one that cannot be read; the old one is kept as `entitlements.damaged`.
    ///
    /// - Throws: any ``StorageError``; the old log is still there then.
    public func setAside() throws(StorageError) {
        try beginAnew { () throws(StorageError) in damagedPath }
    }

    private func beginAnew(_ prepare: () throws(StorageError) -> String?) throws(StorageError) {
        try state.withLock { state throws(StorageError) in
            guard try system.status(of: directory.path) != nil else { return }
            let lock = try takeLock(&state)
            defer { lock.release() }
            do throws(StorageError) {
                // So that those who have the old file open are told.
                try state.log.refresh()
            } catch .damaged {
                state.log.reset(nil)
            } catch .cannotRead(let number) {
                // What will be readable again is not to be removed unseen.
                guard !StorageError.cannotRead(errno: number).passesByItself else { throw .cannotRead(errno: number) }
                state.log.reset(nil)
            }
            do throws(StorageError) {
                state.log.forgetValues()
                try state.log.replaceFile(keepingOldAt: try prepare())
            } catch {
                // The file is still there, and so are its values.
                state.log.reset(nil)
                throw error
            }
            if flushes { try flushNames(&state) }
        }
    }
}
