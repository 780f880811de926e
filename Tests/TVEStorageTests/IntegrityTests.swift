import Crypto
import Foundation
import TVEModels
import TVEStorage
import TVETestTraits
import Testing

/// The documented integrity checks (API reference, C6), and checks beyond them.
@Suite(.oneAtATime)
struct IntegrityTests {
    private let backend = FaultyStorage()
    private var store: EntitlementStore { EntitlementStore(backend) }

    private var installation: InstallationStore { InstallationStore(backend: backend) }
    private let login = StorageKey("requestor", "P1", "f", "mvpd", "A")

    init() throws {
        try store.save(
            TextTokens.authentication("P1", "A"),
            metadata: UserMetadata(updated: Date(timeIntervalSince1970: 5), data: ["zip": .string("1")]))
        try store.save(TextTokens.authorization("P1", "A", for: "R/1"), mvpdID: "A", metadata: nil)
        try store.save(TextTokens.authentication("P2", "B"), metadata: nil)
        try installation.setRegistration(Data("registered".utf8), of: "app")
        _ = try installation.deviceSeed { "seed" }
    }

    private func isLoggedIn(_ requestor: RequestorID = "P1", _ mvpd: MVPDID = "A") throws -> Bool {
        try store.authenticationToken(requestorID: requestor, mvpdID: mvpd) != nil
    }

    private func spoil(_ key: StorageKey? = nil) {
        backend.memory.apply([.put(key ?? login.appending("authn"), Data("rubbish".utf8))])
    }

    // MARK: - Documented modes

    @Test(.row("T-64", "T-66")) func noneLeavesAHealthyStoreAlone() throws {
        let report = store.check(.none)
        #expect(report.outcome == .untouched && report.checked == 0)
        #expect(try isLoggedIn() && isLoggedIn("P2", "B"))
    }

    @Test(.row("T-65", "T-66")) func noneLeavesADamagedStoreAlone() throws {
        spoil()
        #expect(store.check(.none).outcome == .untouched)
        #expect(backend.memory.value(for: login.appending("authn")) == Data("rubbish".utf8))
        #expect(try isLoggedIn("P2", "B"))
    }

    @Test(.row("T-67")) func allKeepsAHealthyStore() throws {
        let before = backend.memory.keys(under: .everything)
        let report = store.check(.all)
        #expect(report.problems == [] && report.outcome == .untouched && report.checked == before.count)
        #expect(Set(backend.memory.keys(under: .everything)) == Set(before))
        #expect(try isLoggedIn())
    }

    @Test(.row("T-68")) func allClears_whenAProbeComesBackChanged() throws {
        backend.set { $0.changesValues = true }
        let report = store.check(.all)
        #expect(report.outcome == .cleared)
        #expect(report.problems.contains { $0.reason == .probeFailed })
        backend.set { $0.changesValues = false }
        #expect(try !isLoggedIn())
    }

    @Test(.row("T-68")) func allClears_whenTheStoreIsDamagedAsAWhole() throws {
        backend.set { $0.damage = .checksum }
        let report = store.check(.all)
        #expect(report.outcome == .cleared && report.problems.map(\.reason) == [.damaged(.checksum)])
        #expect(try !isLoggedIn())
    }

    static let bad: [(path: [String], value: String, reason: IntegrityReport.Reason)] = [
        (["mvpd", "A", "authn"], "rubbish", .invalid), (["mvpd", "A", "authn"], "P2,A", .misplaced),
        (["mvpd", "A", "authn"], "P1,B", .misplaced), (["mvpd", "A", "authz", "R/1"], "P1,A,R2", .misplaced),
        (["mvpd", "A", "authz", "R/1"], "", .invalid), (["mvpd", "A", "metadata"], "{", .invalid),
        (["mvpd", "A", "canAuthenticate"], "yes", .invalid),
        (["mvpd", "A", "preauthorization"], "{}", .invalid),
    ]

