public import Foundation
import TVEModels

/// A backend that keeps its values in one append-only log, for one or several processes of the same user.
///
/// A batch is one checksummed record at the end of the log, written and flushed under an advisory lock that all processes
/// take; batches of several threads share a write and a flush. A reader sees all of a batch or nothing, and an
/// acknowledged batch survives a power cut. The log is rewritten when more than half of it is outdated. Values stay
/// in the file; only keys and places are held in memory. The directory gets mode 0700, the files 0600
/// (Documentation/Storage.md).
public final class FileStorage: StorageBackend {
    private let directory: URL
    private let fileURL: URL
    private let lockURL: URL
    private let lockPath: String
    /// Where a damaged log is kept when writing goes on without its damaged end.
    private let damagedURL: URL
    private let patience: Int
    private let flushes: Bool
    private let waiting = Guarded<[StorageCommit]>([])
    private let state: Guarded<State>

    private struct State {
        var log: StorageLog
        var lock: StorageFile.Lock?
        /// Whether somebody asked for damage before.
        var isInspected = false
        /// Damage that a write has put aside and nobody was told of.
        var healed: StorageError.Damage?
        /// The length from which on outdated records are worth a new file.
        var compaction = FileStorage.smallestCompaction
    }

    /// Logs up to this length, in bytes, are left as they are, however outdated.
    private static let smallestCompaction = 16 << 10

    /// Opens a store; nothing is read or created before the first call.
    ///
    /// - Parameters:
    ///   - directory: a directory for this store alone; made with its parents when it is missing.
    ///   - patience: milliseconds a write waits for another process that is writing.
    ///   - flushes: whether a write returns only when its bytes are on the medium; without, a crash of the system (not of
    ///     the process) can lose the last writes, and nothing else.
    public init(directory: URL, patience: Int = 5_000, flushes: Bool = true) {
        self.directory = directory
        self.patience = max(0, patience)
        self.flushes = flushes
        // Once and for all: making a URL takes longer than writing a value.
        fileURL = directory.appendingPathComponent("entitlements.store")
        lockURL = directory.appendingPathComponent("entitlements.lock")
        lockPath = lockURL.path
        damagedURL = directory.appendingPathComponent("entitlements.damaged")
        state = Guarded(State(log: StorageLog(fileURL)))
    }

    /// Where an app's store lives by convention.
    ///
    /// - Parameter name: the app's bundle id or another name that is its own.
    /// - Returns: `$XDG_DATA_HOME/swift-access-enabler/NAME`, by default below `~/.local/share`; on Apple systems
    ///   `Application Support/swift-access-enabler/NAME`.
    public static func defaultDirectory(name: String) -> URL {
        let environment = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let base = environment.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? systemDirectory
        return base.appendingPathComponent("swift-access-enabler", isDirectory: true)
            .appendingPathComponent(name.replacing("/", with: "_"), isDirectory: true)
    }

    /// Where the key of a sealed store lives by convention: in a file beside the log.
    ///
    /// - Parameter directory: the store's directory.
    public static func sealingKey(in directory: URL) -> URL { directory.appendingPathComponent("sealing.key") }

    private static var systemDirectory: URL {
        #if canImport(Darwin)
        return URL.applicationSupportDirectory
        #else
        return URL.homeDirectory.appendingPathComponent(".local/share", isDirectory: true)
        #endif
    }

    /// The value of a key, as of the last batch of any process.
    ///
    /// - Parameter key: which value.
    /// - Returns: the bytes, or nil when the key has no value.
    /// - Throws: any ``StorageError`` about reading.
    public func value(for key: StorageKey) throws(StorageError) -> Data? {
        try state.withLock { state throws(StorageError) in
            try state.log.refresh()
            return try state.log.value(for: key)
        }
    }

