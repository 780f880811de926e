import Crypto
import Foundation
import TVEModels

extension SealedStorage {
    /// Seals a backend with a key that another backend stores: user defaults, for example, with a key in the keychain.
    ///
    /// The key is created when it is first needed. If it was lost, as on a device to which a backup without the
    /// keychain was restored, a new one takes its place. Nothing can open the values that the lost key sealed. Reading
    /// one throws `StorageError.invalidValue`. Once the new key has sealed a value, ``IntegrityMode/all`` and
    /// ``IntegrityMode/repair`` move the values of the lost key aside.
    ///
    /// - Parameters:
    ///   - backend: the place that stores the sealed bytes.
    ///   - keychain: the place that stores the key, a store of its own whose values are not sealed with this key. While
    ///     it is locked, every call throws its error and changes nothing.
    public convenience init(_ backend: any StorageBackend, keyIn keychain: any StorageBackend) {
        self.init(backend, SealingKeySource(.stored(in: keychain)))
    }
}

extension SealingKey {
    private static let name = StorageKey("sealing.key")

    /// Returns the key that a backend stores, after creating it there if it is missing.
    ///
    /// Two processes that create it at the same time get the same key.
    static func stored(in backend: any StorageBackend) throws(StorageError) -> SealingKey {
        let name = name
        // In the usual case the key exists, and reading it needs no write.
        if let bytes = try backend.value(for: name) { return try SealingKey(SymmetricKey(data: bytes)) }
        return try backend.updating { present throws(StorageError) in
            if let bytes = try present.value(for: name) {
                return ([], try SealingKey(SymmetricKey(data: bytes)))
            }
            let key = SymmetricKey(size: .bits256)
            return ([.put(name, key.withSpan { Data($0) })], try SealingKey(key))
        }
    }

    /// Removes what a backend stores instead of a key, so that the next call creates a key.
    static func discardUnusable(in backend: any StorageBackend) throws(StorageError) {
        let name = name
        do throws(StorageError) {
            try backend.update { present throws(StorageError) in
                do throws(StorageError) {
                    if let bytes = try present.value(for: name) { _ = try SealingKey(SymmetricKey(data: bytes)) }
                    return []
                } catch .invalidKey, .invalidValue {
                    return [.remove(name)]
                }
            }
        } catch .damaged {
            try backend.setAside()
        } catch {
            // Any other error is thrown by the next call that needs a key.
        }
    }
}
