public import Crypto
public import Foundation
public import TVEModels

/// A key of 256 bits that seals stored values.
///
/// The key is never printed.
public struct SealingKey: Sendable, Redacting {
    let key: SymmetricKey
    /// The bytes that identify the key in sealed values without revealing anything about it.
    let identifier: Data

    /// Creates a sealing key from a key.
    ///
    /// - Parameter key: a key of 256 bits, for example from a keychain.
    /// - Throws: `StorageError.invalidKey` if it has another length.
    public init(_ key: SymmetricKey) throws(StorageError) {
        guard key.bitCount == 256 else { throw .invalidKey }
        self.init(checked: key)
    }

    private init(checked key: SymmetricKey) {
        self.key = key
        identifier = Data(HMAC<SHA256>.authenticationCode(for: Data("key identifier".utf8), using: key).prefix(4))
    }

    /// Creates a new random key.
    public static func random() -> SealingKey { SealingKey(checked: SymmetricKey(size: .bits256)) }

    /// The name of the type without the key.
    public var redactedDescription: String { "SealingKey" }

    /// Returns the key in a file, which is created with a random key if it is missing.
    ///
    /// The file has mode 0600, and its directory has 0700. Two processes that create it at the same time get the same
    /// key.
    ///
    /// - Parameter url: the file with the key, which has 32 bytes.
    /// - Returns: the key.
    /// - Throws: `StorageError.invalidKey` if the file has other contents, `.permissionsTooOpen` if others may read it,
    ///   `.notAFile` if it is not a regular file, or any other error about reading and writing.
    public static func file(_ url: URL) throws(StorageError) -> SealingKey {
        try SealingKeyFile(url, StorageSystem()).keyOrNew().key
    }

    /// Returns the key in an existing file.
    ///
    /// - Parameter url: the file with the key, which has 32 bytes.
    /// - Returns: the key, or nil if there is no such file.
    /// - Throws: the same errors as ``file(_:)``.
    public static func existing(_ url: URL) throws(StorageError) -> SealingKey? {
        try SealingKeyFile(url, StorageSystem()).key()?.key
    }
}
