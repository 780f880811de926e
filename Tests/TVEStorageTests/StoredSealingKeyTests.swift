import Foundation
import TVEModels
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

/// A sealed store whose key is in another store, as tvOS has it: preferences, and a keychain.
@Suite(.fewAtATime)
struct StoredSealingKeyTests {
    private let preferences = MemoryStorage()
    private let keychain = FailingStorage()
    private let entry = StorageKey("a", "b")
    private let secret = Data("a secret token".utf8)

    private var sealed: SealedStorage { SealedStorage(preferences, keyIn: keychain) }

    @Test func keepsTheContract() throws {
        #expect(try StorageConformance.violations(isPersistent: true) { sealed } == [])
    }

    @Test func writesNoValueInTheClear_andKeepsItsKey() throws {
        try sealed.apply([.put(entry, secret)])
        #expect(try #require(preferences.value(for: entry)).range(of: secret) == nil)
        #expect(try sealed.value(for: entry) == secret)
        #expect(try keychain.keys(under: .everything).count == 1)
    }

    @Test func handlesAtTheSameTime_createOneKey() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                let (storage, secret) = (sealed, secret)
                group.addTask { try storage.apply([.put(StorageKey("\(number)"), secret)]) }
            }
            try await group.waitForAll()
        }
        for number in 0..<20 { #expect(try sealed.value(for: StorageKey("\(number)")) == secret) }
    }

    @Test func aLostKey_costsTheValues_andNewOnesWork() throws {
        try sealed.apply([.put(entry, secret)])
        try keychain.removeEverything()
        let other = sealed
        #expect(throws: StorageError.invalidValue(entry)) { try other.value(for: entry) }
        let next = StorageKey("next")
        try other.apply([.put(next, secret)])
        #expect(try sealed.value(for: next) == secret)
    }

    @Test(arguments: [true, false]) func aLockedKeychain_changesNothing(hasKey: Bool) throws {
        if hasKey { try sealed.apply([.put(entry, secret)]) }
        let before = preferences.value(for: entry)
        keychain.fail(.reading)
        let other = sealed
        #expect(throws: StorageError.cannotRead(errno: EIO)) { try other.apply([.put(entry, Data())]) }
        #expect(preferences.value(for: entry) == before)
        if hasKey { #expect(throws: StorageError.cannotRead(errno: EIO)) { try other.value(for: entry) } }
        keychain.fail(nil)
        #expect(try other.value(for: entry) == (hasKey ? secret : nil))
        try other.apply([.put(entry, secret)])
        #expect(try sealed.value(for: entry) == secret)
    }

    @Test func aKeyOfAnotherLength_isRefused_andStays() throws {
        try keychain.apply([.put(StorageKey("sealing.key"), Data([1]))])
        #expect(throws: StorageError.invalidKey) { try sealed.apply([.put(entry, secret)]) }
        #expect(try keychain.value(for: StorageKey("sealing.key")) == Data([1]))
    }

    @Test func aKeyOfAnotherLength_isReplaced_afterTheStoreWasCleared() throws {
        try keychain.apply([.put(StorageKey("sealing.key"), Data([1]))])
        #expect(EntitlementStore(sealed).check(.clear).outcome == .cleared)
        try sealed.apply([.put(entry, secret)])
        #expect(try sealed.value(for: entry) == secret)
    }

    @Test func aUsableKey_staysAfterTheStoreWasCleared() throws {
        try sealed.apply([.put(entry, secret)])
        let key = try keychain.value(for: StorageKey("sealing.key"))
        try sealed.removeEverything()
        #expect(try keychain.value(for: StorageKey("sealing.key")) == key)
    }

    @Test(arguments: [.all, .clear] as [IntegrityMode])
    func aDamagedKeychain_isReplaced_byACheckThatClears(mode: IntegrityMode) throws {
        let directory = TemporaryDirectory()
        func open() -> SealedStorage { SealedStorage(preferences, keyIn: FileStorage(directory: directory.store)) }
        try open().apply([.put(entry, secret)])
        try directory.flip(0)
        #expect(throws: StorageError.damaged(.checksum)) { try open().value(for: entry) }
        #expect(EntitlementStore(open()).check(mode).outcome == .cleared)
        try open().apply([.put(entry, secret)])
        #expect(try open().value(for: entry) == secret)
    }
}
