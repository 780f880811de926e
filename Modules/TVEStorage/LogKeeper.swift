import Foundation

/// The log of a store under its lock: made ready for a record, kept short, begun anew.
///
/// Nothing here waits for another thread; ``FileStorage`` hands it to one at a time.
struct LogKeeper: Sendable {
    let paths: StorePaths
    private(set) var log: StorageLog
    private let flushes: Bool
    private var lock: StorageLock?
    /// Whether somebody asked for damage before.
    private var isInspected = false
    /// Damage that a write has put aside and nobody was told of.
    private var healed: StorageError.Damage?
    /// The length from which on outdated records are worth a new file.
    private var compaction = LogKeeper.smallestCompaction
    /// The file whose name is known to be on the medium.
    private var settled: LogFile?
    /// Directories with names that may not be on the medium yet.
    private var unflushed: Set<String> = []

    /// Logs up to this length, in bytes, are left as they are, however outdated.
    private static let smallestCompaction = 32 << 10

    /// - Parameters:
    ///   - paths: the files of the store; neither read nor made before the first call.
    ///   - flushes: whether bytes are on the medium before they are acknowledged.
    init(_ paths: StorePaths, flushes: Bool, _ system: StorageSystem) {
        self.paths = paths
        log = StorageLog(paths.log, system)
        self.flushes = flushes
    }

    private var system: StorageSystem { paths.directory.system }

    // MARK: - Reading

    /// Runs a body over the log as it is now.
    mutating func read<Value: Sendable>(
        _ body: (borrowing StorageLog) throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        try log.refresh()
        return try body(log)
    }

    /// Looks at all bytes of the log; the lock must be held.
    mutating func inspect() throws(StorageError) -> StorageError.Damage? {
        if let healed = healed.take() { return healed }
        // What this handle has read it checked on the way; from the second time on it is read anew.
        if isInspected { log.reset(nil) }
        isInspected = true
        try log.refresh()
        try log.verifyDamage()
        return switch log.tail {
        case .clean: nil
        case .incomplete: .truncated
        case .damaged: .checksum
        }
    }

    // MARK: - Writing

    /// Appends a record; its bytes are on the medium then, if that was asked for.
    mutating func append(_ record: LogRecord) throws(StorageError) {
        if flushes { try flushNames() }
        try log.append(record, flushes: flushes)
    }

    /// Writes some bytes to the place for probes and reads them back.
    mutating func probe(_ bytes: Data) throws(StorageError) -> Bool {
        try prepareToAppend()
        return try log.probe(bytes)
    }

    /// Brings the log up to date and into a state in which a record can be appended.
    mutating func prepareToAppend() throws(StorageError) {
        // What another process wrote since the last look must not be lost.
        try log.refresh(hasLock: true)
        try log.verifyDamage()
        try log.requireWritable()
        guard !log.takesRecords else { return }
        let isDamaged = log.tail == .damaged
        try log.replaceFile(keepingOldAt: isDamaged ? paths.damaged : nil)
        if isDamaged { healed = .checksum }
    }

    /// Makes sure that the log's name is on the medium, before anything in it is acknowledged.
    ///
    /// Another process may have put the file there and ended before the name was safe.
    private mutating func flushNames() throws(StorageError) {
        if log.file == nil { try log.replaceFile() }
        if log.file !== settled {
            // The directory itself may be another process's that ended before its name was safe.
            if settled == nil { unflushed.insert((paths.directory.path as NSString).deletingLastPathComponent) }
            unflushed.insert(paths.directory.path)
        }
        while let path = unflushed.first {
            try system.flushDirectory(path)
            unflushed.remove(path)
        }
        settled = log.file
    }

    /// Rewrites the log when that is due.
    ///
    /// The writes are done already, so a failure here is no failure of theirs. What was to be erased is tried again with the
    /// next write; what is only outdated, when the log is twice as long.
    mutating func compactIfWorthwhile() {
        guard log.mustErase || log.length > max(compaction, 2 * log.index.liveBytes) else { return }
        do throws(StorageError) {
            if log.mustErase { try paths.eraseAsides() }
            try log.replaceFile()
            compaction = Self.smallestCompaction
            // A name that is not safe yet is made safe before the next acknowledgement at the latest.
            if flushes { try? flushNames() }
        } catch {
            compaction = 2 * log.end
        }
    }

    /// Takes the lock between processes, if nobody has it; the directory is made when it is not there.
    mutating func lockIfFree() throws(StorageError) -> StorageLock? {
        // Somebody may remove the directory at any moment, and others then lock another file.
        for _ in 0..<16 {
            if self.lock == nil {
                unflushed.formUnion(try paths.directory.prepare())
                self.lock = try StorageLock(paths.lock, system)
            }
            guard let lock else { continue }
            guard try lock.takeIfFree() else { return nil }
            do throws(StorageError) {
                if try system.status(of: paths.lock).map({ UInt64($0.st_ino) }) == lock.inode {
                    log.lock = lock
                    return lock
                }
            } catch {
                lock.release()
                throw error
            }
            lock.release()
            self.lock = nil
        }
        throw .locked
    }

    /// Begins a new log in the place of one that cannot be read; the lock must be held.
    ///
    /// - Parameter keepingOld: whether the old one is kept aside; else no byte of it is left.
    mutating func beginAnew(keepingOld: Bool) throws(StorageError) {
        do throws(StorageError) {
            // So that those who have the old file open are told.
            try log.refresh()
        } catch .damaged {
            log.reset(nil)
        } catch .cannotRead(let number) {
            // What will be readable again is not to be removed unseen.
            guard !StorageError.cannotRead(errno: number).passesByItself else { throw .cannotRead(errno: number) }
            log.reset(nil)
        }
        do throws(StorageError) {
            log.forgetValues()
            if !keepingOld { try paths.eraseAsides() }
            try log.replaceFile(keepingOldAt: keepingOld ? paths.damaged : nil)
        } catch {
            // The file is still there, and so are its values.
            log.reset(nil)
            throw error
        }
        if flushes { try flushNames() }
    }
}
