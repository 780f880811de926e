public import Crypto
public import Foundation
public import TVEModels

/// The key that stored values are sealed with: 256 bits, never printed.
public struct SealingKey: Sendable, Redacting {
    let key: SymmetricKey
    /// Identifies the key in sealed values without revealing anything about it.
    let identifier: Data

    /// Wraps a key.
    ///
    /// - Parameter key: a key of 256 bits, for example from a keychain.
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

    /// The type's name, not the key.
    public var redactedDescription: String { "SealingKey" }

    /// The key in a file, which is created with a random key when it is missing.
    ///
    /// The file gets mode 0600, its directory 0700. Two processes that create it at the same time get the same key.
    ///
    /// - Parameter url: where the key is; 32 bytes.
    /// - Returns: the key.
    /// - Throws: `StorageError.invalidKey` when the file has other contents, `.permissionsTooOpen` when others may read
    ///   it, `.notAFile` when it is not a regular file; any other about reading and writing.
    public static func file(_ url: URL) throws(StorageError) -> SealingKey {
        try SealingKeyFile(url, StorageSystem()).keyOrNew().key
    }

    /// The key in an existing file.
    ///
    /// - Parameter url: where the key is; 32 bytes.
    /// - Returns: the key, nil when there is no such file.
    /// - Throws: as ``file(_:)``.
    public static func existing(_ url: URL) throws(StorageError) -> SealingKey? {
        try SealingKeyFile(url, StorageSystem()).key()?.key
    }
}
