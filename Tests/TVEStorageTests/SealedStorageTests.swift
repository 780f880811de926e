import Crypto
import Foundation
import TVEModels
import TVEStorage
import TVETestTraits
import Testing

@Suite(.oneAtATime)
struct SealedStorageTests {
    private let memory = MemoryStorage()
    private let key = SealingKey.random()
    private let entry = StorageKey("a", "b")
    private let secret = Data("a secret token".utf8)

    private var sealed: SealedStorage { SealedStorage(memory, key: key) }

    @Test(.row("SE1")) func writesNoValueInTheClear_andNeverTheSameBytesTwice() throws {
        let directory = TemporaryDirectory()
        let storage = SealedStorage(FileStorage(directory: directory.store), key: key)
        try storage.apply([.put(entry, secret)])
        let first = try storage.rawValue(for: entry)
        try storage.apply([.put(entry, secret)])
        #expect(try storage.rawValue(for: entry) != first)
        #expect(try Data(contentsOf: directory.file).range(of: secret) == nil)
        #expect(try storage.value(for: entry) == secret)
    }

    /// A session reads several values at each play, and each call of the system takes half a microsecond.
    @Test func looksOnceForNewerRecords_whenItReadsAValue() throws {
        let directory = TemporaryDirectory()
        let plan = FaultPlan()
        let storage = SealedStorage(FileStorage(directory: directory.store, system: plan.system), key: key)
        try storage.apply([.put(entry, secret), .put(StorageKey("other"), secret)])
        // The first read also looks up the name of the new file.
        #expect(try storage.value(for: StorageKey("other")) == secret)
        plan.arm(nil)
        #expect(try storage.value(for: entry) == secret)
        #expect(plan.count == 3, "Two calls look for newer records, and one reads the value.")
        plan.arm(nil)
        #expect(try storage.value(for: entry) == secret)
        #expect(plan.count == 2, "An opened value is not read again.")
    }

