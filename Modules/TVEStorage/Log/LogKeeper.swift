import Foundation

/// The log of a store under its lock, which can be prepared for a record, compacted and replaced.
///
/// Nothing here waits for another thread. ``FileStorage`` passes the value to one thread at a time.
struct LogKeeper: Sendable {
    let paths: StorePaths
    private(set) var log: StorageLog
    private let flushes: Bool
    /// A Boolean value that indicates whether the log was inspected for damage before.
    private var isInspected = false
    /// The damage that a write has set aside and that was not reported to any caller.
    private var unreportedDamage: StorageError.Damage?
    /// A Boolean value that indicates whether the last inspection has reported the damage that the next write finds.
    private var isDamageReported = false
    /// The length from which rewriting outdated records is worthwhile.
    private var compaction = LogKeeper.smallestCompaction
    /// The file whose name is known to be on the medium.
    private var settled: LogFile?
    /// The directories with names that may not be on the medium yet.
    private var unflushed: Set<String> = []

    /// The length, in bytes, up to which a log is never compacted.
    private static let smallestCompaction = 32 << 10

    /// - Parameters:
    ///   - paths: the files of the store, which are neither read nor created before the first call.
    ///   - flushes: a Boolean value that indicates whether bytes are on the medium before they are acknowledged.
    init(_ paths: StorePaths, flushes: Bool, _ system: StorageSystem) {
        self.paths = paths
        log = StorageLog(paths.log, system)
        self.flushes = flushes
    }

    private var system: StorageSystem { paths.directory.system }

    // MARK: - Reading

    /// Runs a body over the current log.
    mutating func read<Value: Sendable>(
        _ body: (borrowing StorageLog) throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        try log.refresh()
        return try body(log)
    }

    /// The result of a check of all bytes of the log.
    struct Inspection: Sendable {
        let damage: StorageError.Damage?
    }

    /// Checks all bytes of the log under the lock between processes if the lock is free, and creates no file.
    ///
    /// - Returns: the result, or nil if somebody else holds the lock.
    mutating func inspectIfFree() throws(StorageError) -> Inspection? {
        // A writer creates the file of the lock before it writes. As long as there is none, nobody writes.
        if log.lock == nil, try system.status(of: paths.lock) == nil {
            let damage = try inspect()
            let isStillAlone = try system.status(of: paths.lock) == nil
            if damage == nil || isStillAlone { return Inspection(damage: damage) }
        }
        do throws(StorageError) {
            return try withLockIfFree { keeper throws(StorageError) in Inspection(damage: try keeper.inspect()) }
        } catch .cannotWrite(let number) where [EACCES, EPERM, EROFS].contains(number) {
            // The store can only be read, and is checked as readers read it.
            return Inspection(damage: try inspect())
        }
    }

    /// Checks all bytes of the log.
    ///
    /// The caller must hold the lock, unless there is none or this process may not write.
    private mutating func inspect() throws(StorageError) -> StorageError.Damage? {
        if let unreportedDamage = unreportedDamage.take() { return unreportedDamage }
        // This handle checked the records as it read them. From the second inspection on, it reads them again.
        if isInspected { log.reset(nil) }
        isInspected = true
        try log.refresh()
        try log.verifyDamage()
        isDamageReported = log.tail == .damaged
        return switch log.tail {
        case .clean: nil
        case .incomplete: .truncated
        case .damaged: .checksum
        }
    }

    // MARK: - Writing

    /// Appends a record, flushes it if flushing is on, and rewrites the log if that is worthwhile.
    ///
    /// A record without any changes is not written.
    mutating func commit(_ record: LogRecord) throws(StorageError) {
        guard !record.isEmpty else { return }
        if flushes { try flushNames() }
        try log.append(record, flushes: flushes)
        compactIfWorthwhile()
    }

    /// Writes some bytes to the probe area and reads them back.
    mutating func probe(_ bytes: Data) throws(StorageError) -> Bool {
        try prepareToAppend()
        return try log.probe(bytes)
    }

    /// Updates the log and brings it into a state in which a record can be appended.
    mutating func prepareToAppend() throws(StorageError) {
        // Records that another process has written since must not be lost.
        try log.refresh(hasLock: true)
        try log.verifyDamage()
        try log.requireWritable()
        let isReported = isDamageReported
        isDamageReported = false
        guard !log.takesRecords else { return }
        let isDamaged = log.tail == .damaged
        try log.replaceFile(keepingOldAt: isDamaged ? paths.damaged : nil)
        if isDamaged, !isReported { unreportedDamage = .checksum }
    }

    /// Ensures that the log's name is on the medium before a record in it is acknowledged.
    ///
    /// Another process may have created the file and ended before the name was flushed.
    private mutating func flushNames() throws(StorageError) {
        if log.file == nil { try log.replaceFile() }
        if log.file !== settled {
            let parent = (paths.directory.path as NSString).deletingLastPathComponent
            if settled == nil, !unflushed.contains(parent) { try flushIfPermitted(parent) }
            unflushed.insert(paths.directory.path)
        }
        while let path = unflushed.first {
            try system.flushDirectory(path)
            unflushed.remove(path)
        }
        settled = log.file
    }

