import Foundation
import TVEModels

struct LogRecordReader {
    /// The result of parsing some bytes.
    enum Finding {
        /// A complete record of this length; its operations are in ``operations``.
        case record(length: Int)
        /// A record of this length that matches its checksum, but contains a value that does not.
        case recordWithBadValue(length: Int)
        /// The bytes end before the record, which needs this many bytes.
        case incomplete(needed: Int)
        /// The head of a record of this length is valid, but the following bytes do not match it.
        case unfit(length: Int)
        /// The bytes are not a record's head.
        case noRecord
    }

    let version: UInt32
    private(set) var operations: [LogOperation] = []

    init(version: UInt32) {
        self.version = version
    }

    /// - Parameters:
    ///   - bytes: the bytes from the record's beginning on.
    ///   - start: the offset of the bytes in the file.
    mutating func read(_ bytes: Span<UInt8>, at start: Int) -> Finding {
        operations.removeAll(keepingCapacity: true)
        guard bytes.count >= LogFormat.recordHeaderLength else {
            return .incomplete(needed: LogFormat.recordHeaderLength)
        }
        let length = Int(bytes.number(at: 0))
        guard bytes.number(at: 8) == CRC32C.checksum(bytes.extracting(first: 8)),
            length <= LogFormat.maximumPayload + 1
        else { return .noRecord }
        let end = LogFormat.recordHeaderLength + length
        guard bytes.count >= end else { return .incomplete(needed: end) }
        let payload = bytes.extracting(LogFormat.recordHeaderLength..<end)
        var scan = PayloadScan(start: start + LogFormat.recordHeaderLength, version)
        guard scan.run(payload, &operations), scan.checksum == bytes.number(at: 4) else {
            operations.removeAll(keepingCapacity: true)
            return .unfit(length: end)
        }
        return scan.hasBadValue ? .recordWithBadValue(length: end) : .record(length: end)
    }
}

/// One pass through a payload.
private struct PayloadScan {
    private let start: Int
    private let version: UInt32
    private var offset = 0
    /// The offset up to which the checksum is computed.
    private var summed = 0
    private(set) var checksum: UInt32 = 0
    private(set) var hasBadValue = false

    init(start: Int, _ version: UInt32) {
        self.start = start
        self.version = version
    }

    /// - Returns: false if the payload does not consist of operations.
    mutating func run(_ bytes: Span<UInt8>, _ operations: inout [LogOperation]) -> Bool {
        let isOld = version == LogFormat.oldVersion
        while offset < bytes.count {
            let marker = bytes[offset]
            offset += 1
            switch marker {
            case LogRecord.Marker.putWithoutChecksum where isOld, LogRecord.Marker.put where !isOld:
                guard let key = key(bytes), let count = number(bytes), let expected = isOld ? 0 : number(bytes),
                    Int(count) <= bytes.count - offset
                else { return false }
                let value = bytes.extracting(offset..<(offset + Int(count)))
                let found = CRC32C.checksum(value)
                if !isOld {
                    sum(bytes)
                    summed += value.count
                    if found != expected { hasBadValue = true }
                }
                let entry = LogIndex.Entry(
                    offset: start + offset, count: value.count, checksum: isOld ? found : expected)
                operations.append(.put(key, entry))
                offset += value.count
            case LogRecord.Marker.remove:
                guard let key = key(bytes) else { return false }
                operations.append(.remove(key))
            case LogRecord.Marker.removeAll:
                guard let key = key(bytes) else { return false }
                operations.append(.removeAll(key))
            case LogRecord.Marker.void where !isOld:
                guard let low = number(bytes), let high = number(bytes) else { return false }
                operations.append(.void(from: Int(low) | Int(high) << 32))
            case LogRecord.Marker.moved where !isOld: operations.append(.note)
            case LogRecord.Marker.note where !isOld:
                guard let count = number(bytes), Int(count) <= bytes.count - offset else { return false }
                offset += Int(count)
                operations.append(.note)
            case LogRecord.Marker.end where !isOld && offset == bytes.count:
                sum(bytes)
                return true
            default: return false
            }
        }
        sum(bytes)
        return isOld
    }

    /// Adds the bytes that were read since the last call to the checksum.
    private mutating func sum(_ bytes: Span<UInt8>) {
        checksum = CRC32C.checksum(bytes.extracting(summed..<offset), continuing: checksum)
        summed = offset
    }

    private mutating func number(_ bytes: Span<UInt8>) -> UInt32? {
        guard offset + 4 <= bytes.count else { return nil }
        defer { offset += 4 }
        return bytes.number(at: offset)
    }

    private mutating func key(_ bytes: Span<UInt8>) -> StorageKey? {
        guard let length = number(bytes), Int(length) <= bytes.count - offset,
            let name = String(validUTF8: bytes.extracting(offset..<(offset + Int(length))))
        else { return nil }
        offset += Int(length)
        return StorageKey(rawValue: name)
    }
}
