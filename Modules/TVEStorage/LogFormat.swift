import Foundation

/// The bytes of a log (Documentation/Storage.md has the picture): a header, then one record a batch.
///
/// Header: `TVESTORE`, version (4 bytes), CRC of the twelve bytes before. Record: length of the payload, CRC of the payload,
/// CRC of the eight bytes before, payload. Payload: one operation after the other. All numbers have four bytes,
/// little-endian, and all CRCs are CRC-32C.
enum LogFormat {
    static let version: UInt32 = 2
    static let headerLength = 16
    static let recordHeaderLength = 12
    /// Longest payload: more than a viewer's entitlements ever take.
    static let maximumPayload = 256 << 20

    private static let magic = Data("TVESTORE".utf8)

    static var header: Data {
        var bytes = magic
        bytes.append(number: version)
        bytes.append(number: checksum(bytes))
        return bytes
    }

    static func check(header bytes: Data) throws(StorageError) {
        guard bytes.count >= headerLength else { throw .damaged(.truncated) }
        let header = Data(bytes.prefix(headerLength))
        guard header.number(at: 12) == checksum(header.prefix(12)), header.starts(with: magic) else {
            throw .damaged(.checksum)
        }
        guard header.number(at: 8) == version else { throw .unknownLayout }
    }

    static func checksum(_ bytes: Data) -> UInt32 { bytes.withUnsafeBytes { CRC32C.checksum($0) } }

    /// Puts the header of a record before its payload.
    static func record(_ payload: Data) -> Data {
        var bytes = Data(capacity: recordHeaderLength + payload.count)
        bytes.append(number: UInt32(payload.count))
        bytes.append(number: checksum(payload))
        bytes.append(number: checksum(bytes))
        bytes.append(payload)
        return bytes
    }

    /// What one record holds, or why there is none.
    enum Parsed {
        /// A whole record, and how many bytes it takes.
        case record(payload: Data, length: Int)
        /// The bytes end before the record does; it needs so many.
        case incomplete(needed: Int)
        /// The bytes do not fit their checksum.
        case damaged
    }

    /// Reads the record at the beginning of some bytes.
    static func parse(_ bytes: Data) -> Parsed {
        guard bytes.count >= recordHeaderLength else { return .incomplete(needed: recordHeaderLength) }
        let length = Int(bytes.number(at: 0))
        guard bytes.number(at: 8) == checksum(bytes.prefix(8)), length <= maximumPayload else { return .damaged }
        let end = recordHeaderLength + length
        guard bytes.count >= end else { return .incomplete(needed: end) }
        let payload = bytes.dropFirst(recordHeaderLength).prefix(length)
        guard bytes.number(at: 4) == checksum(payload) else { return .damaged }
        return .record(payload: payload, length: end)
    }
}

extension Data {
    mutating func append(number: UInt32) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// The number at an offset from the beginning, which must be there.
    func number(at offset: Int) -> UInt32 {
        withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    }
}
