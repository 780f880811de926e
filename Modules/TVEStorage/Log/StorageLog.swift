import Foundation

/// One handle's view of a log, with the open file, the offset up to which it was read, and the locations of the values.
///
/// This type is not thread-safe, and ``FileStorage`` guards it. Between processes, a writer holds the lock, appends
/// after the last complete record, and never changes a byte that others may have read. Readers take no lock, and accept
/// a record when it is complete. Zeros follow the last record, so one read there shows whether anything was appended.
/// The same read shows whether the record still ends there: a backup that was copied into the file ends elsewhere.
/// Compaction renames another file over the log. Readers notice this because the file that they have loses its name.
struct StorageLog {
    /// The bytes after the last complete record.
    enum Tail: Equatable {
        case clean
        /// A record that was never finished, or is being written now.
        case incomplete
        /// Bytes that do not match their checksum.
        case damaged
    }

    let path: String
    let system: StorageSystem
    var index = LogIndex()
    var tail = Tail.clean
    /// The offset after the last complete record.
    var end = 0
    /// The file's length.
    var length = 0
    /// The offset up to which the bytes after the records were found to be zeros.
    var blankEnd = 0
    /// A number that grows with every change of the known values.
    var revision: UInt64 = 0
    /// A number that grows whenever a file is read from its beginning.
    ///
    /// Until then, an offset never has the value of another record.
    private(set) var generation: UInt64 = 0
    var file: LogFile?
    /// A Boolean value that indicates whether this file may only be replaced, because a write to it could not be
    /// flushed or undone.
    var isSpoilt = false
    /// A Boolean value that indicates whether the file contains bytes of outdated values.
    var hasOutdated = false
    /// A Boolean value that indicates whether such bytes belong to a value that was removed permanently.
    var mustErase = false
    /// The records that could not be flushed and are invalid.
    var voids: [Range<Int>] = []
    var version = LogFormat.version
    /// The lock between processes, once this handle has opened it.
    ///
    /// No other value stores it. ``LogKeeper`` takes and releases it, and a writer records in its file that it will
    /// replace the log.
    var lock: StorageLock?
    /// The number of replacements of the file when a writer last read that number.
    private var knownReplacements: UInt64 = 0
    /// The time of the last check that the path leads to the file, in nanoseconds of uptime.
    private var lastNamed: UInt64 = 0
    /// The number of names that the file had at that time, or 0 if it is unknown.
    private var names: UInt64 = 0

    static let chunk = 1 << 20
    /// 10 ms.
    ///
    /// Removing or replacing a log by hand races with its readers and writers in any case.
    private static let nameCheckInterval: UInt64 = 10_000_000
    /// The unit of a file's length.
    ///
    /// If the length is not a multiple of it, the end of the file is missing.
    static let page = 4_096
    /// The number of void records that a file may have, which is never reached, because a file is replaced after the
    /// first one.
    static let mostVoids = 16
    /// The number of replacements of the file that one refresh tolerates.
    private static let mostReplacements = 64

    init(_ path: String, _ system: StorageSystem) {
        self.path = path
        self.system = system
    }

    /// A Boolean value that indicates whether the last byte of a record precedes ``end``.
    private var isAfterRecord: Bool { version == LogFormat.version && end > LogFormat.start(version) }

    /// A Boolean value that indicates whether the next record may be appended to the current file.
    var takesRecords: Bool { tail == .clean && !isSpoilt && (file == nil || version == LogFormat.version) }

    /// Verifies damage by reading the file from its beginning.
    ///
    /// The caller must hold the lock.
    ///
    /// A reader may have mistaken a record for damage while the record was being written.
    mutating func verifyDamage() throws(StorageError) {
        guard tail == .damaged else { return }
        reset(nil)
        try reread()
    }