    /// A play stores a permission, and the next one reads the same login again.
    @Test func anOpenedValueIsNotReadAgain_whenOnlyAnotherOneHasChanged() throws {
        let directory = TemporaryDirectory()
        let plan = FaultPlan()
        let storage = SealedStorage(FileStorage(directory: directory.store, system: plan.system), key: key)
        let other = StorageKey("other")
        try storage.apply([.put(entry, secret), .put(other, secret)])
        for key in [entry, other] { #expect(try storage.value(for: key) == secret) }
        try storage.apply([.put(other, Data([1]))])
        plan.arm(nil)
        #expect(try storage.value(for: entry) == secret)
        #expect(plan.count == 2, "Two calls look for newer records.")
        #expect(try storage.value(for: other) == Data([1]))
        plan.arm(nil)
        for _ in 0..<2 { #expect(try storage.value(for: entry) == secret) }
        #expect(plan.count == 4)
    }

    /// In a log that was replaced, another value has the same place as the one before.
    @Test(arguments: [false, true]) func anOpenedValueIsNotReturned_afterItsKeyHasLostIt(isReplaced: Bool) throws {
        let directory = TemporaryDirectory()
        let storage = SealedStorage(FileStorage(directory: directory.store), key: key)
        let other = SealedStorage(FileStorage(directory: directory.store), key: key)
        for number: UInt8 in 0..<4 {
            let value = Data(repeating: number, count: 20)
            try other.apply([.put(entry, value)])
            for _ in 0..<2 { #expect(try storage.value(for: entry) == value) }
            if isReplaced { try other.removeEverything() } else { try other.apply([.remove(entry)]) }
            // Every second time, the next value is stored before this handle has seen that there was none.
            guard number.isMultiple(of: 2) else { continue }
            for _ in 0..<2 { #expect(try storage.value(for: entry) == nil) }
        }
    }

    /// The values take a seventh more than the megabyte that the store holds opened.
    @Test func findsMostValuesOpened_whenThereIsNotRoomForAll() throws {
        let directory = TemporaryDirectory()
        let plan = FaultPlan()
        let log = FileStorage(directory: directory.store, flushes: false, system: plan.system)
        let storage = SealedStorage(log, key: key)
        let entries = (0..<20).map { StorageKey("\($0)") }
        let value = Data(count: 60_000)
        try storage.apply(entries.map { .put($0, value) })
        for _ in 0..<3 {
            plan.arm(nil)
            for entry in entries { #expect(try storage.value(for: entry) == value) }
        }
        // Two calls look for newer records, and a third one reads a value that is not opened.
        #expect(plan.count < 2 * entries.count + entries.count * 3 / 4)
    }

    @Test(.row("SE1")) func refusesEveryChangedBit_andEveryTruncation() throws {
        try sealed.apply([.put(entry, secret)])
        let good = try #require(memory.value(for: entry))
        for index in good.indices {
            for bit in 0..<8 {
                var bad = good
                bad[index] ^= 1 << bit
                memory.apply([.put(entry, bad)])
                #expect(throws: StorageError.invalidValue(entry)) { try sealed.value(for: entry) }
            }
            memory.apply([.put(entry, good.prefix(index))])
            #expect(throws: StorageError.invalidValue(entry)) { try sealed.value(for: entry) }
        }
    }

    /// The value was sealed with another implementation of AES-GCM.
    ///
    /// Values of a present store must be readable for ever.
    @Test func opensAValue_thatWasSealedLongAgo() throws {
        let entry = StorageKey("requestor", "P1", "f", "mvpd", "A/1", "authn")
        let bytes = "AQH3pRpkZWZnaGlqa2xtbm8pO6oJEow4vlEEf4m0RQ+cMK5vb/lMhRfVosUnlVnLrIZpiDPHU3lcaft4nh4="
        memory.apply([.put(entry, try #require(Data(base64Encoded: bytes)))])
        let old = SealedStorage(memory, key: try SealingKey(SymmetricKey(data: Data(0..<32))))
        #expect(try old.value(for: entry) == Data("a token of an earlier version".utf8))
    }

    /// `cp` writes a new key into the file of the old one, while a program runs.
    @Test func aKeyFileThatWasOverwritten_sealsWithItsNewKey() throws {
        let directory = TemporaryDirectory()
        let file = directory.store.appendingPathComponent("sealing.key")
        let running = SealedStorage.file(directory.store, key: file)
        try running.apply([.put(StorageKey("before"), secret)])
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: Data(repeating: 7, count: 32))
        try handle.close()
        try running.apply([.put(entry, secret)])
        #expect(try SealedStorage.file(directory.store, key: file).value(for: entry) == secret)
        #expect(try running.value(for: entry) == secret)
    }

    @Test func refusesAValueOfAnotherEntry() throws {
        let other = StorageKey("a", "c")
        try sealed.apply([.put(entry, secret), .put(other, Data([1]))])
        memory.apply([.put(other, try #require(memory.value(for: entry)))])
        #expect(throws: StorageError.invalidValue(other)) { try sealed.value(for: other) }
        #expect(try sealed.value(for: entry) == secret)
    }

    @Test func refusesAnotherKey_andAnUnsealedValue() throws {
        try sealed.apply([.put(entry, secret)])
        let other = SealedStorage(memory, key: .random())
        #expect(throws: StorageError.invalidValue(entry)) { try other.value(for: entry) }
        memory.apply([.put(entry, secret)])
        #expect(throws: StorageError.invalidValue(entry)) { try sealed.value(for: entry) }
    }

    /// A lookup in a keychain takes time, and a store may have many values of another key.
    @Test func looksForItsKeyOnceMoreInACall_howeverManyValuesItDoesNotOpen() throws {
        let entries = [entry, StorageKey("x")]
        try SealedStorage(memory, key: .random()).apply(entries.map { .put($0, secret) })
        let lookups = Guarded(0)
        let storage = SealedStorage(memory) { [key] () throws(StorageError) in
            let number = lookups.withLock { lookups in
                lookups += 1
                return lookups
            }
            guard number > 1 else { throw .locked }
            return key
        }
        #expect(throws: StorageError.locked) { try storage.values(for: entries) }
        #expect(try storage.values(for: entries) == [.failure(.keyMissing), .failure(.keyMissing)])
        #expect(lookups.withLock(\.self) == 3)
    }

    /// An app and its extension share a keychain, and one of them rotates the key while the other one runs.
    @Test func findsTheKeyThatAnotherProcessHasReplaced() throws {
        let newer = SealingKey.random()
        let present = Guarded<SealingKey?>(key)
        let storage = SealedStorage(memory) { () throws(StorageError) in
            guard let key = present.withLock(\.self) else { throw .locked }
            return key
        }
        try storage.apply([.put(entry, secret)])
        try SealedStorage(memory, key: newer, olderKeys: [key]).reseal()
        // This process has not read anything yet, and seals with the key that it knows.
        try storage.apply([.put(StorageKey("x"), secret)])
        // A locked keychain proves nothing about the value.
        present.withLock { $0 = nil }
        #expect(throws: StorageError.locked) { try storage.value(for: entry) }
        #expect(throws: StorageError.locked) { try storage.values(for: [StorageKey("x"), entry]) }
        present.withLock { $0 = newer }
        #expect(try storage.value(for: entry) == secret)
        #expect(try storage.value(for: StorageKey("x")) == secret)
    }

    @Test func opensWhatAnOlderKeySealed_untilItIsSealedAnew() throws {
        try sealed.apply([.put(entry, secret), .put(StorageKey("x"), Data())])
        let newer = SealingKey.random()
        let both = SealedStorage(memory, key: newer, olderKeys: [key])
        #expect(try both.value(for: entry) == secret)
        let told = Guarded<[[Int]]>([])
        #expect(try both.reseal { done, all in told.withLock { $0.append([done, all]) } } == 2)
        #expect(told.withLock(\.self) == [[2, 2]])
        #expect(try both.reseal() == 0)
        #expect(try SealedStorage(memory, key: newer).value(for: entry) == secret)
        #expect(throws: StorageError.invalidValue(entry)) { try sealed.value(for: entry) }
    }

    /// After an update was taken back, its values lie beside those of the present version.
    @Test func aValueInANewerLayout_isNoDamage() throws {
        let store = EntitlementStore(sealed)
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
        try store.save(TextTokens.authentication("P2", "B"), metadata: nil)
        let entry = StorageKey("requestor", "P2", "f", "mvpd", "B", "authn")
        var newer = try #require(memory.value(for: entry))
        newer[0] = 2
        memory.apply([.put(entry, newer)])
        #expect(throws: StorageError.invalidValue(entry)) { try sealed.value(for: entry) }
        #expect(try sealed.values(for: [entry]) == [.failure(.unknownLayout)])
        #expect(store.check(.report).problems == [.init(entry, .unreadable)])
        let both = SealedStorage(memory, key: .random(), olderKeys: [key])
        #expect(throws: StorageError.unknownLayout) { try both.reseal() }
        #expect(memory.value(for: entry) == newer)
        #expect(store.check(.all).outcome == .repaired(1))
        #expect(try store.authenticationToken(requestorID: "P1", mvpdID: "A") != nil)
        #expect(try sealed.value(for: StorageKey("quarantine").appending(entry.rawValue)) == newer)
    }

    /// Such a store is that of another version, and stays as it is.
    @Test(arguments: [.report, .all, .repair] as [IntegrityMode])
    func aStoreInANewerLayout_isLeftAlone(mode: IntegrityMode) throws {
        try sealed.apply([.put(entry, secret)])
        var newer = try #require(memory.value(for: entry))
        newer[0] = 2
        memory.apply([.put(entry, newer)])
        #expect(EntitlementStore(sealed).check(mode).outcome == .unavailable(.unknownLayout))
        #expect(memory.value(for: entry) == newer)
    }

    @Test func resealsNothing_whenOneValueDoesNotOpen() throws {
        try sealed.apply([.put(entry, secret)])
        memory.apply([.put(StorageKey("x"), Data([9]))])
        let both = SealedStorage(memory, key: .random(), olderKeys: [key])
        #expect(throws: StorageError.invalidValue(StorageKey("x"))) { try both.reseal() }
        #expect(try sealed.value(for: entry) == secret)
    }

    @Test func keepsItsKeyInAFile_forTheOwnerAlone() throws {
        let directory = TemporaryDirectory()
        let url = directory.store.appendingPathComponent("sealing.key")
        let first = try SealingKey.file(url)
        try SealedStorage(memory, key: first).apply([.put(entry, secret)])
        #expect(try SealedStorage(memory, key: SealingKey.file(url)).value(for: entry) == secret)
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.store.path) == ["sealing.key"])
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: url.path)
        #expect(throws: StorageError.permissionsTooOpen) { try SealingKey.file(url) }
    }

    /// A crash while the key was created leaves its temporary name, under which an exchanged key would stay.
    @Test func theTemporaryNameOfItsKey_isRemoved_andNoOtherName() throws {
        let directory = TemporaryDirectory()
        let file = FileStorage.sealingKey(in: directory.store)
        try SealedStorage.file(directory.store).apply([.put(entry, secret)])
        for end in [UUID().uuidString, "backup"] {
            try FileManager.default.linkItem(at: file, to: URL(fileURLWithPath: "\(file.path).\(end)"))
        }
        let foreign = directory.store.appendingPathComponent("sealing.key.\(UUID().uuidString)")
        try Data().write(to: foreign)
        try SealedStorage.file(directory.store).apply([.put(entry, Data())])
        let left = try FileManager.default.contentsOfDirectory(atPath: directory.store.path)
        #expect(
            Set(left) == [
                "entitlements.lock", "entitlements.store", "sealing.key", "sealing.key.backup",
                foreign.lastPathComponent,
            ])
        #expect(try SealedStorage.file(directory.store).value(for: entry) == Data())
    }

    @Test func followsNoLink_toItsKey() throws {
        let directory = TemporaryDirectory()
        let url = directory.url.appendingPathComponent("key")
        let elsewhere = directory.store
        _ = try SealingKey.file(elsewhere.appendingPathComponent("key"))
        try FileManager.default.createSymbolicLink(
            at: url, withDestinationURL: elsewhere.appendingPathComponent("key"))
        #expect(throws: StorageError.notAFile) { try SealingKey.file(url) }
    }

    /// The pipe may only be read, so it is opened a second time for reading alone, which could wait for a writer.
    @Test(.timeLimit(.hanging)) func aNamedPipe_isNoKeyFile() throws {
        let directory = TemporaryDirectory()
        let pipe = directory.url.appendingPathComponent("key")
        unsafe #expect(mkfifo(pipe.path, 0o600) == 0)
        let opened = Guarded(0)
        let system = StorageSystem { call in
            guard call == .open else { return nil }
            return opened.withLock { count in
                count += 1
                return count == 1 ? .error(EACCES) : nil
            }
        }
        let log = FileStorage(directory: directory.store, system: system)
        // The key is looked up before the store is locked, in the first two calls.
        let sealed = SealedStorage.file(log, pipe)
        #expect(throws: StorageError.notAFile) { try sealed.apply([.put(entry, secret)]) }
        #expect(opened.withLock(\.self) > 2)
    }

    @Test func makesOneKey_forAllWhoComeFirst() async throws {
        let directory = TemporaryDirectory()
        let url = directory.store.appendingPathComponent("sealing.key")
        let sealed = try await withThrowingTaskGroup(of: Data?.self) { group in
            for number in 0..<8 {
                let memory = memory
                group.addTask {
                    let storage = SealedStorage(memory, key: try SealingKey.file(url))
                    try storage.apply([.put(StorageKey("\(number)"), Data([1]))])
                    return try storage.value(for: StorageKey("\(number)"))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sealed == Array(repeating: Data([1]), count: 8))
        for number in 0..<8 {
            let storage = SealedStorage(memory, key: try SealingKey.file(url))
            #expect(try storage.value(for: StorageKey("\(number)")) == Data([1]))
        }
    }

    @Test(arguments: [0, 16, 31, 33, 4_096])
    func refusesAKeyOfAnotherLength(count: Int) throws {
        #expect(throws: StorageError.invalidKey) {
            try SealingKey(SymmetricKey(data: Data(repeating: 1, count: count)))
        }
        let directory = TemporaryDirectory()
        let url = directory.url.appendingPathComponent("key")
        try Data(repeating: 1, count: count).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        #expect(throws: StorageError.invalidKey) { try SealingKey.file(url) }
    }

    /// A file system may lose the bytes of a file, and nothing opens what the lost key has sealed.
    @Test(arguments: [0, 16, 33])
    func aKeyFileOfAnotherLength_isReplaced_afterTheStoreWasCleared(count: Int) throws {
        let directory = TemporaryDirectory()
        let file = FileStorage.sealingKey(in: directory.store)
        func open() -> EntitlementStore { EntitlementStore(SealedStorage.file(directory.store)) }
        try open().save(TextTokens.authentication("P1", "A"), metadata: nil)
        let wrong = Data(repeating: 1, count: count)
        try wrong.write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        for mode in [.report, .all, .repair] as [IntegrityMode] {
            #expect(open().check(mode).outcome == .unavailable(.invalidKey))
        }
        #expect(try Data(contentsOf: file) == wrong)
        #expect(open().check(.clear).outcome == .cleared)
        #expect(try Data(contentsOf: directory.store.appendingPathComponent("sealing.key.damaged")) == wrong)
        #expect(try open().authenticationToken(requestorID: "P1", mvpdID: "A") == nil)
        try open().save(TextTokens.authentication("P1", "A"), metadata: nil)
        #expect(try open().authenticationToken(requestorID: "P1", mvpdID: "A") != nil)
    }

    @Test(.row("SE11")) func showsNothingOfItsKey() {
        let secret = SymmetricKey(data: Data(repeating: 0x41, count: 32))
        guard let key = try? SealingKey(secret) else {
            Issue.record("a key of 256 bits was refused")
            return
        }
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key)\(dumped)".contains("AAAA") == false)
        #expect("\(key)" == "SealingKey")
    }
}
