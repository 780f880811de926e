import Crypto
import Foundation
import TVEModels

/// A file with a sandbox's state, which contains a line with a hash and then JSON.
///
/// A file is always complete: it is written beside its place, flushed to the medium, and then moved to its place.
enum StateFile {
    private static let marker = "tve-sandbox-state"
    private static let version = "1"
    /// The limits of the JSON.
    ///
    /// A full record of exchanges has 64 MB of bodies, in Base64, and of heads of requests. The ids of accounts and
    /// devices are names of members, and a request may have a head of 64 KB.
    private static let limits = UntrustedJSON.Limits(bytes: 512 << 20, nameBytes: 128 << 10)

    static func read<Value: Decodable>(
        _ type: Value.Type, _ path: String
    ) throws(SandboxFolderError) -> Value {
        guard let file = FileManager.default.contents(atPath: path) else { throw .system(path, errno: EIO) }
        guard let end = file.prefix(200).firstIndex(of: UInt8(ascii: "\n")) else { throw .foreign(path) }
        let words = String(decoding: file[..<end], as: UTF8.self).parts(separatedBy: " ").map { String($0) }
        guard words.count == 3, words[0] == marker else { throw .foreign(path) }
        guard words[1] == version else { throw .newer(path) }
        let json = Data(file[(end + 1)...])
        guard words[2] == SHA256.hash(data: json).hexadecimal else { throw .damaged(path) }
        // These are the bytes that were written, by a version with other members or values.
        guard let value = try? UntrustedJSON.decode(type, from: json, limits) else { throw .newer(path) }
        return value
    }

    static func write(_ value: some Encodable, _ path: String) throws(SandboxFolderError) {
        // Strings, numbers, dates and arrays of these can always be encoded.
        guard let json = try? JSONEncoder().encode(value) else { throw .system(path, errno: EINVAL) }
        let hash = SHA256.hash(data: json).hexadecimal
        let bytes = Data("\(marker) \(version) \(hash)\n".utf8) + json
        let number = WholeFile.replace(path, bytes)
        guard number == 0 else { throw .system(path, errno: number) }
    }
}
