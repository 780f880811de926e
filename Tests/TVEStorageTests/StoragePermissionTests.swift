import Foundation
import TVEModels
import TVEStorage
import TVETestTraits
import Testing

/// The permissions to read and write a store, and the distinction between temporary and permanent errors.
@Suite(.oneAtATime)
struct StoragePermissionTests {
    private let directory = TemporaryDirectory()
    private let key = StorageKey("a")

    /// At first the file can only be opened for reading.
    ///
    /// When it is writable again, the same handle writes.
    @Test func aLogThatWasReadOnly_isWrittenTo_whenPermissionReturns() throws {
        try FileStorage(directory: directory.store).apply([.put(key, Data([1]))])
        let faults = FaultPlan()
        let storage = FileStorage(directory: directory.store, system: faults.system)
        // The first call checks the path, and the second opens it for reading and writing.
        faults.arm(.init(number: 1, fault: .error(EACCES)))
        #expect(try storage.value(for: key) == Data([1]))
        #expect(faults.isPlayed)
        try storage.apply([.put(key, Data([2]))])
        #expect(try FileStorage(directory: directory.store).value(for: key) == Data([2]))
    }

    @Test func aLogThatStaysReadOnly_saysSo() throws {
        try FileStorage(directory: directory.store).apply([.put(key, Data([1]))])
        let isWritable = Guarded(false)
        let opened = Guarded(0)
        let storage = FileStorage(
            directory: directory.store,
            system: StorageSystem { call in
                // Of two attempts to open the log, the one for writing comes first. The lock can always be opened.
                guard call == .open, !isWritable.withLock(\.self) else { return nil }
                return opened.withLock { count in
                    count += 1
                    return [1, 4].contains(count) ? .error(EROFS) : nil
                }
            })
        #expect(try storage.value(for: key) == Data([1]))
        #expect(throws: StorageError.cannotWrite(errno: EACCES)) { try storage.apply([.put(key, Data([2]))]) }
        isWritable.withLock { $0 = true }
        try storage.apply([.put(key, Data([3]))])
        #expect(try storage.value(for: key) == Data([3]))
    }

