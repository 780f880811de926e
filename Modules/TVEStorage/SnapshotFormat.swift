import Crypto
import Foundation

/// The bytes of one snapshot.
///
/// `TVESTORE`, version (1 byte), count (4), then for each value key length (4), key, value length (4), value; last the
/// SHA-256 of everything before. Numbers are big-endian.
enum SnapshotFormat {
    private static let magic = Data("TVESTORE".utf8)
    private static let version: UInt8 = 1
    private static let digestLength = 32

    static func encode(_ values: [StorageKey: Data]) -> Data {
        var bytes = magic
        bytes.append(version)
        bytes.append(UInt32(values.count))
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            bytes.append(lengthPrefixed: Data(key.rawValue.utf8))
            bytes.append(lengthPrefixed: value)
        }
        bytes.append(contentsOf: SHA256.hash(data: bytes))
        return bytes
    }

    static func decode(_ bytes: Data) throws(StorageError) -> [StorageKey: Data] {
        guard bytes.count > magic.count else { throw .damaged(.truncated) }
        guard bytes.starts(with: magic) else { throw .damaged(.checksum) }
        guard bytes[bytes.startIndex + magic.count] == version else { throw .unknownLayout }
        guard bytes.count >= magic.count + 1 + 4 + digestLength else { throw .damaged(.truncated) }
        let content = bytes.dropLast(digestLength)
        guard SHA256.hash(data: content) == bytes.suffix(digestLength) else { throw .damaged(.checksum) }
        var rest = content.dropFirst(magic.count + 1)
        var values: [StorageKey: Data] = [:]
        for _ in 0..<(try rest.takeNumber()) {
            let key = StorageKey(rawValue: String(decoding: try rest.take(try rest.takeNumber()), as: UTF8.self))
            // A copy of its own, so that no value keeps the whole file in memory.
            values[key] = Data(try rest.take(try rest.takeNumber()))
        }
        guard rest.isEmpty else { throw .damaged(.checksum) }
        return values
    }
}

extension Data {
    fileprivate mutating func append(_ number: UInt32) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func append(lengthPrefixed bytes: Data) {
        append(UInt32(bytes.count))
        append(bytes)
    }

    fileprivate mutating func take(_ count: Int) throws(StorageError) -> Data {
        guard count <= self.count else { throw .damaged(.truncated) }
        defer { removeFirst(count) }
        return prefix(count)
    }

    fileprivate mutating func takeNumber() throws(StorageError) -> Int {
        try take(4).reduce(0) { $0 << 8 | Int($1) }
    }
}
