import Foundation
import TVEModels

/// A record as it is written, with the operations of one or several batches.
///
/// It takes effect completely or not at all.
struct LogRecord {
    /// The first byte of an operation.
    enum Marker {
        static let putWithoutChecksum: UInt8 = 1
        static let remove: UInt8 = 2
        static let removeAll: UInt8 = 3
        /// The last byte of every record, which shows whether the end of a record is missing in a file of zeros.
        static let end: UInt8 = 4
        static let void: UInt8 = 5
        static let put: UInt8 = 6
        /// The operation with which earlier builds stated that another file replaces this one.
        ///
        /// It is only read, and has no effect.
        static let moved: UInt8 = 7
        static let note: UInt8 = 8
    }

    /// The head, which is filled in at the end, and the payload so far.
    private var buffer = [UInt8](repeating: 0, count: LogFormat.recordHeaderLength)
    /// The checksum of the payload so far, without its values.
    private var checksum: UInt32 = 0
    /// The operations of the record, with offsets from its beginning.
    private var operations: [LogOperation] = []

    var isEmpty: Bool { count == 0 }

    var count: Int { buffer.count - LogFormat.recordHeaderLength }

    mutating func appendValue(_ value: Span<UInt8>, checksum: UInt32, for key: StorageKey) {
        buffer.reserveCapacity(buffer.count + Self.cost(key, value.count))
        appendChecked { buffer in
            Self.append(Marker.put, key, to: &buffer)
            Self.append(UInt32(value.count), to: &buffer)
            Self.append(checksum, to: &buffer)
        }
        operations.append(.put(key, LogIndex.Entry(offset: buffer.count, count: value.count, checksum: checksum)))
        buffer.append(contentsOf: value)
    }

    mutating func appendValue(_ value: Data, for key: StorageKey) {
        value.withSpan { value in appendValue(value, checksum: CRC32C.checksum(value), for: key) }
    }

    mutating func appendRemoval(of key: StorageKey) {
        appendChecked { Self.append(Marker.remove, key, to: &$0) }
        operations.append(.remove(key))
    }

    mutating func appendRemoval(ofAllUnder key: StorageKey) {
        appendChecked { Self.append(Marker.removeAll, key, to: &$0) }
        operations.append(.removeAll(key))
    }

    /// A record without effect.
    static var note: LogRecord {
        var record = LogRecord()
        record.appendChecked { buffer in
            buffer.append(Marker.note)
            append(0, to: &buffer)
        }
        record.operations.append(.note)
        return record
    }

    /// Returns a record that voids the records from an offset on.
    static func void(from start: Int) -> LogRecord {
        var record = LogRecord()
        record.appendChecked { buffer in
            buffer.append(Marker.void)
            append(UInt32(truncatingIfNeeded: start), to: &buffer)
            append(UInt32(truncatingIfNeeded: start >> 32), to: &buffer)
        }
        return record
    }

    consuming func bytes() -> [UInt8] {
        appendChecked { $0.append(Marker.end) }
        write(UInt32(count), at: 0)
        write(checksum, at: 4)
        write(buffer.withSpan { buffer in CRC32C.checksum(buffer.extracting(first: 8)) }, at: 8)
        return buffer
    }

    /// Returns the operations of the record at an offset of a file.
    func operations(at start: Int) -> [LogOperation] {
        operations.map { operation in
            guard case .put(let key, let entry) = operation else { return operation }
            return .put(key, LogIndex.Entry(offset: start + entry.offset, count: entry.count, checksum: entry.checksum))
        }
    }

    /// Returns the number of bytes that a value needs, including its key and its own record.
    static func cost(_ key: StorageKey, _ count: Int) -> Int {
        LogFormat.recordHeaderLength + 14 + key.rawValue.utf8.count + count
    }

    /// Appends bytes that the checksum includes.
    private mutating func appendChecked(_ append: (inout [UInt8]) -> Void) {
        let start = buffer.count
        append(&buffer)
        checksum = buffer.withSpan { bytes in
            CRC32C.checksum(bytes.extracting(droppingFirst: start), continuing: checksum)
        }
    }

    private static func append(_ marker: UInt8, _ key: StorageKey, to buffer: inout [UInt8]) {
        buffer.append(marker)
        append(UInt32(key.rawValue.utf8.count), to: &buffer)
        buffer.append(contentsOf: key.rawValue.utf8)
    }

    private static func append(_ number: UInt32, to buffer: inout [UInt8]) {
        for shift in stride(from: 0, to: 32, by: 8) { buffer.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Writes a number into the head, in place, because every put needs several numbers.
    private mutating func write(_ number: UInt32, at offset: Int) {
        for place in 0..<4 { buffer[offset + place] = UInt8(truncatingIfNeeded: number >> (8 * place)) }
    }
}

/// An operation of a record in a log, with offsets in the file.
enum LogOperation {
    /// The key's value is at this location.
    case put(StorageKey, LogIndex.Entry)
    /// The key has no value.
    case remove(StorageKey)
    /// Neither the key nor any key below it has a value.
    case removeAll(StorageKey)
    /// The records from this offset up to this one could not be flushed and are invalid.
    ///
    /// Nothing may be written after this record.
    case void(from: Int)
    /// Bytes without meaning.
    case note
}
