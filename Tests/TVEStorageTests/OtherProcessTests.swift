import Foundation
import TVEModels
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

/// Another process acts between a call's read and its write.
@Suite(.oneAtATime)
struct OtherProcessTests {
    private let directory = TemporaryDirectory()
    private let now = Date(timeIntervalSince1970: 1_000)

    private var log: FileStorage { FileStorage(directory: directory.store) }

    private func store(_ backend: any StorageBackend) -> EntitlementStore { EntitlementStore(backend) }

    /// Returns this process's store, in which the other process acts once.
    private func interrupted(_ other: @escaping @Sendable (EntitlementStore) throws -> Void) -> EntitlementStore {
        let others = store(log)
        return store(InterruptedStorage(log) { try other(others) })
    }

    private func isLoggedIn(_ requestor: RequestorID = "P1", _ mvpd: MVPDID = "A") throws -> Bool {
        try store(log).authenticationToken(requestorID: requestor, mvpdID: mvpd) != nil
    }

    @Test func aLogout_isNotUndone_byResealing() throws {
        let old = SealingKey.random()
        let new = SealingKey.random()
        try store(SealedStorage(log, key: old)).save(TextTokens.authentication("P1", "A"), metadata: nil)
        let others = store(SealedStorage(log, key: old))
        let interrupted = InterruptedStorage(log) { try others.removeAllEntitlements() }
        try SealedStorage(interrupted, key: new, olderKeys: [old]).reseal()
        #expect(try log.keys(under: StorageKey("requestor")) == [])
    }

    @Test func aLogout_isNotUndone_byTheImporter() throws {
        let older = MemoryStorage()
        older.apply([.put(StorageKey("slot"), Data("P1,A@2000".utf8))])
        let source = LegacyStore(backend: older, layout: .singleSlot(StorageKey("slot")))
        let store = interrupted { try $0.removeAllEntitlements() }
        #expect(try store.importLogin(of: "P1", from: [source], at: now) == nil)
        #expect(try !isLoggedIn())
    }

    @Test func aNewLogin_isNotRemoved_asTheOldOneThatRanOut() throws {
        try store(log).save(TextTokens.authentication("P1", "A", expires: 900), metadata: nil)
        let store = interrupted { try $0.save(TextTokens.authentication("P1", "A", expires: 2_000), metadata: nil) }
        #expect(try store.removeExpired(at: now) == 0)
        #expect(try isLoggedIn())
    }

    @Test(arguments: [.all, .repair] as [IntegrityMode])
    func aNewLogin_staysWhenACheckFoundTheOldOneBad(mode: IntegrityMode) throws {
        try log.apply([.put(StorageKey("requestor", "P1", "f", "mvpd", "A", "authn"), Data("rubbish".utf8))])
        let store = interrupted { try $0.save(TextTokens.authentication("P1", "A"), metadata: nil) }
        let report = store.check(mode)
        #expect(report.outcome == (mode == .all ? .untouched : .repaired(0)))
        #expect(try isLoggedIn())
    }

    @Test func aNoteOfALaterLogout_staysWhenAnEarlierOneWasTold() throws {
        let token = TextTokens.authentication("P1", "A")
        try store(log).change { entitlements throws(StorageError) in
            try entitlements.removeAllEntitlements(pending: [token], everyLoginOf: ["P1"])
        }
        let told = try store(log).unfinishedLogouts(of: "P1")
        #expect(told.pending == ["A"] && told.isOfEveryLogin)
        let store = interrupted { others in
            try others.change { entitlements throws(StorageError) in
                try entitlements.removeAllEntitlements(pending: [token], everyLoginOf: ["P1"])
            }
        }
        try store.change { entitlements throws(StorageError) in
            try entitlements.finishLogout(requestorID: "P1", mvpdID: "A", asOf: told)
            try entitlements.finishLogouts(of: "P1", asOf: told)
            try entitlements.settleLogouts(requestorID: "P1", mvpdID: "A", asOf: told)
        }
        let left = try store.unfinishedLogouts(of: "P1")
        #expect(left.pending == ["A"] && left.isOfEveryLogin)
        // After the second report, nothing is left.
        try store.change { entitlements throws(StorageError) in
            try entitlements.finishLogout(requestorID: "P1", mvpdID: "A", asOf: left)
            try entitlements.finishLogouts(of: "P1", asOf: left)
        }
        #expect(try store.unfinishedLogouts(of: "P1").isEmpty)
    }

