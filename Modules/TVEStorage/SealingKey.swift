public import Crypto
public import Foundation
public import TVEModels

/// The key that stored values are sealed with: 256 bits, never printed.
public struct SealingKey: Sendable, Redacting {
    let key: SymmetricKey
    /// Tells keys apart in sealed values without telling anything about them.
    let identifier: Data

    /// Takes a key.
    ///
    /// - Parameter key: a key of 256 bits, from a keychain for example.
    /// - Throws: `StorageError.invalidKey` when it has another length.
    public init(_ key: SymmetricKey) throws(StorageError) {
        guard key.bitCount == 256 else { throw .invalidKey }
        self.init(checked: key)
    }

    private init(checked key: SymmetricKey) {
        self.key = key
        identifier = Data(HMAC<SHA256>.authenticationCode(for: Data("key identifier".utf8), using: key).prefix(4))
    }

    /// Makes a new random key.
    public static func random() -> SealingKey { SealingKey(checked: SymmetricKey(size: .bits256)) }

    /// Only that it is a key.
    public var redactedDescription: String { "SealingKey" }

    /// The key in a file, which is made with a random key when it is missing.
    ///
    /// The file gets mode 0600, its directory 0700. Two processes that come first at the same moment get the same key.
    ///
    /// - Parameter url: where the key is; 32 bytes.
    /// - Returns: the key.
    /// - Throws: `StorageError.invalidKey` when the file holds something else, `.permissionsTooOpen` when others may read
    ///   it, `.notAFile` when it is no regular file; any other about reading and writing.
    public static func file(_ url: URL) throws(StorageError) -> SealingKey {
        if let key = try existing(url) { return key }
        try StorageFile.prepare(url.deletingLastPathComponent())
        // Finished under a name of its own, then put in place unless another process was faster.
        let finished = url.appendingPathExtension(UUID().uuidString)
        let file = try LogFile.create(finished)
        defer { unlink(finished.path) }
        try file.write(SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }, at: 0)
        try file.flush()
        guard link(finished.path, url.path) == 0 || errno == EEXIST else { throw .cannotWrite(errno: errno) }
        try StorageFile.flushDirectory(of: url)
        guard let key = try existing(url) else { throw .keyMissing }
        return key
    }

    /// The key in a file that is there already.
    ///
    /// - Parameter url: where the key is; 32 bytes.
    /// - Returns: the key, nil when there is no such file.
    /// - Throws: as ``file(_:)``.
    public static func existing(_ url: URL) throws(StorageError) -> SealingKey? {
        guard let file = try LogFile.open(url) else { return nil }
        return try SealingKey(SymmetricKey(data: try file.read(at: 0, count: 33)))
    }
}
