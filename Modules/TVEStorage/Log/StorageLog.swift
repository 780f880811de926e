import Foundation

/// One handle's view of a log: the open file, how far it was read, and the places of the values.
///
/// Not thread-safe; ``FileStorage`` guards it. Between processes: a writer holds the lock, appends after the last
/// complete record, and never changes a byte that others may have read. Readers take no lock. They see a record when it
/// is complete. After the last record there are zeros, so one read there tells whether anything was appended.
/// Compaction renames another file over the log; readers notice because their file is in no directory any more, or, if
/// a backup gave it a second name, because the last record says so.
struct StorageLog {
    /// What follows the last complete record.
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
    /// Counts changes of the known values.
    var revision: UInt64 = 0
    var file: LogFile?
    /// Whether this file must not be written to any more, only replaced: a write to it could not be flushed or undone.
    var isSpoilt = false
    /// Whether the file contains bytes of outdated values.
    var hasOutdated = false
    /// Whether such bytes belong to a value that was removed permanently.
    var mustErase = false
    /// Whether the last record says that another file replaces this one.
    var isMoved = false
    /// Records that could not be flushed and do not count.
    var voids: [Range<Int>] = []
    var version = LogFormat.version
    /// The lock of the log, once a writer has it; a writer records there that it will replace the file.
    var lock: StorageLock?
    /// How often the file had been replaced when a writer last read it.
    private var knownReplacements: UInt64 = 0
    /// When a writer last checked that the file still has its name, in nanoseconds of uptime.
    private var lastNamed: UInt64 = 0

    static let chunk = 1 << 20
    /// 10 ms: removing a log by hand races with its writers anyway.
    private static let nameCheckInterval: UInt64 = 10_000_000
    /// The length of a file is a multiple of this: with another length, its end is missing.
    static let page = 4_096
    /// More than ever occur, because a file is replaced after the first one.
    static let mostVoids = 16
    /// How many replacements of the file one refresh tolerates.
    private static let mostReplacements = 64

    init(_ path: String, _ system: StorageSystem) {
        self.path = path
        self.system = system
    }

    /// Whether the next record may be appended to the current file.
    var takesRecords: Bool { tail == .clean && !isSpoilt && (file == nil || version == LogFormat.version) }

    /// Makes sure that damage is damage, from the file's beginning; the lock must be held.
    ///
    /// What a reader took for damage may have been a record that was being written.
    mutating func verifyDamage() throws(StorageError) {
        guard tail == .damaged else { return }
        reset(nil)
        try look()
    }

    /// Reads what was appended since the last call, or another file from its beginning.
    ///
    /// - Parameter hasLock: whether ``lock`` is held. Then the lock says whether this package has replaced the file,
    ///   and other replacements are only checked from time to time.
    mutating func refresh(hasLock: Bool = false) throws(StorageError) {
        let now = hasLock ? system.uptime : 0
        let replacements = hasLock ? try lock?.replacements() ?? 0 : knownReplacements
        let isKnown = !hasLock || replacements == knownReplacements && replacements > 0
        knownReplacements = replacements
        let mustHaveName = !hasLock || now - lastNamed > Self.nameCheckInterval
        if isKnown, tail == .clean, !isMoved,
            try file?.isUntouched(at: end, ofAtLeast: max(end, length), hasName: mustHaveName) == true
        {
            if hasLock, mustHaveName { lastNamed = now }
            return
        }
        try look()
        lastNamed = now
    }

    /// Reopens the file if it was opened read-only; the lock must be held.
    mutating func requireWritable() throws(StorageError) {
        guard let file, !file.isWritable else { return }
        reset(nil)
        try look()
        if self.file?.isWritable == false { throw .cannotWrite(errno: EACCES) }
    }

    private mutating func look() throws(StorageError) {
        // A file that loses its name between two calls was replaced: its successor is read.
        for _ in 0..<Self.mostReplacements {
            if try hasLooked() { return }
        }
        // Nothing was read, which must not look like an empty store.
        throw .locked
    }

    /// - Returns: false when the file was replaced in the meantime.
    private mutating func hasLooked() throws(StorageError) -> Bool {
        guard let status = try system.status(of: path) else {
            reset(nil)
            return true
        }
        try StorageDirectory.check(status, system)
        if file?.inode != UInt64(status.st_ino) || Int(status.st_size) < max(end, length) {
            guard let opened = try LogFile.open(path, system) else {
                reset(nil)
                return false
            }
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
        return true
    }

    /// Forgets everything, and begins with another file or none.
    mutating func reset(_ file: LogFile?) {
        self.file = file
        index = LogIndex()
        tail = .clean
        end = file == nil ? 0 : LogFormat.start(version)
        length = 0
        (isSpoilt, hasOutdated, mustErase, isMoved) = (false, false, false, false)
        voids = []
        revision += 1
    }

    /// Makes the next file an empty one.
    mutating func forgetValues() {
        index = LogIndex()
        revision += 1
    }

    /// The value of a key, with its checksum verified.
    func value(for key: StorageKey) throws(StorageError) -> Data? {
        guard let entry = index.entries[key], let value = try bytes(of: entry) else { return nil }
        guard LogFormat.checksum(value) == entry.checksum else { throw .invalidValue(key) }
        return value
    }

    /// The bytes of a value, unverified.
    func rawValue(for key: StorageKey) throws(StorageError) -> Data? {
        guard let entry = index.entries[key] else { return nil }
        return try bytes(of: entry)
    }

    /// The bytes in a value's place.
    func bytes(of entry: LogIndex.Entry) throws(StorageError) -> Data? {
        guard let file else { return nil }
        let value = try file.read(at: entry.offset, count: entry.count)
        guard value.count == entry.count else { throw .damaged(.truncated) }
        return value
    }

    /// The keys below another one, in the order of their values in the file.
    func keys(under ancestor: StorageKey) -> [StorageKey] {
        let found = index.entries.filter { $0.key.isInside(ancestor) }
        return found.sorted { $0.value.offset < $1.value.offset }.map(\.key)
    }

    /// The places of several keys' values, to be read without the lock.
    func places(of keys: [StorageKey]) -> LogPlaces {
        LogPlaces(file: file, keys: keys, entries: keys.map { index.entries[$0] })
    }
}
