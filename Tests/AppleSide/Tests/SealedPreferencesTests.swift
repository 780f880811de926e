import AppleDevice
import Foundation
import Security
import TVEModels
import TVEStorage
import Testing

extension AppleSide {
    /// The store of an app on tvOS: preferences, sealed with a key in the keychain.
    struct SealedPreferencesTests {
        private let device = AppleDevice.takeNew()
        private let suite = "tve-test-\(UUID().uuidString)"
        private let entry = StorageKey("entry")
        private let secret = Data("a secret token".utf8)

        private var storage: SealedStorage {
            SealedStorage(
                UserDefaultsStorage(suiteName: suite), keyIn: KeychainStorage(service: suite, staysOnDevice: true))
        }

        @Test func aBackupOfThePreferences_containsNoValue() throws {
            device.run(.player)
            defer { UserDefaults.standard.removePersistentDomain(forName: suite) }
            try storage.apply([.put(entry, secret)])
            #expect(try storage.value(for: entry) == secret)
            #expect(try UserDefaultsStorage(suiteName: suite).value(for: entry)?.range(of: secret) == nil)
        }

        @Test func anotherDevice_fromABackup_beginsAnew() throws {
            device.run(.player)
            defer { UserDefaults.standard.removePersistentDomain(forName: suite) }
            try storage.apply([.put(entry, secret)])
            device.moveToAnotherDevice()
            #expect(throws: StorageError.invalidValue(entry)) { try storage.value(for: entry) }
            try storage.apply([.put(entry, secret)])
            #expect(try storage.value(for: entry) == secret)
        }

        @Test func nothingChanges_beforeTheFirstUnlock() throws {
            device.run(.player)
            defer { UserDefaults.standard.removePersistentDomain(forName: suite) }
            try storage.apply([.put(entry, secret)])
            device.restart()
            #expect(throws: StorageError.locked) { try storage.apply([.put(entry, Data())]) }
            device.with { $0.passcode = .unlocked }
            #expect(try storage.value(for: entry) == secret)
        }
    }
}
