import Foundation
import TVEModels

/// The bytes of a log: a header, then one record per batch, then zeros.
///
/// Header: `TVESTORE`, version (4 bytes), CRC of the twelve bytes before, 48 bytes for probes without meaning. Record:
/// length of the payload, CRC of the payload without its values, CRC of the eight bytes before, payload. Payload: a
/// sequence of operations; an operation that puts a value contains the value's own CRC. All numbers have four bytes,
/// little-endian, and all CRCs are CRC-32C. Twelve zeros are not a record, because the CRC of eight zeros is not zero.
///
/// Version 2 had no probe area, the CRC of the whole payload, no CRC of a value, no last operation and no zeros after
/// the records. It can be read, and is rewritten as version 3 before the next change.
enum LogFormat {
    static let version: UInt32 = 3
    static let oldVersion: UInt32 = 2
    static let headerLength = 16
    /// The area in which a check writes bytes and reads them back.
    static let probePlace = 16..<64
    static let recordHeaderLength = 12
    /// The longest payload, which is more than a viewer's entitlements ever need.
    static let maximumPayload = 256 << 20
    /// The largest number of bytes after the last record that are searched for damage, or copied with it.
    ///
    /// No writer leaves so many zeros there, so a longer tail is damage.
    static let longestTail = maximumPayload + (1 << 20)

    private static let magic = Data("TVESTORE".utf8)

    static var header: Data {
        var bytes = magic
        bytes.append(number: version)
        bytes.append(number: checksum(bytes))
        return bytes + Data(count: probePlace.count)
    }

    /// Returns the offset of the first record.
    static func start(_ version: UInt32) -> Int { version == oldVersion ? headerLength : probePlace.upperBound }

    /// - Returns: the version of the records.
    static func check(header bytes: Data) throws(StorageError) -> UInt32 {
        guard bytes.count >= headerLength else { throw .damaged(.truncated) }
        let header = Data(bytes.prefix(headerLength))
        guard header.number(at: 12) == checksum(header.prefix(12)), header.starts(with: magic) else {
            throw .damaged(.checksum)
        }
        let version = header.number(at: 8)
        guard version == Self.version || version == oldVersion else { throw .unknownLayout }
        return version
    }

    static func checksum(_ bytes: Data) -> UInt32 { bytes.withSpan { CRC32C.checksum($0) } }
}

extension Data {
    mutating func append(number: UInt32) { append(contentsOf: number.littleEndianBytes) }

    /// Returns the number at an offset from the beginning, which must be inside the data.
    func number(at offset: Int) -> UInt32 {
        withSpan { bytes in bytes.number(at: offset) }
    }
}

extension Span<UInt8> {
    /// Returns the number at an offset, which must be inside the bytes.
    func number(at offset: Int) -> UInt32 {
        // The span checks the offset, and four bytes of any value are a number.
        UInt32(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}

extension FixedWidthInteger {
    /// The bytes of the number, beginning with the lowest.
    var littleEndianBytes: [UInt8] {
        stride(from: 0, to: Self.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}
