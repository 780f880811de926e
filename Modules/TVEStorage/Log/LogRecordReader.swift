import Foundation
import TVEModels

/// Parses records from the bytes of a log.
struct LogRecordReader {
    /// The result of parsing some bytes.
    enum Finding {
        /// A complete record of this length; its steps are in ``steps``.
        case record(length: Int)
        /// A record of this length that matches its checksum, but contains a value that does not.
        case recordWithBadValue(length: Int)
        /// The bytes end before the record does; it needs this many.
        case incomplete(needed: Int)
        /// The record's head is valid, but the following bytes do not match it; the record would have this length.
        case unfit(length: Int)
        /// The bytes are not a record's head.
        case noRecord
    }

    let version: UInt32
    /// The steps of the last record.
    private(set) var steps: [LogStep] = []

    init(version: UInt32) {
        self.version = version
    }

    /// Parses one record.
    ///
    /// - Parameters:
    ///   - bytes: the bytes from the record's beginning on.
    ///   - start: the offset of the bytes in the file.
    mutating func read(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Finding {
        steps.removeAll(keepingCapacity: true)
        guard bytes.count >= LogFormat.recordHeaderLength else {
            return .incomplete(needed: LogFormat.recordHeaderLength)
        }
        let length = Int(Self.number(bytes, 0))
        guard Self.number(bytes, 8) == CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<8])),
            length <= LogFormat.maximumPayload + 1
        else { return .noRecord }
        let end = LogFormat.recordHeaderLength + length
        guard bytes.count >= end else { return .incomplete(needed: end) }
        let payload = UnsafeRawBufferPointer(rebasing: bytes[LogFormat.recordHeaderLength..<end])
        var walk = Walk(payload, start: start + LogFormat.recordHeaderLength, version)
        guard walk.run(&steps), walk.checksum == Self.number(bytes, 4) else {
            steps.removeAll(keepingCapacity: true)
            return .unfit(length: end)
        }
        return walk.hasBadValue ? .recordWithBadValue(length: end) : .record(length: end)
    }

    fileprivate static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}

/// One pass through a payload.
private struct Walk {
    private let bytes: UnsafeRawBufferPointer
    private let start: Int
    private let version: UInt32
    private var offset = 0
    /// The offset up to which the checksum is computed.
    private var summed = 0
    private(set) var checksum: UInt32 = 0
    private(set) var hasBadValue = false

    init(_ bytes: UnsafeRawBufferPointer, start: Int, _ version: UInt32) {
        self.bytes = bytes
        self.start = start
        self.version = version
    }

    /// Reads all operations.
    ///
    /// - Returns: false when the payload does not consist of operations.
    mutating func run(_ steps: inout [LogStep]) -> Bool {
        let isOld = version == LogFormat.oldVersion
        while offset < bytes.count {
            let marker = bytes[offset]
            offset += 1
            switch marker {
            case LogRecord.Marker.putWithoutChecksum where isOld, LogRecord.Marker.put where !isOld:
                guard let key = key(), let count = number(), let expected = isOld ? 0 : number(),
                    Int(count) <= bytes.count - offset
                else { return false }
                let value = UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + Int(count))])
                let found = CRC32C.checksum(value)
                if !isOld {
                    sum()
                    summed += value.count
                    if found != expected { hasBadValue = true }
                }
                let entry = LogIndex.Entry(
                    offset: start + offset, count: value.count, checksum: isOld ? found : expected)
                steps.append(.put(key, entry))
                offset += value.count
            case LogRecord.Marker.remove:
                guard let key = key() else { return false }
                steps.append(.remove(key))
            case LogRecord.Marker.removeAll:
                guard let key = key() else { return false }
                steps.append(.removeAll(key))
            case LogRecord.Marker.void where !isOld:
                guard let low = number(), let high = number() else { return false }
                steps.append(.void(from: Int(low) | Int(high) << 32))
            case LogRecord.Marker.moved where !isOld: steps.append(.moved)
            case LogRecord.Marker.note where !isOld:
                guard let count = number(), Int(count) <= bytes.count - offset else { return false }
                offset += Int(count)
                steps.append(.note)
            case LogRecord.Marker.end where !isOld && offset == bytes.count:
                sum()
                return true
            default: return false
            }
        }
        sum()
        return isOld
    }

    /// Adds the bytes that were read since the last call to the checksum.
    private mutating func sum() {
        checksum = CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes[summed..<offset]), continuing: checksum)
        summed = offset
    }

    private mutating func number() -> UInt32? {
        guard offset + 4 <= bytes.count else { return nil }
        defer { offset += 4 }
        return LogRecordReader.number(bytes, offset)
    }

    private mutating func key() -> StorageKey? {
        guard let length = number(), Int(length) <= bytes.count - offset,
            let name = String(validUTF8: bytes[offset..<(offset + Int(length))])
        else { return nil }
        offset += Int(length)
        return StorageKey(rawValue: name)
    }
}
