import Foundation
import TVEModels
import TVEStorage
import TVETestTraits
import Testing

/// Sequences of events, found in a code review, each of which once lost a value or retained one wrongly.
@Suite(.oneAtATime)
struct StorageSequenceTests {
    private let directory = TemporaryDirectory()
    private let secret = Data("a-secret".utf8)

    private var log: FileStorage { FileStorage(directory: directory.store) }

    private func store(_ backend: any StorageBackend) -> EntitlementStore { EntitlementStore(backend) }

    @Test func aRemovalOfEverythingThatFails_leavesTheHandleItsValues() throws {
        try log.apply([.put(StorageKey("a"), Data([1])), .put(StorageKey("b"), Data([2]))])
        var number = 0
        while true {
            let faults = FaultPlan()
            let storage = FileStorage(directory: directory.store, system: faults.system)
            #expect(try storage.value(for: StorageKey("a")) == Data([1]))
            faults.arm(.init(number: number, fault: .error(ENOSPC), lasts: true))
            let isRemoved: Void? = try? storage.removeEverything()
            guard faults.isPlayed, isRemoved == nil else { break }
            faults.arm(nil)
            #expect(try storage.value(for: StorageKey("a")) == Data([1]), "call \(number)")
            // A rewrite right after it copies the contents.
            try storage.apply([.put(StorageKey("x"), Data([3])), .removeAll(under: StorageKey("y"))])
            #expect(try log.value(for: StorageKey("b")) == Data([2]), "call \(number)")
            number += 1
        }
        #expect(number > 3)
    }

    /// The token follows the damage.
    ///
    /// Therefore the index no longer contains the token, and its bytes are in the file that was set aside.
    @Test func aLogoutErasesWhatStandsBehindDamage() throws {
        try log.apply([.put(StorageKey("first"), Data([1]))])
        try log.apply([.put(StorageKey("requestor", "a"), secret)])
        try directory.flip(64 + 9)
        try log.apply([.removeAll(under: StorageKey("requestor"))])
        #expect(try !directory.holds(secret))
    }

    /// The record voids the records after it.
    ///
    /// It was written with another implementation of the format.
    @Test func aHostileRecord_isNoEndOfTheProcess() throws {
        try log.apply([.put(StorageKey("a"), Data([1]))])
        try append(Self.hostileVoid)
        #expect(try log.value(for: StorageKey("a")) == Data([1]))
        try log.apply([.put(StorageKey("b"), Data([2]))])
        #expect(try log.value(for: StorageKey("b")) == Data([2]))
    }

    /// Earlier builds wrote the record before they replaced the file.
    ///
    /// If the replacement failed, or the file is a backup, the log goes on after the record.
    @Test func aRecordOfAReplacement_isRead_andSoIsWhatFollows() throws {
        try log.apply([.put(StorageKey("a"), Data([1]))])
        let reader = log
        #expect(try reader.value(for: StorageKey("a")) == Data([1]))
        try append(Self.replacement)
        #expect(try reader.value(for: StorageKey("a")) == Data([1]))
        try log.apply([.put(StorageKey("b"), Data([2]))])
        for handle in [reader, log] {
            #expect(try handle.damage() == nil)
            #expect(try handle.value(for: StorageKey("a")) == Data([1]))
            #expect(try handle.value(for: StorageKey("b")) == Data([2]))
        }
    }

    private func append(_ record: String) throws {
        let bytes = try #require(Data(base64Encoded: record))
        let handle = try FileHandle(forUpdating: directory.file)
        try handle.seek(toOffset: UInt64(directory.records().count))
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    static let hostileVoid = "CgAAAO7DOREQhejKBQAAAAAAAQAABA=="
    static let replacement = "AgAAAIgplkyUPRFnBwQ="

    @Test func anEntryWithAShortName_isNoEndOfTheProcess() throws {
        try log.apply([.put(StorageKey("logout", "P1", "f"), Data([1])), .put(StorageKey("requestor"), Data([1]))])
        #expect(try store(log).unfinishedLogouts(of: "P1").isEmpty)
        #expect(try store(log).authenticationTokens().isEmpty)
        #expect(try store(log).removeExpired(at: .distantFuture) == 0)
    }

    @Test(arguments: [.all, .repair] as [IntegrityMode])
    func aMarkThatCannotBeRead_countsAfterACheck(mode: IntegrityMode) throws {
        let older = MemoryStorage()
        older.apply([.put(StorageKey("slot"), Data("P1,A@2000".utf8))])
        let source = LegacyStore(backend: older, layout: .singleSlot(StorageKey("slot")))
        let sealed = SealedStorage(log, key: .random())
        try store(sealed).change { entitlements throws(StorageError) in
            try entitlements.removeAllEntitlements(
                pending: [TextTokens.authentication("P1", "A")], everyLoginOf: ["P1"])
            try entitlements.noteBegunLogin(of: "P2")
        }
        for key in try log.keys(under: .everything) { try log.apply([.put(key, Data("rubbish".utf8))]) }
        try sealed.apply([.put(StorageKey("device", "seed"), Data("seed".utf8))])
        #expect(store(sealed).check(mode).outcome == (mode == .all ? .cleared : .repaired(4)))
        #expect(try store(sealed).importLogin(of: "P1", from: [source], at: Date(timeIntervalSince1970: 1_000)) == nil)
        let left = try store(sealed).unfinishedLogouts(of: "P1")
        #expect(left.isOfEveryLogin && left.pending == ["A"])
        try store(sealed).removeAllEntitlements()
        #expect(try store(sealed).unfinishedLogouts(of: "P2").isOfEveryLogin)
    }

    @Test func aLoginOfOnesOwn_keepsItsMetadata_whereASharedOneHadSome() throws {
        let store = store(MemoryStorage())
        @Sendable func metadata(_ zip: String) -> UserMetadata {
            UserMetadata(updated: Date(timeIntervalSince1970: 5), data: ["zip": .string(zip)])
        }
        try store.change { entitlements throws(StorageError) in
            try entitlements.save(metadata("shared"), requestorID: "P1", mvpdID: "A")
        }
        try store.save(TextTokens.authentication("P1", "A"), metadata: metadata("own"))
        #expect(try store.userMetadata(requestorID: "P1", mvpdID: "A")?.data["zip"] == .string("own"))
    }

    @Test func credentialsThatWereRemoved_doNotComeBack() throws {
        let installation = InstallationStore(backend: log)
        let kept = try installation.setRegistration(Data("late".utf8), of: "app") { $0 == Data("old".utf8) }
        #expect(try kept == nil && installation.registration(of: "app") == nil)
        #expect(try installation.setRegistration(Data("first".utf8), of: "app") { $0 == nil } == Data("first".utf8))
        #expect(try installation.setRegistration(Data("second".utf8), of: "app") { $0 == nil } == Data("first".utf8))
    }
}