    private static func key(_ path: [String]) -> StorageKey {
        path.reduce(StorageKey("requestor", "P1", "f")) { $0.appending($1) }
    }

    @Test(.row("T-69"), arguments: bad.indices)
    func allClearsEverything_forOneBadValue(index: Int) throws {
        let (path, value, reason) = Self.bad[index]
        let key = Self.key(path)
        backend.memory.apply([.put(key, Data(value.utf8))])
        let report = store.check(.all)
        #expect(report.problems.map(\.key) == [key] && report.problems.map(\.reason) == [reason])
        #expect(report.outcome == .cleared)
        #expect(try !isLoggedIn() && !isLoggedIn("P2", "B"))
        #expect(backend.memory.keys(under: StorageKey("requestor")) == [])
    }

    @Test(.row("T-70")) func allAcceptsAnEmptyStore() throws {
        backend.memory.apply([.removeAll(under: .everything)])
        let report = store.check(.all)
        #expect(report.problems == [] && report.outcome == .untouched)
    }

    @Test(.row("T-71", "T-72"), arguments: [false, true])
    func clearAlwaysClears_andChecksNothing(isSpoiled: Bool) throws {
        if isSpoiled { spoil() }
        let report = store.check(.clear)
        #expect(report.outcome == .cleared && report.problems == [] && report.checked == 0)
        #expect(try !isLoggedIn() && !isLoggedIn("P2", "B"))
    }

    @Test(.row("T-73")) func clearTakesTheRegistration_aFailedCheckKeepsAValidOne() throws {
        spoil()
        #expect(store.check(.all).outcome == .cleared)
        #expect(try installation.registration(of: "app") == Data("registered".utf8))
        try installation.setRegistration(Data("rubbish".utf8), of: "app")
        #expect(store.check(.all).outcome == .cleared)
        #expect(try installation.registration(of: "app") == nil)
        try installation.setRegistration(Data("registered".utf8), of: "app")
        #expect(store.check(.clear).outcome == .cleared)
        #expect(try installation.registration(of: "app") == nil)
        #expect(try installation.deviceSeed { "other" } == "seed")
    }

    @Test(
        .row("T-74"),
        arguments: [.all, .repair] as [IntegrityMode],
        [
            .cannotRead(errno: EACCES), .cannotWrite(errno: ENOSPC), .locked, .permissionsTooOpen, .unknownLayout,
        ] as [StorageError])
    func aStoreThatCannotBeUsedNow_losesNothing(mode: IntegrityMode, error: StorageError) throws {
        let before = backend.memory.keys(under: .everything)
        for breaks in [\FaultyStorage.Faults.read, \FaultyStorage.Faults.write] {
            backend.set { $0[keyPath: breaks] = error }
            #expect(store.check(mode).outcome == .unavailable(error))
            backend.set { $0[keyPath: breaks] = nil }
            let left = backend.memory.keys(under: .everything).filter { !$0.isInside(StorageKey("probe")) }
            #expect(Set(left) == Set(before))
        }
        #expect(try isLoggedIn())
    }

    @Test(.row("T-68")) func allClears_whenTheLogIsDamaged() throws {
        let directory = TemporaryDirectory()
        let store = EntitlementStore(FileStorage(directory: directory.store))
        for requestor: RequestorID in ["P1", "P2", "P3"] {
            try store.save(TextTokens.authentication(requestor, "A"), metadata: nil)
        }
        // The changed byte is in the head of the first record.
        try directory.flip(65)
        let reopened = EntitlementStore(FileStorage(directory: directory.store))
        let report = reopened.check(.all)
        #expect(report.outcome == .cleared && report.problems == [.init(nil, .damaged(.checksum))])
        #expect(try reopened.authenticationToken(requestorID: "P1", mvpdID: "A") == nil)
    }

    // MARK: - Beyond the documents

