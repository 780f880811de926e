import Crypto
import Foundation

/// The format of a sealed value: layout (1 byte), key id (4), nonce (12), sealed bytes, tag (16).
///
/// The entry's key is associated data, so that a value moved to another entry does not open.
enum SealedValue {
    private static let layout: UInt8 = 1
    private static let nonceStart = 5

    static func seal(_ value: Data, _ key: StorageKey, with sealing: SealingKey) throws(StorageError) -> Data {
        do {
            let box = try AES.GCM.seal(value, using: sealing.key, authenticating: Data(key.rawValue.utf8))
            var bytes = Data(capacity: nonceStart + 28 + value.count)
            bytes.append(layout)
            bytes.append(sealing.identifier)
            bytes.append(contentsOf: box.nonce)
            bytes.append(box.ciphertext)
            bytes.append(box.tag)
            return bytes
        } catch {
            // Only a nonce of a wrong length fails, and the library made this one.
            throw .invalidValue(key)
        }
    }

    /// Opens a value.
    ///
    /// - Returns: the bytes; `StorageError.keyMissing` when the value's key id is unknown, `.invalidValue` when its key
    ///   does not open it.
    static func open(_ sealed: Data, _ key: StorageKey, with keys: [SealingKey]) -> Result<Data, StorageError> {
        guard sealed.count >= nonceStart + 28, sealed.first == layout else { return .failure(.invalidValue(key)) }
        guard let sealing = keys.first(where: { isSealed(sealed, with: $0) }) else { return .failure(.keyMissing) }
        guard let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst(nonceStart)),
            let value = try? AES.GCM.open(box, using: sealing.key, authenticating: Data(key.rawValue.utf8))
        else { return .failure(.invalidValue(key)) }
        return .success(value)
    }

    /// Whether a value has this key's id.
    static func isSealed(_ sealed: Data, with key: SealingKey) -> Bool {
        sealed.dropFirst().starts(with: key.identifier)
    }
}