    @Test func credentialsThatWereReplaced_doNotComeBack() throws {
        let installation = InstallationStore(backend: log)
        try installation.setRegistration(Data("old".utf8), of: "app")
        try installation.setRegistration(Data("new".utf8), of: "app")
        let kept = try installation.setRegistration(Data("old with a token".utf8), of: "app") { $0 == Data("old".utf8) }
        #expect(kept == Data("new".utf8))
        #expect(try installation.registration(of: "app") == Data("new".utf8))
    }

    @Test func theDevice_isOne_forAllWhoComeFirst() throws {
        let others = InstallationStore(backend: log)
        let interrupted = InterruptedStorage(log) { _ = try others.deviceSeed { "theirs" } }
        #expect(try InstallationStore(backend: interrupted).deviceSeed { "mine" } == "theirs")
    }

    /// The directory is removed with its key, and a new store replaces it.
    ///
    /// All handles can open the values that this handle writes.
    @Test func aSealedStore_whoseDirectoryWasRemoved_canBeReadByTheNextProcess() throws {
        let first = SealedStorage.file(directory.store)
        try first.apply([.put(StorageKey("a"), Data([1]))])
        try FileManager.default.removeItem(at: directory.store)
        #expect(try first.value(for: StorageKey("a")) == nil)
        try first.apply([.put(StorageKey("b"), Data([2]))])
        let second = SealedStorage.file(directory.store)
        #expect(try second.value(for: StorageKey("b")) == Data([2]))
        // Another process creates a new store while this one has the old key in memory.
        try FileManager.default.removeItem(at: directory.store)
        try SealedStorage.file(directory.store).apply([.put(StorageKey("c"), Data([3]))])
        for storage in [first, second] {
            #expect(try storage.value(for: StorageKey("c")) == Data([3]))
            try storage.apply([.put(StorageKey("d"), Data([4]))])
        }
        #expect(try SealedStorage.file(directory.store).value(for: StorageKey("d")) == Data([4]))
        // The first call after that may be a write.
        try FileManager.default.removeItem(at: directory.store)
        try SealedStorage.file(directory.store).apply([.put(StorageKey("e"), Data([5]))])
        try first.apply([.put(StorageKey("f"), Data([6]))])
        #expect(try SealedStorage.file(directory.store).value(for: StorageKey("f")) == Data([6]))
    }

    @Test func aSealedStore_whoseKeyFileIsGone_saysSo_andWritesNothing() throws {
        let storage = SealedStorage.file(directory.store)
        try storage.apply([.put(StorageKey("a"), Data([1]))])
        let key = FileStorage.sealingKey(in: directory.store)
        let bytes = try Data(contentsOf: key)
        try FileManager.default.removeItem(at: key)
        #expect(throws: StorageError.keyMissing) { try storage.apply([.put(StorageKey("b"), Data([2]))]) }
        try bytes.write(to: key)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
        #expect(try storage.keys(under: .everything) == [StorageKey("a")])
    }

