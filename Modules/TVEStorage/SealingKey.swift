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
        try SealingKeyFile(url, StorageSystem()).keyOrNew().key
    }

    /// The key in a file that is there already.
    ///
    /// - Parameter url: where the key is; 32 bytes.
    /// - Returns: the key, nil when there is no such file.
    /// - Throws: as ``file(_:)``.
    public static func existing(_ url: URL) throws(StorageError) -> SealingKey? {
        try SealingKeyFile(url, StorageSystem()).key()?.key
    }
}