    /// Flushes the names in a directory in which this handle has created nothing.
    ///
    /// Another process may have created a directory there and ended before the name was flushed. A directory that may
    /// be entered but not listed cannot be flushed, which must not keep a store below it from being written.
    private func flushIfPermitted(_ path: String) throws(StorageError) {
        do throws(StorageError) {
            try system.flushDirectory(path)
        } catch .cannotWrite(let number) where [EACCES, EPERM].contains(number) {
            return
        }
    }

    /// Rewrites the log if necessary.
    ///
    /// The writes are already complete, so a failure here does not make them fail. A permanent removal is retried at
    /// the next write, and other outdated bytes are rewritten when the log is twice as long.
    private mutating func compactIfWorthwhile() {
        guard log.mustErase || log.length > max(compaction, 2 * log.index.liveBytes) else { return }
        do throws(StorageError) {
            if log.mustErase { try paths.eraseLeftovers() }
            try log.replaceFile()
            compaction = Self.smallestCompaction
            // A name that is not flushed now is flushed before the next acknowledgement.
            if flushes { try? flushNames() }
        } catch {
            compaction = 2 * log.end
        }
    }

    // MARK: - The lock between processes

    /// Runs a body under the lock between processes if the lock is free.
    ///
    /// The directory is created if it is missing.
    ///
    /// - Returns: the value of the body, or nil if somebody else holds the lock.
    mutating func withLockIfFree<Value: Sendable>(
        _ body: (inout LogKeeper) throws(StorageError) -> Value
    ) throws(StorageError) -> Value? {
        guard let lock = try takeLockIfFree() else { return nil }
        defer { lock.release() }
        return try body(&self)
    }

    private mutating func takeLockIfFree() throws(StorageError) -> StorageLock? {
        // Another process may remove the directory at any time, and then others lock another file.
        var failure = StorageError.locked
        for _ in 0..<16 {
            let lock: StorageLock
            do throws(StorageError) {
                lock = if let open = log.lock { open } else { try openLock() }
                guard try lock.takeIfFree() else { return nil }
            } catch .cannotWrite(let number) where [ENOENT, ESTALE].contains(number) {
                // The directory was removed before the file was opened, or another machine has replaced it on a network
                // file system, where no open file outlives its name.
                failure = .cannotWrite(errno: number)
                log.lock = nil
                continue
            }
            do throws(StorageError) {
                if try system.status(of: paths.lock).map(FileIdentity.init) == lock.identity { return lock }
            } catch {
                lock.release()
                throw error
            }
            lock.release()
            failure = .locked
            log.lock = nil
        }
        throw failure
    }

    private mutating func openLock() throws(StorageError) -> StorageLock {
        unflushed.formUnion(try paths.directory.prepare())
        let lock = try StorageLock(paths.lock, system)
        log.lock = lock
        return lock
    }

    // MARK: - Replacing an unreadable log

    /// Replaces the log with an empty one, so that no byte of the old one remains.
    ///
    /// The caller must hold the lock.
    mutating func removeEverything() throws(StorageError) {
        _ = try refreshIfReadable()
        try replace { [paths] log throws(StorageError) in
            log.forgetValues()
            try paths.eraseLeftovers()
            try log.replaceFile()
        }
    }

    /// Replaces an unreadable log with one of the values that can be read without its header, and sets the old log
    /// aside.
    ///
    /// The caller must hold the lock. A log that can be read retains all of its values, because another process may
    /// have replaced an unreadable one in the meantime.
    mutating func setAside() throws(StorageError) {
        guard try !refreshIfReadable() else { return try prepareToAppend() }
        try replace { [paths] log throws(StorageError) in
            try log.readWithoutHeader()
            try log.replaceFile(keepingOldAt: paths.damaged)
        }
    }

    /// Reads the new records, so that processes that have the file open notice its replacement.
    ///
    /// - Returns: false if the log can never be read.
    private mutating func refreshIfReadable() throws(StorageError) -> Bool {
        do throws(StorageError) {
            try log.refresh()
            return true
        } catch .damaged {
            log.reset(nil)
        } catch .cannotRead(let number) {
            // A log that may become readable again must not be removed unread.
            guard !StorageError.cannotRead(errno: number).passesByItself else { throw .cannotRead(errno: number) }
            log.reset(nil)
        }
        return false
    }

    /// Runs a body that replaces the log, and flushes the names.
    private mutating func replace(_ body: (inout StorageLog) throws(StorageError) -> Void) throws(StorageError) {
        do throws(StorageError) {
            try body(&log)
        } catch {
            // The file still exists, and so do its values.
            log.reset(nil)
            throw error
        }
        if flushes { try flushNames() }
    }
}