    /// The folder above the store may be entered, but not listed, so it cannot be flushed.
    ///
    /// The first call opens the lock, the second one creates the log, and the next two open the folder and the store.
    @Test(arguments: [(3, true, true), (4, true, false), (3, false, false), (4, false, false)])
    func aStoreBelowAFolderThatCannotBeListed_isWritten(number: Int, isThere: Bool, isWritten: Bool) throws {
        if isThere {
            try FileManager.default.createDirectory(
                at: directory.store, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        let opened = Guarded(0)
        let system = StorageSystem { call in
            guard call == .open else { return nil }
            return opened.withLock { count in
                count += 1
                return count == number ? .error(EACCES) : nil
            }
        }
        let storage = FileStorage(directory: directory.store, system: system)
        if isWritten {
            try storage.apply([.put(key, Data([1]))])
        } else {
            // The name of the log, or that of a folder that this handle has made, must be on the medium.
            #expect(throws: StorageError.cannotWrite(errno: EACCES)) { try storage.apply([.put(key, Data([1]))]) }
        }
        #expect(try FileStorage(directory: directory.store).value(for: key) == (isWritten ? Data([1]) : nil))
        #expect(opened.withLock(\.self) >= number)
    }

    /// Some file systems cannot flush a directory, and say so with one of these errors.
    ///
    /// The first two flushes are those of the folder above the store and of the store. The third is that of the log,
    /// which every file system can flush.
    @Test(arguments: [EINVAL, ENOTSUP], [2, 3])
    func aStoreWhoseDirectoriesCannotBeFlushed_isWritten(number: Int32, failures: Int) throws {
        try FileStorage(directory: directory.store).apply([.put(key, Data([1]))])
        let flushed = Guarded(0)
        let system = StorageSystem { call in
            guard call == .flush else { return nil }
            return flushed.withLock { count in
                count += 1
                return count <= failures ? .error(number) : nil
            }
        }
        let storage = FileStorage(directory: directory.store, system: system)
        let isWritten = failures == 2
        if isWritten {
            try storage.apply([.put(key, Data([2]))])
        } else {
            #expect(throws: StorageError.cannotWrite(errno: number)) { try storage.apply([.put(key, Data([2]))]) }
        }
        #expect(try FileStorage(directory: directory.store).value(for: key) == Data([isWritten ? 2 : 1]))
        #expect(flushed.withLock(\.self) >= 3)
    }

    /// Stores three logins, and damages the first record if that is wanted.
    ///
    /// - Returns: the problems that a check finds.
    private func saveLogins(isDamaged: Bool) throws -> [IntegrityReport.Problem] {
        for requestor: RequestorID in ["P1", "P2", "P3"] {
            try EntitlementStore(FileStorage(directory: directory.store))
                .save(TextTokens.authentication(requestor, "A"), metadata: nil)
        }
        if isDamaged { try directory.flip(65) }
        return isDamaged ? [.init(nil, .damaged(.checksum))] : []
    }

    @Test(arguments: [EROFS, EACCES, EPERM], [false, true])
    func aStoreThatCanOnlyBeRead_isChecked(number: Int32, isDamaged: Bool) throws {
        let problems = try saveLogins(isDamaged: isDamaged)
        let opened = Guarded(0)
        let system = StorageSystem { call in
            // The lock and the log are opened for writing, and then the log for reading.
            guard call == .open else { return nil }
            return opened.withLock { count in
                count += 1
                return count <= 2 ? .error(number) : nil
            }
        }
        let report = EntitlementStore(FileStorage(directory: directory.store, system: system)).check(.report)
        #expect(report.outcome == .untouched && report.problems == problems)
        #expect((report.checked > 0) == !isDamaged)
    }

    @Test(arguments: [false, true]) func aReport_createsNoFile(isDamaged: Bool) throws {
        let problems = try saveLogins(isDamaged: isDamaged)
        try FileManager.default.removeItem(at: directory.store.appendingPathComponent("entitlements.lock"))
        let report = EntitlementStore(FileStorage(directory: directory.store)).check(.report)
        #expect(report.problems == problems)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.store.path) == ["entitlements.store"])
    }

    /// Only the administrator can change a file's owner, so this test runs only as the administrator.
    @Test(.enabled(if: geteuid() == 0), arguments: ["entitlements.store", ""])
    func whatBelongsToAnotherUser_isRefused(name: String) throws {
        try FileStorage(directory: directory.store).apply([.put(key, Data([1]))])
        let path = name.isEmpty ? directory.store.path : directory.store.appendingPathComponent(name).path
        unsafe #expect(chown(path, 12_345, 12_345) == 0)
        let storage = FileStorage(directory: directory.store)
        if !name.isEmpty { #expect(throws: StorageError.foreignOwner) { try storage.value(for: key) } }
        #expect(throws: StorageError.foreignOwner) { try storage.apply([.put(key, Data([2]))]) }
        unsafe #expect(chown(path, 0, 0) == 0)
        #expect(try storage.value(for: key) == Data([1]))
    }

    @Test(.enabled(if: geteuid() == 0))
    func aKeyOfAnotherUser_isRefused() throws {
        try SealedStorage.file(directory.store).apply([.put(key, Data([1]))])
        unsafe #expect(chown(FileStorage.sealingKey(in: directory.store).path, 12_345, 12_345) == 0)
        #expect(throws: StorageError.foreignOwner) { try SealedStorage.file(directory.store).value(for: key) }
    }

    static let passing: [Int32] = [
        EAGAIN, EBUSY, EINTR, ETXTBSY, ENOLCK, EDEADLK, ETIMEDOUT, ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE, ENOMEM,
        EACCES, EPERM, EROFS, ECONNREFUSED, ECONNRESET, ECONNABORTED, ENOTCONN, EPIPE, ENETDOWN, ENETUNREACH, ENETRESET,
        EHOSTDOWN, EHOSTUNREACH, ESTALE, -25_293, -25_291, -25_308, -25_315, -25_320, -34_018, -34, -108, -25_292,
    ]
    static let lasting: [Int32] = [
        EIO, ENXIO, ENODEV, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG, EINVAL, EBADF, EOVERFLOW, -26_275, -50, -36,
    ]

    /// Decided.md names some of these errors.
    @Test(.row("T-68", "T-74")) func tellsWhatPassesByItself_fromWhatLasts() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("Documentation/Specification/Decided.md"), encoding: .utf8)
        for number in Self.passing {
            #expect(StorageError.cannotRead(errno: number).passesByItself, "\(number)")
            #expect(StorageError.cannotWrite(errno: number).passesByItself, "\(number)")
        }
        for number in Self.lasting {
            #expect(!StorageError.cannotRead(errno: number).passesByItself, "\(number)")
            #expect(!StorageError.cannotWrite(errno: number).passesByItself, "\(number)")
        }
        for name in ["EAGAIN", "ENOSPC", "EACCES", "EROFS", "EMFILE", "ECONNREFUSED", "EHOSTUNREACH", "ESTALE", "EIO"] {
            #expect(page.contains("`\(name)`"), "\(name)")
        }
    }

    /// Checks a store that cannot be read, and one that cannot be written.
    ///
    /// - Returns: for each, the error, the report of the check, and a Boolean value that indicates whether the login
    ///   remains.
    private func checks(
        failingWith number: Int32
    ) throws -> [(error: StorageError, report: IntegrityReport, isLoggedIn: Bool)] {
        try [\FaultyStorage.Faults.read, \FaultyStorage.Faults.write].map { breaks in
            let backend = FaultyStorage()
            let store = EntitlementStore(backend)
            try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
            let error: StorageError = breaks == \.read ? .cannotRead(errno: number) : .cannotWrite(errno: number)
            backend.set { $0[keyPath: breaks] = error }
            backend.set { $0.isMendedByRemoval = true }
            let report = store.check(.all)
            backend.set { $0 = .init() }
            return (error, report, try store.authenticationToken(requestorID: "P1", mvpdID: "A") != nil)
        }
    }

    @Test(.row("T-68"), arguments: lasting)
    func aStoreThatCannotBeReadOrWrittenForGood_isCleared(number: Int32) throws {
        for (error, report, isLoggedIn) in try checks(failingWith: number) {
            #expect(report.outcome == .cleared && report.problems == [.init(nil, .unusable(error))] && !isLoggedIn)
        }
    }

    @Test(.row("T-74"), arguments: passing)
    func aStoreThatCannotBeUsedJustNow_losesNothing(number: Int32) throws {
        for (error, report, isLoggedIn) in try checks(failingWith: number) {
            #expect(report.outcome == .unavailable(error) && isLoggedIn)
        }
    }

    /// The medium, or the network to it, fails a single time.
    @Test(arguments: [EIO, ECONNREFUSED]) func aFailureThatDoesNotHappenAgain_removesNothing(number: Int32) throws {
        for breaks in [\FaultyStorage.Faults.read, \FaultyStorage.Faults.write] {
            let backend = FaultyStorage()
            let store = EntitlementStore(backend)
            try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
            let error: StorageError = breaks == \.read ? .cannotRead(errno: number) : .cannotWrite(errno: number)
            backend.set { $0.happenOnce = true }
            backend.set { $0[keyPath: breaks] = error }
            let report = store.check(.all)
            #expect(report.problems == [])
            #expect(report.outcome == (error.passesByItself ? .unavailable(error) : .untouched))
            #expect(try store.authenticationToken(requestorID: "P1", mvpdID: "A") != nil)
        }
    }

    /// The medium fails first, and then the network to it.
    @Test func damageThatIsReportedOnce_isInTheReport_whenTheSecondInspectionFails() throws {
        let backend = FaultyStorage()
        let store = EntitlementStore(backend)
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
        let error = StorageError.cannotRead(errno: ECONNREFUSED)
        backend.set {
            $0 = .init(read: error, write: .cannotWrite(errno: EIO), damage: .checksum, happenOnce: true)
        }
        let report = store.check(.all)
        #expect(report.problems == [.init(nil, .damaged(.checksum))] && report.outcome == .unavailable(error))
        #expect(try store.authenticationToken(requestorID: "P1", mvpdID: "A") != nil)
    }

    /// The medium fails a single time after the inspection, when the check removes the login that it cannot read.
    @Test(arguments: [.all, .clear] as [IntegrityMode])
    func aRemovalThatFailsOnce_isRepeated(mode: IntegrityMode) throws {
        let backend = FaultyStorage()
        let store = EntitlementStore(backend)
        let installation = InstallationStore(backend: backend)
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
        try installation.setRegistration(Data("registered".utf8), of: "app")
        _ = try installation.deviceSeed { "seed" }
        let login = StorageKey("requestor", "P1", "f", "mvpd", "A", "authn")
        backend.memory.apply([.put(login, Data("rubbish".utf8))])
        @Sendable func breakNextWrite() {
            backend.set { $0 = .init(write: .cannotWrite(errno: EIO), happenOnce: true) }
        }
        if mode == .clear { breakNextWrite() }
        let report = store.check(mode) { _, _ in breakNextWrite() }
        #expect(report.outcome == .cleared && backend.memory.value(for: login) == nil)
        #expect(try installation.deviceSeed { "another" } == "seed")
        #expect(try installation.registration(of: "app") == (mode == .all ? Data("registered".utf8) : nil))
    }

    /// If a medium can never be read or written again, the check reports it and the viewer is logged out.
    @Test(.row("T-68")) func aLogThatCannotBeReadForGood_isBegunAnew() throws {
        let clean = EntitlementStore(FileStorage(directory: directory.store))
        try clean.save(TextTokens.authentication("P1", "A"), metadata: nil)
        let isBroken = Guarded(true)
        let system = StorageSystem { call in call == .read && isBroken.withLock(\.self) ? .error(EIO) : nil }
        let store = EntitlementStore(FileStorage(directory: directory.store, system: system))
        let report = store.check(.all)
        #expect(report.problems == [.init(nil, .unusable(.cannotRead(errno: EIO)))])
        isBroken.withLock { $0 = false }
        #expect(try store.authenticationToken(requestorID: "P1", mvpdID: "A") == nil)
        #expect(try clean.authenticationToken(requestorID: "P1", mvpdID: "A") == nil)
    }
}
