import Foundation

/// Reads a log from its beginning on, a megabyte at a time.
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

    /// The steps of the last record.
    var steps: [LogStep] { reader.steps }

    /// Reads the record at an offset.
    ///
    /// - Parameters:
    ///   - offset: the record's offset, not before the last one.
    ///   - length: how long the file is.
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
        return bytes.withUnsafeBytes { bytes in
            let rest = min(offset - start, bytes.count)
            return reader.read(UnsafeRawBufferPointer(rebasing: bytes[rest...]), at: offset)
        }
    }

    /// Whether all bytes are zero, checked eight at a time.
    static func isBlank(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while offset &+ 8 <= bytes.count {
            guard bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) == 0 else { return false }
            offset &+= 8
        }
        return bytes[offset...].allSatisfy { $0 == 0 }
    }
}