    /// The values of several keys, all as of the same moment.
    ///
    /// - Parameter keys: which values.
    /// - Returns: the bytes of each, nil where a key has no value.
    /// - Throws: any ``StorageError`` about reading.
    public func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
        try state.withLock { state throws(StorageError) in
            try state.log.refresh()
            return keys.map { key in
                do throws(StorageError) {
                    return .success(try state.log.value(for: key))
                } catch {
                    return .failure(error)
                }
            }
        }
    }

    /// All keys that are this key or lie below it, as of the last batch of any process.
    ///
    /// - Parameter ancestor: where to look.
    /// - Returns: the keys that have values.
    /// - Throws: any ``StorageError`` about reading.
    public func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try state.withLock { state throws(StorageError) in
            try state.log.refresh()
            return state.log.index.entries.keys.filter { $0.isInside(ancestor) }
        }
    }

    /// Appends all changes as one record; returns once it is on the medium.
    ///
    /// - Parameter batch: the changes, made in order.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func apply(_ batch: [StorageChange]) throws(StorageError) {
        let commit = StorageCommit(batch)
        waiting.withLock { $0.append(commit) }
        let result: Result<Void, StorageError> = state.withLock { state in
            // Whoever came first has written what was waiting, this batch perhaps among it.
            if let result = commit.result { return result }
            let commits = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            write(commits, &state)
            return commit.result ?? .failure(.cannotWrite(errno: EIO))
        }
        try result.get()
    }

    /// Whether all bytes of the log fit together, looked at while nobody writes.
    ///
    /// - Returns: nil for a log in order, else what is wrong with its end. What stands before the damage is still served.
    /// - Throws: any ``StorageError`` about reading, `.locked` when another process keeps the store locked.
    public func damage() throws(StorageError) -> StorageError.Damage? {
        try state.withLock { state throws(StorageError) in
            guard try StorageFile.identity(of: fileURL.path) != nil else { return nil }
            let lock = try takeLock(&state)
            defer { lock.release() }
            if let healed = state.healed.take() { return healed }
            // What this handle has read it checked on the way; from the second time on it is read anew.
            if state.isInspected { state.log = StorageLog(fileURL) }
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

    /// Removes everything, and starts a new log in the place of one that cannot be read; that one is kept aside.
    ///
    /// - Throws: any ``StorageError``; the old log is still there then.
    public func removeEverything() throws(StorageError) {
        do throws(StorageError) {
            try apply([.removeAll(under: .everything)])
        } catch .damaged {
            try state.withLock { state throws(StorageError) in
                let lock = try takeLock(&state)
                defer { lock.release() }
                state.log = StorageLog(fileURL)
                try state.log.compact(keepingOldAs: damagedURL)
            }
        }
    }

    /// Writes batches together, and if that fails each by itself, so that none pays for another.
    private func write(_ commits: [StorageCommit], _ state: inout State) {
        do throws(StorageError) {
            let lock = try takeLock(&state)
            defer { lock.release() }
            // What another process wrote since our last look must not be lost.
            try state.log.refresh()
            try state.log.verifyDamage()
            if state.log.tail == .damaged {
                try state.log.compact(keepingOldAs: damagedURL)
                state.healed = .checksum
            }
            do throws(StorageError) {
                try append(commits, &state)
                for commit in commits { commit.finish(.success(())) }
            } catch {
                guard commits.count > 1 else { throw error }
                for commit in commits {
                    do throws(StorageError) {
                        try append([commit], &state)
                        commit.finish(.success(()))
                    } catch {
                        commit.finish(.failure(error))
                    }
                }
            }
            compactIfWorthwhile(&state)
        } catch {
            for commit in commits { commit.finish(.failure(error)) }
        }
    }

    private func append(_ commits: [StorageCommit], _ state: inout State) throws(StorageError) {
        // An empty log gets its header with the first record.
        var transaction = LogTransaction(at: max(state.log.end, LogFormat.headerLength))
        for commit in commits { try transaction.add(commit.batch, to: state.log.index) }
        guard let record = transaction.record else { return }
        try state.log.append(record, flushes: flushes) { transaction.apply(to: &$0) }
        // What a logout removed shall not wait in the file until enough other things are outdated.
        if transaction.isClearing { state.compaction = 0 }
    }

    /// The writes are done already, so a failure here is nobody's; it is tried again when the log is twice as long.
    private func compactIfWorthwhile(_ state: inout State) {
        guard state.log.end > max(state.compaction, 2 * state.log.index.liveBytes) else { return }
        do throws(StorageError) {
            try state.log.compact()
            state.compaction = Self.smallestCompaction
        } catch {
            state.compaction = 2 * state.log.end
        }
    }

    /// Takes the lock between processes; the directory is made when it is not there.
    private func takeLock(_ state: inout State) throws(StorageError) -> StorageFile.Lock {
        // Somebody may remove the directory at any moment, and others then lock another file.
        for _ in 0..<16 {
            if state.lock == nil {
                try StorageFile.prepare(directory)
                state.lock = try StorageFile.Lock(lockURL)
            }
            guard let lock = state.lock else { continue }
            try lock.take(patience: patience)
            if try StorageFile.identity(of: lockPath)?.inode == lock.inode { return lock }
            lock.release()
            state.lock = nil
        }
        throw .locked
    }
}