    /// Reads the records that were appended since the last call, or another file from its beginning.
    ///
    /// - Parameter hasLock: a Boolean value that indicates whether the caller holds ``lock``. Then the lock's file
    ///   states whether this package has replaced the log.
    mutating func refresh(hasLock: Bool = false) throws(StorageError) {
        let now = system.uptime
        let replacements = hasLock ? try lock?.replacements() ?? 0 : knownReplacements
        let isKnown = !hasLock || replacements == knownReplacements && replacements > 0
        if isKnown, tail == .clean, try isUntouched(at: now, hasLock: hasLock) { return }
        try reread()
        // If reading fails, the file that is still open may have been replaced, which the next call must notice.
        knownReplacements = replacements
        lastNamed = now
    }

    /// Returns a Boolean value that indicates whether the open file is that of the path and has no new record.
    private mutating func isUntouched(at now: UInt64, hasLock: Bool) throws(StorageError) -> Bool {
        guard let file else { return false }
        do throws(StorageError) {
            guard let present = try length(of: file, at: now, hasLock: hasLock), present >= max(end, length) else {
                return false
            }
            return try file.isBlank(at: end, isAfterRecord: isAfterRecord)
        } catch .cannotRead(errno: ESTALE) {
            return false
        }
    }

    /// Returns the length of the open file, or nil if another file has replaced it.
    ///
    /// A file that this package replaces loses a name. One that somebody moves away keeps it, and one of a network file
    /// system may get another one, so the path is looked up as well, but only from time to time: this takes twice as
    /// long as the status of an open file.
    private mutating func length(of file: LogFile, at now: UInt64, hasLock: Bool) throws(StorageError) -> Int? {
        // After a clock that went back, as that of a restored container may, the difference is large.
        if now &- lastNamed > Self.nameCheckInterval {
            guard let status = try system.status(of: path), FileIdentity(status) == file.identity else { return nil }
            lastNamed = now
            names = UInt64(status.st_nlink)
            return Int(status.st_size)
        }
        // A writer knows from the lock's file that the log was not replaced. To read the status would make the next
        // write of any process slower by a quarter, because newer versions of Linux store finer timestamps for files
        // whose status was read, and flush them.
        if hasLock { return try file.end() }
        let status = try file.status()
        // A file without a name was removed, and one that this handle has created was not looked up yet.
        return status.st_nlink > 0 && UInt64(status.st_nlink) == names ? Int(status.st_size) : nil
    }

    /// Reopens the file if it was opened read-only.
    ///
    /// The caller must hold the lock.
    mutating func requireWritable() throws(StorageError) {
        guard let file, !file.isWritable else { return }
        reset(nil)
        try reread()
        if self.file?.isWritable == false { throw .cannotWrite(errno: EACCES) }
    }

    /// Reads the file at the path, or its successor if it is replaced in the meantime.
    private mutating func reread() throws(StorageError) {
        // A file that loses its name between two calls was replaced, so its successor is read.
        var failure = StorageError.locked
        for _ in 0..<Self.mostReplacements {
            do throws(StorageError) {
                if try reopenAndScan() { return }
                failure = .locked
            } catch .cannotRead(errno: ESTALE) {
                // Another machine has replaced the file on a network file system, where no open file outlives its name.
                failure = .cannotRead(errno: ESTALE)
                reset(nil)
            }
        }
        // Nothing was read, which must not look like an empty store.
        throw failure
    }

    /// Throws an error if the directory is a link, because a write refuses it.
    ///
    /// Otherwise a value could be read that can never be replaced, or a store look empty that can never be filled.
    private func refuseLinkedDirectory() throws(StorageError) {
        let folder = try system.status(of: (path as NSString).deletingLastPathComponent)
        if let folder, folder.st_mode & S_IFMT == S_IFLNK { throw .notAFile }
    }

