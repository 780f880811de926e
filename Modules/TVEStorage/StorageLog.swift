import Foundation

/// One process's view of a log: the open file, how far it was read, and where the values are.
///
/// Not for several threads; ``FileStorage`` guards it. Between processes: whoever writes holds the lock, appends behind the
/// last whole record, and never changes a byte that others may have read. Readers take no lock. They see a record
/// when all of it is there; one that is still being written ends early and is read at the next look. Compaction
/// renames another file over the log, which readers notice by its inode.
struct StorageLog {
    /// What is behind the last whole record.
    enum Tail: Equatable {
        case clean
        /// A record that was never finished, or is being written now.
        case incomplete
        /// Bytes that do not fit their checksum.
        case damaged
    }

    private(set) var index = LogIndex()
    private(set) var tail = Tail.clean
    /// The offset behind the last whole record.
    private(set) var end = 0
    private var file: LogFile?
    private let url: URL
    private let path: String

    private static let chunk = 1 << 20

    init(_ url: URL) {
        self.url = url
        path = url.path
    }

    /// Makes sure that damage is damage, from the file's beginning; the lock must be held.
    ///
    /// What looked damaged to a reader may have been a record in the middle of being written.
    mutating func verifyDamage() throws(StorageError) {
        guard tail == .damaged else { return }
        reset(nil)
        try refresh()
    }

    /// Reads what was appended since the last look, or another file from its beginning.
    mutating func refresh() throws(StorageError) {
        guard let identity = try StorageFile.identity(of: path) else { return reset(nil) }
        if file?.inode != identity.inode || identity.size < end {
            guard let opened = try LogFile.open(url) else { return reset(nil) }
            reset(nil)
            try LogFormat.check(header: try opened.read(at: 0, count: LogFormat.headerLength))
            reset(opened)
        }
        guard let file, identity.size > end else { return }
        try scan(file, to: identity.size)
    }

    private mutating func reset(_ file: LogFile?) {
        self.file = file
        index = LogIndex()
        tail = .clean
        end = file == nil ? 0 : LogFormat.headerLength
    }

    /// Reads record after record as long as they are whole.
    private mutating func scan(_ file: LogFile, to size: Int) throws(StorageError) {
        tail = .clean
        var buffer = Data()
        while end < size {
            if buffer.isEmpty { buffer = try file.read(at: end, count: min(size - end, Self.chunk)) }
            switch LogFormat.parse(buffer) {
            case .record(let payload, let length):
                guard LogOperation.decode(payload, { _ in }) else {
                    tail = .damaged
                    return
                }
                let start = end + LogFormat.recordHeaderLength
                _ = LogOperation.decode(payload) { index.apply($0, payloadAt: start) }
                end += length
                buffer = buffer.dropFirst(length)
            case .incomplete(let needed):
                guard needed <= size - end else {
                    tail = .incomplete
                    return
                }
                buffer = try file.read(at: end, count: min(size - end, max(needed, Self.chunk)))
                guard buffer.count >= needed else { return }
            case .damaged:
                tail = .damaged
                return
            }
        }
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? {
        guard let entry = index.entries[key], let file else { return nil }
        let value = try file.read(at: entry.offset, count: entry.count)
        guard value.count == entry.count else { throw .damaged(.truncated) }
        return value
    }

    /// Appends a record that was made for the present end; the lock must be held.
    ///
    /// - Parameters:
    ///   - record: one whole record.
    ///   - flushes: whether to wait until it is on the medium.
    ///   - update: brings the index up to date.
    /// - Throws: any ``StorageError`` about writing. The record is not there then, unless the medium takes nothing any more:
    ///   a record that could not be flushed can be taken back only by writing another file.
    mutating func append(_ record: Data, flushes: Bool, update: (inout LogIndex) -> Void) throws(StorageError) {
        if file == nil { try replaceFile(LogIndex(), keepingOldAs: nil, flushes: flushes) }
        guard let file else { throw .cannotWrite(errno: EIO) }
        do throws(StorageError) {
            // A record that was never finished lies where the next one begins.
            if tail == .incomplete { try file.truncate(to: end) }
            tail = .clean
            try file.write(record, at: end)
        } catch {
            // Not all of the record is there, so nobody can have taken it for one.
            try? file.truncate(to: end)
            throw error
        }
        if flushes {
            do throws(StorageError) {
                try file.flush()
            } catch {
                // Others may have read the record. Its place must never hold another one, so the file is left to them.
                try? compact()
                throw error
            }
        }
        end += record.count
        update(&index)
    }

    /// Writes a log that holds only the present values and puts it in the place of the old one; the lock must be held.
    ///
    /// - Parameter kept: where the old log shall be kept, if it shall.
    mutating func compact(keepingOldAs kept: URL? = nil) throws(StorageError) {
        try replaceFile(index, keepingOldAs: kept, flushes: true)
    }

    private mutating func replaceFile(
        _ values: LogIndex, keepingOldAs kept: URL?, flushes: Bool
    ) throws(StorageError) {
        let finished = url.deletingLastPathComponent().appendingPathComponent("\(url.lastPathComponent).new")
        let fresh = try LogFile.create(finished)
        do throws(StorageError) {
            let (written, length) = try copy(values, to: fresh)
            if flushes { try fresh.flush() }
            try StorageFile.replace(url, with: finished, keepingOldAs: kept)
            reset(fresh)
            index = written
            end = length
        } catch {
            unlink(finished.path)
            throw error
        }
    }

    /// Copies values into an empty file, in records of about a megabyte.
    private func copy(_ values: LogIndex, to fresh: LogFile) throws(StorageError) -> (LogIndex, length: Int) {
        try fresh.write(LogFormat.header, at: 0)
        var length = LogFormat.headerLength
        var written = LogIndex()
        var payload = Data()
        func finish() throws(StorageError) {
            guard !payload.isEmpty else { return }
            let record = LogFormat.record(payload)
            try fresh.write(record, at: length)
            let start = length + LogFormat.recordHeaderLength
            _ = LogOperation.decode(payload) { written.apply($0, payloadAt: start) }
            length += record.count
            payload.removeAll(keepingCapacity: true)
        }
        for key in values.entries.keys {
            guard let value = try value(for: key) else { continue }
            if payload.count + value.count > Self.chunk { try finish() }
            LogOperation.put(key, value).encode(into: &payload)
        }
        try finish()
        return (written, length)
    }
}