    /// A service that stores the logins itself must receive a logout for logins that were removed here.
    @Test(arguments: [.all, .clear] as [IntegrityMode])
    func tellsTheService_whoseLoginsACheckRemoves(mode: IntegrityMode) throws {
        spoil()
        try store.change { entitlements throws(StorageError) in try entitlements.noteBegunLogin(of: "P4") }
        #expect(store.check(mode, loggingOut: ["P3"]).outcome == .cleared)
        #expect(try store.unfinishedLogouts(of: "P3").isOfEveryLogin)
        #expect(try store.unfinishedLogouts(of: "P4").isOfEveryLogin)
        #expect(try store.unfinishedLogouts(of: "P5").isEmpty)
    }

    @Test func acceptsAFingerprint_inCapitals() throws {
        let capitals = EntitlementStore(backend: backend, reader: TextTokens.reader(ofLogins: "F"), fingerprint: "f")
        #expect(capitals.check(.report).problems == [])
        let other = EntitlementStore(backend: backend, reader: TextTokens.reader(ofLogins: "g"), fingerprint: "f")
        #expect(other.check(.report).problems.map(\.reason) == [.misplaced, .misplaced])
    }

    @Test func reportRemovesNothing() throws {
        spoil()
        let before = backend.memory.keys(under: .everything)
        let report = store.check(.report)
        #expect(report.problems.count == 1 && report.outcome == .untouched)
        #expect(Set(backend.memory.keys(under: .everything)) == Set(before))
    }

