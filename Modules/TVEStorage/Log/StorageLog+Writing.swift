import Foundation
import TVEModels

extension StorageLog {
    /// Appends a record.
    ///
    /// The caller must hold the lock, and ``takesRecords`` must be true.
    ///
    /// - Parameter flushes: a Boolean value that indicates whether to wait until the record is on the medium.
    /// - Throws: any ``StorageError`` about writing. Then the record is invalid.
    mutating func append(_ record: LogRecord, flushes: Bool) throws(StorageError) {
        if file == nil { try replaceFile(flushes: flushes) }
        guard let file else { throw .cannotWrite(errno: EIO) }
        let start = end
        let bytes = record.bytes()
        try makeRoom(for: bytes.count, file)
        do throws(StorageError) {
            try file.write(bytes, at: start)
        } catch {
            // The record is incomplete, so no reader can have accepted it. Whatever happens to the bytes on this
            // medium, nothing more is written there.
            isSpoilt = true
            try? file.write(Data(count: bytes.count), at: start)
            throw error
        }
        if flushes {
            do throws(StorageError) {
                try file.flush()
            } catch {
                takeBack(start..<(start + bytes.count), file)
                throw error
            }
        }
        end = start + bytes.count
        apply(record.operations(at: start))
    }

    /// Undoes a record that could not be flushed.
    ///
    /// Other processes may have read the record, and the contents of the medium are unknown, so the file is replaced.
    /// If that fails too, another record informs all processes with the file open that the preceding one is invalid.
    /// Then no process appends to the file any more.
    private mutating func takeBack(_ range: Range<Int>, _ file: LogFile) {
        isSpoilt = true
        do throws(StorageError) {
            try replaceFile(flushes: true)
        } catch {
            let void = LogRecord.void(from: range.lowerBound).bytes()
            let isWritten: Void? = try? file.write(void, at: range.upperBound)
            let after = range.upperBound + (isWritten == nil ? 0 : void.count)
            voids.append(range.lowerBound..<after)
            end = after
            revision += 1
        }
    }

    /// Writes bytes to the probe area and reads them back, without waiting for the medium.
    ///
    /// The caller must hold the lock.
    ///
    /// - Returns: a Boolean value that indicates whether the same bytes were read.
    mutating func probe(_ bytes: Data) throws(StorageError) -> Bool {
        if file == nil { try replaceFile(flushes: false) }
        let place = LogFormat.probePlace
        let bytes = bytes.prefix(place.count)
        try file?.write(bytes, at: place.lowerBound)
        return try file?.read(at: place.lowerBound, count: bytes.count) == bytes
    }

    /// Extends the file with zeros that are allocated on the medium, for the given number of bytes.
    ///
    /// Appending to a file that is long enough does not change its length on the medium, which would be a quarter of
    /// the cost of a durable append.
    private mutating func makeRoom(for count: Int, _ file: LogFile) throws(StorageError) {
        guard end + count > length else { return }
        let longer = Self.paged(end + count + Self.room(for: index.liveBytes))
        try file.lengthen(from: length, to: longer)
        length = longer
    }

    /// Returns the number of free bytes that a file has after its records.
    private static func room(for liveBytes: Int) -> Int { min(max(liveBytes / 8, 2 * page), 256 << 10) }

    private static func paged(_ length: Int) -> Int { (length + page - 1) / page * page }

    /// Writes a log that contains only the current values, and replaces the old one with it.
    ///
    /// The caller must hold the lock.
    ///
    /// - Parameters:
    ///   - kept: the path for a copy of the old log, or nil for no copy.
    ///   - flushes: a Boolean value that indicates whether the new log is on the medium before it replaces the old one.
    mutating func replaceFile(keepingOldAt kept: String? = nil, flushes: Bool = true) throws(StorageError) {
        let finished = "\(path).new"
        let fresh = try LogFile.create(finished, system)
        do throws(StorageError) {
            let copied = try copy(to: fresh)
            if flushes { try fresh.flush() }
            if let kept { try keepOld(at: kept) }
            try lock?.noteReplacement()
            try system.rename(finished, to: path)
            reset(fresh)
            version = LogFormat.version
            index = copied.index
            end = copied.end
            length = copied.length
        } catch {
            try? system.remove(finished)
            if let kept { try? system.remove("\(kept).new") }
            throw error
        }
    }

    /// Copies the old log byte for byte, including its damage, but not more of a tail than any writer leaves.
    private func keepOld(at kept: String) throws(StorageError) {
        guard let old = try LogFile.open(path, system) else { return }
        let copy = try LogFile.create("\(kept).new", system)
        let size = min(try old.length() ?? 0, end + LogFormat.longestTail)
        for offset in stride(from: 0, to: size, by: Self.chunk) {
            try copy.write(try old.read(at: offset, count: min(Self.chunk, size - offset)), at: offset)
        }
        try copy.flush()
        try system.rename("\(kept).new", to: kept)
    }

    /// Copies the values into an empty file, each as a separate record.
    ///
    /// A value that does not match its checksum is copied with its old checksum, and so remains recognizable as
    /// damaged.
    private func copy(to fresh: LogFile) throws(StorageError) -> (index: LogIndex, end: Int, length: Int) {
        var values = LogIndex()
        var end = 0
        var isAllGood = true
        var waiting = [UInt8](LogFormat.header)
        let entries = index.entries.sorted { $0.value.offset < $1.value.offset }
        var piece = Data()
        var pieceStart = 0
        for (key, entry) in entries {
            if entry.offset < pieceStart || entry.offset + entry.count > pieceStart + piece.count {
                pieceStart = entry.offset
                piece =
                    try file?.read(at: pieceStart, count: max(entry.count, min(Self.chunk, length - pieceStart)))
                    ?? Data()
            }
            let offset = entry.offset - pieceStart
            guard offset + entry.count <= piece.count else { throw .damaged(.truncated) }
            let record = piece.withSpan { bytes in
                let value = bytes.extracting(offset..<(offset + entry.count))
                if CRC32C.checksum(value) != entry.checksum { isAllGood = false }
                var record = LogRecord()
                record.appendValue(value, checksum: entry.checksum, for: key)
                return record
            }
            for operation in record.operations(at: end + waiting.count) { values.apply(operation) }
            waiting += record.bytes()
            if waiting.count > Self.chunk {
                try fresh.write(waiting, at: end)
                end += waiting.count
                waiting.removeAll(keepingCapacity: true)
            }
        }
        // A damaged value in the last record would make the whole record look damaged.
        if !isAllGood { waiting += LogRecord.note.bytes() }
        try fresh.write(waiting, at: end)
        end += waiting.count
        let length = Self.paged(end + Self.room(for: values.liveBytes))
        try fresh.lengthen(from: end, to: length)
        return (values, end, length)
    }
}