    /// A value in this handle's cache is not returned after another process has removed it.
    @Test func aValueThatWasKeptOpen_isNotServed_afterAnotherProcessRemovedIt() throws {
        let key = SealingKey.random()
        let mine = SealedStorage(log, key: key)
        let theirs = SealedStorage(log, key: key)
        let entry = StorageKey("requestor", "a")
        for number in 0..<50 {
            try mine.apply([.put(entry, Data([UInt8(number)]))])
            for _ in 0..<3 { #expect(try mine.value(for: entry) == Data([UInt8(number)])) }
            switch number % 4 {
            case 0: try theirs.apply([.removeAll(under: StorageKey("requestor"))])
            case 1: try theirs.apply([.remove(entry)])
            case 2: try theirs.removeEverything()
            default: try FileManager.default.removeItem(at: directory.store)
            }
            #expect(try mine.value(for: entry) == nil)
        }
    }

    /// A backup by hard links preserves the old file's name.
    ///
    /// No process may continue to read the old file because of that.
    @Test func aLogWithASecondName_isNotReadOn_afterItWasReplaced() throws {
        let mine = log
        try mine.apply([.put(StorageKey("requestor", "a"), Data([1])), .put(StorageKey("b"), Data([2]))])
        #expect(try mine.value(for: StorageKey("requestor", "a")) == Data([1]))
        try FileManager.default.linkItem(at: directory.file, to: directory.url.appendingPathComponent("backup"))
        try log.apply([.removeAll(under: StorageKey("requestor"))])
        #expect(try mine.value(for: StorageKey("requestor", "a")) == nil)
        try log.apply([.put(StorageKey("b"), Data([3]))])
        #expect(try mine.value(for: StorageKey("b")) == Data([3]))
    }

    /// Somebody moves the log away and puts a backup in its place, while programs use the store.
    ///
    /// The old file still has a name, under which nobody looks for the store.
    @Test(arguments: [false, true])
    func aLogThatIsMovedAwayAndReplaced_isNotReadOn_andNotWrittenTo(isRewritten: Bool) throws {
        let time = Guarded<UInt64>(1)
        let system = StorageSystem(clock: { time.withLock(\.self) })
        let mine = FileStorage(directory: directory.store, system: system)
        let reader = FileStorage(directory: directory.store, system: system)
        try mine.apply([.put(StorageKey("a"), Data([1]))])
        let backup = directory.url.appendingPathComponent("backup")
        try FileManager.default.copyItem(at: directory.file, to: backup)
        try mine.apply([.put(StorageKey("b"), Data(repeating: 2, count: 20_000))])
        #expect(try reader.contents() == mine.contents())
        let aside = directory.url.appendingPathComponent("aside")
        try FileManager.default.moveItem(at: directory.file, to: aside)
        let moved = try Data(contentsOf: aside)
        try FileManager.default.moveItem(at: backup, to: directory.file)
        var expected = [StorageKey("a"): Data([1]), StorageKey("c"): Data([3])]
        try log.apply([.put(StorageKey("c"), Data([3]))])
        // Readers and writers look up the path again when 10 ms have passed.
        time.withLock { $0 += 10_000_001 }
        #expect(try reader.contents() == expected)
        // In a handle of the moved file, the permanent removal would rename a rewrite of that file over the backup.
        let removal: [StorageChange] = isRewritten ? [.removeAll(under: StorageKey("b"))] : []
        try mine.apply(removal + [.put(StorageKey("d"), Data([4]))])
        expected[StorageKey("d")] = Data([4])
        for handle in [mine, reader, log] { #expect(try handle.contents() == expected) }
        #expect(try Data(contentsOf: aside) == moved)
    }

    /// A process that is restored from an image, on another machine, finds an earlier uptime.
    @Test func aClockThatGoesBack_isNoEndOfTheProcess() throws {
        let time = Guarded<UInt64>(50_000_000)
        let mine = FileStorage(directory: directory.store, system: StorageSystem(clock: { time.withLock(\.self) }))
        try mine.apply([.put(StorageKey("a"), Data([1]))])
        #expect(try mine.value(for: StorageKey("a")) == Data([1]))
        time.withLock { $0 = 1 }
        #expect(try mine.value(for: StorageKey("a")) == Data([1]))
        try mine.apply([.put(StorageKey("a"), Data([2]))])
        #expect(try mine.contents() == log.contents())
    }

    /// A process that has made the directory for a trial removes it while another one begins to use it.
    @Test func aDirectoryThatIsRemovedBeforeItsLockIsOpened_isMadeAgain() throws {
        let isMade = Guarded<Bool?>(false)
        let system = StorageSystem(fault: { [store = directory.store] call in
            let isFirstOpen = isMade.withLock { isMade in
                if call == .makeDirectory, isMade == false { isMade = true }
                defer { if call == .open, isMade == true { isMade = nil } }
                return call == .open && isMade == true
            }
            if isFirstOpen { try? FileManager.default.removeItem(at: store) }
            return nil
        })
        try? FileManager.default.removeItem(at: directory.store)
        try FileStorage(directory: directory.store, system: system).apply([.put(StorageKey("a"), Data([1]))])
        #expect(try log.value(for: StorageKey("a")) == Data([1]))
    }

    /// The reader has read the last record of the old file, and a backup has a name for that file.
    @Test func aReaderThatLooksDuringARewrite_doesNotReadTheOldFileOn() throws {
        let mine = log
        try mine.apply([.put(StorageKey("requestor", "a"), Data([1])), .put(StorageKey("b"), Data([2]))])
        try FileManager.default.linkItem(at: directory.file, to: directory.url.appendingPathComponent("backup"))
        let system = StorageSystem(fault: { call in
            if call == .rename { _ = try? mine.value(for: StorageKey("b")) }
            return nil
        })
        try FileStorage(directory: directory.store, system: system).apply([.removeAll(under: StorageKey("requestor"))])
        try log.apply([.put(StorageKey("b"), Data([3]))])
        #expect(try mine.value(for: StorageKey("b")) == Data([3]))
    }

    /// A handle whose write failed replaces the file.
    ///
    /// Other processes that write at this moment must no longer use the old file, with or without a second name.
    @Test(arguments: [false, true])
    func aWriter_neverGoesOnInAFileThatWasReplaced(hasSecondName: Bool) throws {
        // No time passes, so only the lock's file shows a replacement.
        let mine = FileStorage(directory: directory.store, system: StorageSystem(clock: { 1 }))
        let faults = FaultPlan()
        let theirs = FileStorage(directory: directory.store, system: faults.system)
        for number in 0..<20 {
            try mine.apply([.put(StorageKey("mine"), Data([UInt8(number)]))])
            try theirs.apply([.put(StorageKey("theirs"), Data([UInt8(number)]))])
            if hasSecondName {
                try FileManager.default.linkItem(
                    at: directory.file, to: directory.url.appendingPathComponent("backup-\(number)"))
            }
            // Each call of the write fails once, in turn.
            faults.arm(.init(number: number, fault: .half(EIO)))
            _ = try? theirs.apply([.put(StorageKey("theirs"), Data([100]))])
            faults.arm(nil)
            try theirs.apply([.put(StorageKey("theirs"), Data([UInt8(number), 1]))])
            try mine.apply([.put(StorageKey("mine"), Data([UInt8(number), 2]))])
            for handle in [mine, theirs, log] {
                #expect(try handle.value(for: StorageKey("mine")) == Data([UInt8(number), 2]))
                #expect(try handle.value(for: StorageKey("theirs")) == Data([UInt8(number), 1]))
            }
        }
    }

    /// The process has no descriptor left for the new file, and the old one is still open.
    @Test func aWriter_neverGoesOnInAFileThatWasReplaced_afterTheNewOneCouldNotBeOpened() throws {
        let isFull = Guarded(false)
        // No time passes, so only the lock's file shows a replacement.
        let mine = FileStorage(
            directory: directory.store,
            system: StorageSystem(
                fault: { $0 == .open && isFull.withLock(\.self) ? .error(EMFILE) : nil }, clock: { 1 }))
        let isBroken = Guarded(false)
        let theirs = FileStorage(
            directory: directory.store,
            system: StorageSystem(fault: { call in
                guard call == .write, isBroken.withLock(\.self) else { return nil }
                isBroken.withLock { $0 = false }
                return .half(EIO)
            }))
        let entry = StorageKey("mine")
        try theirs.apply([.put(StorageKey("theirs"), Data([1]))])
        try mine.apply([.put(entry, Data([1]))])
        // A handle whose write failed replaces the file.
        isBroken.withLock { $0 = true }
        #expect(throws: StorageError.cannotWrite(errno: EIO)) { try theirs.apply([.put(entry, Data([2]))]) }
        try theirs.apply([.put(entry, Data([3]))])
        isFull.withLock { $0 = true }
        #expect(throws: StorageError.cannotRead(errno: EMFILE)) { try mine.apply([.put(entry, Data([4]))]) }
        isFull.withLock { $0 = false }
        try mine.apply([.put(entry, Data([5]))])
        for handle in [mine, theirs, log] { #expect(try handle.value(for: entry) == Data([5])) }
    }

    /// A backup that is copied into the file of a running process leaves it the same inode and the same length.
    @Test func aLogThatIsRestoredInPlace_losesNothingThatIsWrittenLater() throws {
        let mine = log
        try mine.apply([.put(StorageKey("a"), Data([1]))])
        let backup = try Data(contentsOf: directory.file)
        try mine.apply([.put(StorageKey("b"), Data([2]))])
        let reader = log
        #expect(try reader.value(for: StorageKey("b")) == Data([2]))
        try directory.overwrite(backup)
        #expect(try reader.contents() == [StorageKey("a"): Data([1])])
        try mine.apply([.put(StorageKey("c"), Data([3]))])
        for handle in [mine, reader, log] {
            #expect(try handle.contents() == [StorageKey("a"): Data([1]), StorageKey("c"): Data([3])])
            #expect(try handle.damage() == nil)
        }
    }

    /// Two processes find the same damage, and the first one has replaced the log and written to it.
    @Test func aRepairThatComesLate_removesNothing() throws {
        try log.apply([.put(StorageKey("a"), Data([1]))])
        try directory.flip(0)
        let mine = log
        #expect(throws: StorageError.damaged(.checksum)) { try mine.value(for: StorageKey("a")) }
        try log.setAside()
        try log.apply([.put(StorageKey("b"), Data([2]))])
        try mine.setAside()
        for handle in [mine, log] {
            #expect(try handle.contents() == [StorageKey("a"): Data([1]), StorageKey("b"): Data([2])])
        }
    }

    /// Requests look for the membership while the viewer joins a household.
    @Test func aHouseholdThatIsJoinedDuringALook_isFoundByTheNextOne() throws {
        let membership = StoredMembership(token: "token", expires: now, account: nil)
        let memory = MemoryStorage()
        let storage = InterruptedStorage(memory)
        let kept = KeptMembership(in: InstallationStore(backend: storage), requestorID: "P1", fingerprint: "f")
        #expect(try kept.writeMembership(membership, isFirst: true).isStored)
        let key = try #require(memory.keys(under: .everything).first)
        memory.apply([.remove(key)])
        storage.interrupt(afterReading: key) { _ = try kept.writeMembership(membership, isFirst: true) }
        #expect(try kept.readMembership(isAnew: false) == nil)
        #expect(try kept.readMembership(isAnew: false) == membership)
    }

    /// A renewal ends while the store cannot be written, and later the viewer makes a household.
    ///
    /// A device that was unlinked gets the new one. A device with a renewed token stays in its household.
    @Test(arguments: [StoredMembership.State.unlinked, .ended, .member])
    func aRenewalThatCouldNotBeStored_decidesWhetherAHouseholdIsMade(state: StoredMembership.State) throws {
        let storage = FaultyStorage()
        let kept = KeptMembership(in: InstallationStore(backend: storage), requestorID: "P1", fingerprint: "f")
        let old = StoredMembership(token: "old", expires: now, account: nil)
        #expect(try kept.writeMembership(old, isFirst: true).isStored)
        var settled = StoredMembership(token: "settled", expires: now, account: nil)
        settled.state = state
        storage.set { $0.write = .cannotWrite(errno: ENOSPC) }
        #expect(kept.replaceMembership(old, by: settled))
        storage.set { $0.write = nil }
        #expect(try kept.readMembership(isAnew: true) == settled)
        let made = StoredMembership(token: "made", expires: now, account: nil)
        #expect(try kept.writeMembership(made, isFirst: true).isStored == (state != .member))
        #expect(try kept.readMembership(isAnew: true) == (state == .member ? settled : made))
    }

    /// A file is not missing if it is unreadable because others keep replacing it.
    @Test func aFileThatIsReplacedAgainAndAgain_isNoEmptyStore() throws {
        try log.apply([.put(StorageKey("a"), Data([1]))])
        let faults = FaultPlan()
        let storage = FileStorage(directory: directory.store, system: faults.system)
        // Each time the file is found, it is missing when it is opened.
        faults.arm(.init(number: 1, fault: .error(ENOENT), lasts: true))
        #expect(throws: StorageError.locked) { try storage.value(for: StorageKey("a")) }
        #expect(faults.isPlayed)
        faults.arm(nil)
        #expect(try storage.value(for: StorageKey("a")) == Data([1]))
    }

    /// Any process may truncate the file at any moment.
    ///
    /// That is an error or another state, but never ends the process.
    @Test func aLogThatIsCutWhileItIsRead_isNoEndOfTheProcess() throws {
        let storage = log
        try storage.apply([.put(StorageKey("a"), Data(repeating: 1, count: 5_000))])
        for length in [8_000, 5_000, 100, 16, 3, 0] {
            unsafe #expect(truncate(directory.file.path, off_t(length)) == 0)
            let value = Result { () throws(StorageError) in try storage.value(for: StorageKey("a")) }
            switch value {
            case .success(let bytes): #expect(bytes == nil || bytes == Data(repeating: 1, count: 5_000))
            case .failure(let error): #expect(error == .damaged(.truncated))
            }
            unsafe #expect(truncate(directory.store.appendingPathComponent("entitlements.lock").path, 0) == 0)
        }
    }
}