    @Test(arguments: [.report, .all, .repair] as [IntegrityMode])
    func aWrongOrLostKey_isNoDamage(mode: IntegrityMode) throws {
        let directory = TemporaryDirectory()
        let key = FileStorage.sealingKey(in: directory.store)
        func open(_ backend: any StorageBackend) -> EntitlementStore { EntitlementStore(backend) }
        try open(SealedStorage.file(directory.store)).save(TextTokens.authentication("P1", "A"), metadata: nil)
        let bytes = try Data(contentsOf: key)
        #expect(
            open(SealedStorage(FileStorage(directory: directory.store), key: .random())).check(mode).outcome
                == .unavailable(.keyMissing))
        try FileManager.default.removeItem(at: key)
        #expect(open(SealedStorage.file(directory.store)).check(mode).outcome == .unavailable(.keyMissing))
        #expect(throws: StorageError.keyMissing) {
            try SealedStorage.file(directory.store).apply([.put(StorageKey("a"), Data())])
        }
        try bytes.write(to: key)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
        let found = try open(SealedStorage.file(directory.store)).authenticationToken(requestorID: "P1", mvpdID: "A")
        #expect(found != nil)
    }

    @Test(.row("T-71", "T-72")) func clear_doesNotNeedTheKey_ofWhatItRemoves() throws {
        let directory = TemporaryDirectory()
        func open() -> EntitlementStore { EntitlementStore(SealedStorage.file(directory.store)) }
        try open().save(TextTokens.authentication("P1", "A"), metadata: nil)
        try open().change { entitlements throws(StorageError) in
            try entitlements.noteBegunLogin(of: "P4")
            try entitlements.noteLogout(requestorID: "P5", mvpdID: "A")
        }
        try FileManager.default.removeItem(at: FileStorage.sealingKey(in: directory.store))
        // Names are not sealed, so the second check still knows whose logins the service may have.
        for _ in 0..<2 { #expect(open().check(.clear).outcome == .cleared) }
        for requestor: RequestorID in ["P1", "P4"] {
            #expect(try open().unfinishedLogouts(of: requestor).isOfEveryLogin)
        }
        #expect(try open().unfinishedLogouts(of: "P5").pending == ["A"])
        #expect(try open().authenticationToken(requestorID: "P1", mvpdID: "A") == nil)
        try open().save(TextTokens.authentication("P1", "A"), metadata: nil)
        #expect(try open().authenticationToken(requestorID: "P1", mvpdID: "A") != nil)
    }

    /// Without a key, no record of a logout could be stored again.
    @Test(.row("T-72"), arguments: [.keyMissing, .invalidKey] as [StorageError])
    func clear_removesNothing_whileTheAppProvidesNoKey(error: StorageError) throws {
        let backend = MemoryStorage()
        let key = try SealingKey(SymmetricKey(size: .bits256))
        let store = EntitlementStore(SealedStorage(backend) { () throws(StorageError) in key })
        try store.change { entitlements throws(StorageError) in
            try entitlements.noteLogout(requestorID: "P5", mvpdID: "A")
        }
        let locked = EntitlementStore(SealedStorage(backend) { () throws(StorageError) in throw error })
        #expect(locked.check(.clear).outcome == .unavailable(error))
        #expect(try store.unfinishedLogouts(of: "P5").pending == ["A"])
    }

    /// The power failed while a later record was written, and nobody was told that it was stored.
    @Test(.row("T-67")) func aRecordThatWasNeverFinished_logsNobodyOut() throws {
        let directory = TemporaryDirectory()
        func open() -> EntitlementStore { EntitlementStore(FileStorage(directory: directory.store)) }
        try open().save(TextTokens.authentication("P1", "A"), metadata: nil)
        let start = try directory.records().count
        try open().save(TextTokens.authentication("P2", "B"), metadata: nil)
        let end = try directory.records().count
        var torn = try Data(contentsOf: directory.file)
        torn.replaceSubrange((start + 13)..<end, with: Data(count: end - start - 13))
        try directory.overwrite(torn)
        let report = open().check(.all)
        #expect(report.outcome == .untouched)
        #expect(report.problems.map(\.reason) == [.damaged(.truncated)])
        #expect(try open().authenticationToken(requestorID: "P1", mvpdID: "A") != nil)
        #expect(open().check(.all).problems == [])
    }

    @Test(arguments: [.all, .clear, .repair] as [IntegrityMode], [Data(), Data([0xFF])])
    func anUnreadableSeedOfTheDevice_isCuredByEveryModeThatMayRemove(mode: IntegrityMode, value: Data) throws {
        let seed = StorageKey("device", "seed")
        backend.memory.apply([.put(seed, value)])
        #expect(throws: StorageError.invalidValue(seed)) { try installation.deviceSeed { "another" } }
        let outcome = store.check(mode).outcome
        #expect(outcome == (mode == .repair ? .repaired(1) : .cleared))
        #expect(backend.memory.value(for: seed) == nil)
        #expect(try installation.knownDeviceSeed() == nil)
        #expect(try installation.deviceSeed { "another" } == "another")
        // The device is a new one now. Data of the old one remains unless the mode removes it, and no device uses it.
        #expect(try isLoggedIn() == (mode == .repair))
    }

    @Test(arguments: [Data(), Data([0xFF])]) func anUnreadableIDOfTheDevice_isNoID(value: Data) throws {
        let id = StorageKey("device", "id")
        backend.memory.apply([.put(id, value)])
        #expect(throws: StorageError.invalidValue(id)) { try installation.keepFirstDeviceID("A") }
        #expect(try installation.keptDeviceID() == nil)
        #expect(store.check(.repair).outcome == .repaired(1))
        #expect(try installation.keepFirstDeviceID("A") == "A")
    }

    @Test(arguments: [.all, .clear] as [IntegrityMode])
    func aSealedSeedThatDoesNotOpen_isCured(mode: IntegrityMode) throws {
        let memory = MemoryStorage()
        let sealed = SealedStorage(memory, key: .random())
        let installation = InstallationStore(backend: sealed)
        _ = try installation.deviceSeed { "first" }
        memory.apply([.put(StorageKey("device", "seed"), Data("rubbish".utf8))])
        #expect(throws: StorageError.self) { try installation.deviceSeed { "second" } }
        let store = EntitlementStore(sealed)
        #expect(store.check(mode).outcome == .cleared)
        #expect(try installation.deviceSeed { "second" } == "second")
    }

    @Test(arguments: [["mvpd", "A", "new"], ["mvpd"], ["later"]], [.all, .repair, .report] as [IntegrityMode])
    func anEntryOfANewerVersion_isNoDamage(path: [String], mode: IntegrityMode) throws {
        let key = Self.key(path)
        backend.memory.apply([.put(key, Data("x".utf8))])
        let report = store.check(mode)
        #expect(report.problems == [] && report.outcome == .untouched && report.unknownEntries == [key])
        #expect(try isLoggedIn() && backend.memory.value(for: key) == Data("x".utf8))
    }

    @Test(arguments: bad.indices)
    func repairMovesOnlyTheBadValueAside(index: Int) throws {
        let (path, value, reason) = Self.bad[index]
        let key = Self.key(path)
        backend.memory.apply([.put(key, Data(value.utf8))])
        let before = Set(backend.memory.keys(under: .everything))
        let report = store.check(.repair)
        #expect(report.problems.map(\.reason) == [reason] && report.outcome == .repaired(1))
        let aside = StorageKey("quarantine").appending(key.rawValue)
        #expect(Set(backend.memory.keys(under: .everything)) == before.subtracting([key]).union([aside]))
        #expect(backend.memory.value(for: aside) == Data(value.utf8))
        #expect(store.check(.all).problems == [])
    }

    @Test func repairKeepsTheGoodValues_ofADamagedLog() throws {
        let directory = TemporaryDirectory()
        let key = SealingKey.random()
        func open() -> EntitlementStore {
            EntitlementStore(SealedStorage(FileStorage(directory: directory.store), key: key))
        }
        try open().save(TextTokens.authentication("P1", "A"), metadata: nil)
        let good = try directory.records().count
        try open().save(TextTokens.authentication("P2", "B"), metadata: nil)
        try directory.flip(good + 20)
        #expect(open().check(.report).problems == [.init(nil, .damaged(.checksum))])
        let report = open().check(.repair)
        #expect(report.problems == [.init(nil, .damaged(.checksum))])
        #expect(report.outcome != .cleared)
        #expect(try open().authenticationToken(requestorID: "P1", mvpdID: "A") != nil)
        #expect(open().check(.all).problems == [])
    }

    @Test func repairKeepsTheGoodValues_ofALogWithADamagedHeader() throws {
        let directory = TemporaryDirectory()
        func open() -> EntitlementStore { EntitlementStore(FileStorage(directory: directory.store)) }
        try open().save(TextTokens.authentication("P1", "A"), metadata: nil)
        let bad = StorageKey("requestor", "P3", "f", "mvpd", "C", "authn")
        try FileStorage(directory: directory.store).apply([.put(bad, Data("rubbish".utf8))])
        try open().save(TextTokens.authentication("P2", "B"), metadata: nil)
        try directory.flip(0)
        let bytes = try Data(contentsOf: directory.file)
        #expect(open().check(.report).problems == [.init(nil, .damaged(.checksum))])
        let report = open().check(.repair)
        #expect(report.problems == [.init(nil, .damaged(.checksum)), .init(bad, .invalid)])
        #expect(report.outcome == .repaired(1) && report.checked > 2)
        #expect(try open().authenticationToken(requestorID: "P1", mvpdID: "A") != nil)
        #expect(try open().authenticationToken(requestorID: "P2", mvpdID: "B") != nil)
        #expect(open().check(.all).problems == [])
        #expect(try Data(contentsOf: directory.store.appendingPathComponent("entitlements.damaged")) == bytes)
    }

    /// A repair preserves unreadable values.
    ///
    /// After a failed check the viewer is logged out, so nothing of a login may be left.
    @Test(arguments: [.all, .clear, .repair] as [IntegrityMode])
    func clearsAStore_thatCannotBeRead_andOnlyARepairKeepsTheBytes(mode: IntegrityMode) throws {
        let directory = TemporaryDirectory()
        func open() -> EntitlementStore { EntitlementStore(FileStorage(directory: directory.store)) }
        try open().save(TextTokens.authentication("P1", "A"), metadata: nil)
        // The first record is damaged too.
        try directory.flip(65)
        let handle = try FileHandle(forWritingTo: directory.file)
        try handle.write(contentsOf: Data("garbage!".utf8))
        try handle.close()
        #expect(throws: StorageError.damaged(.checksum)) {
            try open().authenticationToken(requestorID: "P1", mvpdID: "A")
        }
        #expect(open().check(mode).outcome == .cleared)
        #expect(try open().authenticationToken(requestorID: "P1", mvpdID: "A") == nil)
        try open().save(TextTokens.authentication("P1", "A"), metadata: nil)
        #expect(try open().authenticationToken(requestorID: "P1", mvpdID: "A") != nil)
        let aside = try? Data(contentsOf: directory.store.appendingPathComponent("entitlements.damaged"))
        #expect((aside?.starts(with: Data("garbage!".utf8)) ?? false) == (mode == .repair))
    }

    /// The numbers of values are below and above the size from which several threads share the work.
    @Test(arguments: [600, 2_000])
    func tellsHowFarItIs_andFindsTheOneBadValue(count: Int) throws {
        for number in 0..<count {
            try store.save(TextTokens.authorization("P1", "A", for: Resource("R\(number)")), mvpdID: "A", metadata: nil)
        }
        let bad = login.appending("authz").appending("R\(count / 2)")
        spoil(bad)
        let seen = Guarded<[Int]>([])
        let all = backend.memory.keys(under: .everything).count
        let report = store.check(.repair) { checked, total in
            seen.withLock { $0.append(total == all ? checked : -1) }
        }
        let steps = seen.withLock(\.self)
        #expect(steps == steps.sorted() && steps.last == all && steps.count == (all + 255) / 256)
        #expect(report.checked == all && report.problems.map(\.key) == [bad])
    }

    // MARK: - Expiry

    @Test(.row("T-02", "T-07")) func removesWhatHasRunOut_andNothingElse() throws {
        let now = Date(timeIntervalSince1970: 1_000)
        try store.save(TextTokens.authentication("P3", "C", expires: 2_000), metadata: nil)
        try store.save(TextTokens.authorization("P3", "C", for: "old", expires: 1_000), mvpdID: "C", metadata: nil)
        try store.save(TextTokens.authorization("P3", "C", for: "new", expires: 1_001), mvpdID: "C", metadata: nil)
        try store.removeExpired(at: now)
        #expect(try store.authenticationToken(requestorID: "P3", mvpdID: "C") != nil)
        #expect(try store.authorizationToken(for: "new", requestorID: "P3", mvpdID: "C") != nil)
        #expect(try store.authorizationToken(for: "old", requestorID: "P3", mvpdID: "C") == nil)
        // The logins of the others expired in 1970, and their permissions with them. The choice of provider remains.
        #expect(try !isLoggedIn() && store.currentProvider(of: "P1") == "A")
        #expect(try store.authorizationToken(for: "R/1", requestorID: "P1", mvpdID: "A") == nil)
    }

    /// A wrong clock may cost a permission, which can be requested again, but no login.
    @Test func removesNoLogin_whereTheClockMayBeWrong() throws {
        let removed = try store.removeExpired(at: Date(timeIntervalSince1970: 1_000), permissionsOnly: true)
        #expect(try removed == 1 && isLoggedIn() && isLoggedIn("P2", "B"))
        #expect(try store.authorizationToken(for: "R/1", requestorID: "P1", mvpdID: "A") == nil)
    }

    @Test func leavesAValueThatIsNoToken_whenItRemovesWhatHasRunOut() throws {
        spoil()
        try store.removeExpired(at: .distantFuture)
        #expect(backend.memory.value(for: login.appending("authn")) == Data("rubbish".utf8))
    }
}