    /// Opens the file at the path if it is not open already, and reads its new records.
    ///
    /// - Returns: true, or false if the file was replaced in the meantime.
    private mutating func reopenAndScan() throws(StorageError) -> Bool {
        guard let status = try system.status(of: path) else {
            try refuseLinkedDirectory()
            reset(nil)
            return true
        }
        try StorageDirectory.check(status, system)
        // Unknown until the file was read, so that a failure makes the next call look up the path.
        names = 0
        var isOther = file?.identity != FileIdentity(status) || Int(status.st_size) < max(end, length)
        // Other records may have been written into the same file, for example those of a backup.
        if !isOther, isAfterRecord, let file { isOther = try !file.hasRecordEnd(before: end) }
        if isOther {
            guard let opened = try LogFile.open(path, system) else {
                reset(nil)
                return false
            }
            try refuseLinkedDirectory()
            reset(nil)
            version = try LogFormat.check(header: try opened.read(at: 0, count: LogFormat.headerLength))
            reset(opened)
        }
        guard let file, let present = try file.length() else {
            reset(nil)
            return false
        }
        length = present
        try scan(file)
        names = UInt64(status.st_nlink)
        return true
    }

    /// Reads the records of a file with a damaged header.
    ///
    /// The caller must hold the lock, and either replaces the file or calls ``reset(_:)``.
    ///
    /// A header contains nothing but the version, and each version has its own place for the first record. A complete
    /// record in that place proves the version: the bytes there are for probes in the other version, or the records of
    /// the other version have other operations. From that place on, the log is read like every other one.
    mutating func readWithoutHeader() throws(StorageError) {
        guard let opened = try LogFile.open(path, system), let present = try opened.length() else { return reset(nil) }
        for candidate in [LogFormat.oldVersion, LogFormat.version] {
            version = candidate
            reset(opened)
            length = present
            do throws(StorageError) {
                try scan(opened)
            } catch .damaged {
                continue
            }
            if end > LogFormat.start(candidate) { return }
        }
        reset(nil)
    }

    /// Resets all state, and begins with another file or none.
    mutating func reset(_ file: LogFile?) {
        self.file = file
        index = LogIndex()
        tail = .clean
        end = file == nil ? 0 : LogFormat.start(version)
        length = 0
        blankEnd = 0
        isSpoilt = false
        hasOutdated = false
        mustErase = false
        voids = []
        revision += 1
        generation += 1
    }

    /// Removes all values, so that the next file is an empty one.
    mutating func forgetValues() {
        index = LogIndex()
        revision += 1
    }

    /// Returns the value of a key, with its checksum verified.
    func value(for key: StorageKey) throws(StorageError) -> Data? {
        guard let entry = index.entries[key], let value = try bytes(of: entry) else { return nil }
        guard LogFormat.checksum(value) == entry.checksum else { throw .invalidValue(key) }
        return value
    }

    /// Returns the bytes of a value, unverified.
    func rawValue(for key: StorageKey) throws(StorageError) -> Data? {
        guard let entry = index.entries[key] else { return nil }
        return try bytes(of: entry)
    }

    /// Returns the bytes at a value's location.
    func bytes(of entry: LogIndex.Entry) throws(StorageError) -> Data? {
        guard let file else { return nil }
        let value = try file.read(at: entry.offset, count: entry.count)
        guard value.count == entry.count else { throw .damaged(.truncated) }
        return value
    }

    /// Returns the place of a key's value.
    func place(of key: StorageKey) -> ValuePlace {
        ValuePlace(generation: generation, offset: index.entries[key]?.offset)
    }

    /// Returns the keys below another one, in the order of their values in the file.
    func keys(under ancestor: StorageKey) -> [StorageKey] {
        let found = index.entries.filter { $0.key.isInside(ancestor) }
        return found.sorted { $0.value.offset < $1.value.offset }.map(\.key)
    }

    /// Returns the locations of several keys' values, which can be read without the lock.
    func locations(of keys: [StorageKey]) -> LogLocations {
        LogLocations(file: file, keys: keys, entries: keys.map { index.entries[$0] })
    }
}
