import Foundation
import TVEModels

extension StorageLog {
    /// Reads record after record while they are complete.
    mutating func scan(_ file: LogFile) throws(StorageError) {
        tail = .clean
        var window = LogWindow(file, version)
        while end < length {
            if let void = voids.first(where: { $0.lowerBound == end }) {
                end = void.upperBound
                continue
            }
            let finding = try window.record(at: end, in: length)
            switch finding {
            case .record(let length):
                guard try take(window.operations, length) else { return try scan(file) }
            case .recordWithBadValue(let length):
                // Another process appended a record after this one. Therefore this one was acknowledged, and only its
                // value was damaged later.
                guard try isRecord(at: end + length, file) else { return try judge(end + length, file) }
                guard try take(window.operations, length) else { return try scan(file) }
            case .unfit(let length): return try judge(end + length, file)
            case .incomplete, .noRecord:
                let isBlank = try file.isBlank(at: end)
                if !isBlank, case .incomplete = finding { return tail = .incomplete }
                guard isBlank, version == LogFormat.version else { return tail = .damaged }
                // Zeros are read once, because other processes write zeros after their records as this handle does.
                // Other bytes are found by every scan.
                blankEnd = try endOfZeros(from: max(end, blankEnd), file)
                guard blankEnd == length else { return tail = .damaged }
                return checkLength()
            }
        }
        checkLength()
    }

    /// Marks the log as incomplete if the file has another length, which means that its end is missing.
    private mutating func checkLength() {
        if version == LogFormat.version, length % Self.page != 0 { tail = .incomplete }
    }

    /// - Returns: false if the record voids others, so that everything must be read again without them.
    private mutating func take(_ operations: [LogOperation], _ length: Int) throws(StorageError) -> Bool {
        for case .void(let start) in operations {
            guard start >= LogFormat.start(version), start < end else { continue }
            let range = start..<(end + length)
            guard !voids.contains(range) else { continue }
            guard voids.count < Self.mostVoids else { throw .damaged(.checksum) }
            let file = file
            let version = version
            let present = self.length
            let known = voids
            reset(file)
            self.version = version
            self.length = present
            voids = known + [range]
            isSpoilt = true
            return false
        }
        apply(operations)
        end += length
        return true
    }

    /// Updates the index.
    mutating func apply(_ operations: [LogOperation]) {
        for operation in operations {
            switch operation {
            case .put(let key, _): if index.entries[key] != nil { hasOutdated = true }
            case .remove: hasOutdated = true
            case .removeAll:
                hasOutdated = true
                mustErase = true
            case .void, .note: continue
            }
            index.apply(operation)
        }
        revision += 1
    }

    /// Returns a Boolean value that indicates whether there is a valid record's head at an offset.
    private func isRecord(at offset: Int, _ file: LogFile) throws(StorageError) -> Bool {
        let head = try file.read(at: offset, count: LogFormat.recordHeaderLength)
        return head.count == LogFormat.recordHeaderLength && head.number(at: 8) == LogFormat.checksum(head.prefix(8))
    }

    /// Distinguishes a damaged record from one that was never finished, which has no end.
    private mutating func judge(_ recordEnd: Int, _ file: LogFile) throws(StorageError) {
        let isEndMissing = try endOfZeros(from: recordEnd - 1, file) == length
        tail = isEndMissing && version == LogFormat.version ? .incomplete : .damaged
    }

    /// Returns the offset up to which whole chunks from another offset on contain only zeros.
    ///
    /// More zeros than any writer leaves are not read, because a hole in a file can have any length.
    private func endOfZeros(from start: Int, _ file: LogFile) throws(StorageError) -> Int {
        guard length - start <= LogFormat.longestTail else { return start }
        var offset = start
        while offset < length {
            let bytes = try file.read(at: offset, count: min(Self.chunk, length - offset))
            guard !bytes.isEmpty, bytes.withSpan(LogWindow.isBlank) else { break }
            offset += bytes.count
        }
        return offset
    }
}

/// A reader of a log from its beginning on, a megabyte at a time.
struct LogWindow {
    private let file: LogFile
    private var reader: LogRecordReader
    private var bytes = Data()
    /// The offset of the bytes in the file.
    private var start = 0

    init(_ file: LogFile, _ version: UInt32) {
        self.file = file
        reader = LogRecordReader(version: version)
    }

    /// The operations of the last record.
    var operations: [LogOperation] { reader.operations }

    /// - Parameters:
    ///   - offset: the record's offset, which must not precede the last one.
    ///   - length: the length of the file.
    mutating func record(at offset: Int, in length: Int) throws(StorageError) -> LogRecordReader.Finding {
        let finding = try record(at: offset, needing: LogFormat.recordHeaderLength, in: length)
        guard case .incomplete(let needed) = finding, needed <= length - offset else { return finding }
        return try record(at: offset, needing: needed, in: length)
    }

    private mutating func record(
        at offset: Int, needing count: Int, in length: Int
    ) throws(StorageError) -> LogRecordReader.Finding {
        if offset < start || offset + count > start + bytes.count {
            bytes = try file.read(at: offset, count: min(length - offset, max(count, StorageLog.chunk)))
            start = offset
        }
        return bytes.withSpan { bytes in reader.read(bytes.extracting(droppingFirst: offset - start), at: offset) }
    }

    /// Returns a Boolean value that indicates whether all bytes are zero.
    ///
    /// It checks eight bytes at a time.
    static func isBlank(_ bytes: Span<UInt8>) -> Bool {
        var offset = 0
        while offset &+ 8 <= bytes.count {
            // The word is inside the bytes, as the condition of the loop ensures.
            guard unsafe bytes.uncheckedWord(at: offset) == 0 else { return false }
            offset &+= 8
        }
        return (offset..<bytes.count).allSatisfy { bytes[$0] == 0 }
    }
}
