import Foundation

/// One preference of one suite.
struct UserDefaultsCarrier: SnapshotCarrier {
    let suiteName: String

    private static let key = "swift-access-enabler.entitlements"

    func load() throws(StorageError) -> Data? {
        guard let value = try suite().object(forKey: Self.key) else { return nil }
        // A value of another type under our name is damage, not an empty store.
        guard let bytes = value as? Data else { throw .damaged(.checksum) }
        return bytes
    }

    func save(_ bytes: Data, insteadOf old: Data?) throws(StorageError) -> Bool {
        let suite = try suite()
        suite.set(bytes, forKey: Self.key)
        // Without this, Foundation on Linux never writes anything.
        guard suite.synchronize() else { throw .cannotWrite(errno: EIO) }
        return true
    }

    private func suite() throws(StorageError) -> UserDefaults {
        guard let suite = UserDefaults(suiteName: suiteName) else { throw .cannotRead(errno: EINVAL) }
        return suite
    }
}
