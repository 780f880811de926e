import Foundation
import TVEModels
import TVETestTraits
import Testing

@testable import TVEStorage

/// User defaults and pasteboards.
@Suite(.oneAtATime)
struct SharedPlacesTests {
    private let directory = TemporaryDirectory()
    private let defaults = TemporaryDefaults()
    private let key = StorageKey("a")
    /// The preference in both suites.
    private let preference = "swift-access-enabler.entitlements"

    private var suite: String { defaults.suite }

    private func board(_ generation: PasteboardGeneration, name: String = "entitlements") -> PasteboardStorage {
        PasteboardStorage(name: name, generation: generation, boards: directory.store)
    }

    @Test(arguments: ["../x", "../\u{301}x", "/\u{301}../\u{301}../\u{301}x", "\0"])
    func aBoardIsOneFolder_ofAllBoards(name: String) throws {
        try board(.team("T"), name: name).apply([.put(key, Data([1]))])
        let boards = try FileManager.default.contentsOfDirectory(atPath: directory.store.path)
        #expect(boards.count == 1)
        let files = try FileManager.default.contentsOfDirectory(
            atPath: directory.store.appendingPathComponent(try #require(boards.first)).path)
        #expect(files.contains("entitlements.store"))
        #expect(try board(.team("T"), name: name).value(for: key) == Data([1]))
    }

    /// A writer that waits for another process holds no lock that a reader needs.
    @Test func aSnapshotIsRead_whileAWriteWaits() async throws {
        let turn = DispatchSemaphore(value: 0)
        let (waits, waiting) = AsyncStream<Void>.makeStream()
        let storage = SnapshotStorage([MemoryItem()]) { _, work throws(StorageError) in
            waiting.yield()
            turn.wait()
            try work()
        }
        let (written, line) = AsyncStream<Result<Void, StorageError>>.makeStream()
        Thread.detachNewThread { [key] in
            do throws(StorageError) {
                line.yield(.success(try storage.apply([.put(key, Data([1]))])))
            } catch {
                line.yield(.failure(error))
            }
        }
        _ = await waits.first { _ in true }
        let isRead = Guarded(false)
        Thread.detachNewThread { [key] in
            _ = try? storage.value(for: key)
            isRead.withLock { $0 = true }
        }
        #expect(await soon { isRead.withLock(\.self) })
        turn.signal()
        try await written.first { _ in true }?.get()
        #expect(try storage.value(for: key) == Data([1]))
    }

    /// The cost of a check of all values grows with the store, and not with its square.
    @Test func severalValues_comeFromOneSnapshot() throws {
        let item = MemoryItem()
        let storage = SnapshotStorage([item])
        let other = StorageKey("b")
        try storage.apply([.put(key, Data([1])), .put(other, Data([2]))])
        let before = item.loads.withLock(\.self)
        let expected: [Result<Data?, StorageError>] = [.success(Data([2])), .success(nil), .success(Data([1]))]
        #expect(try storage.values(for: [other, StorageKey("missing"), key]) == expected)
        #expect(item.loads.withLock(\.self) == before + 1)
    }

    /// A snapshot is one record, and a longer record than the longest one is damage to its reader.
    @Test func aChangeThatCouldNotBeReadAgain_isRefused() throws {
        let storage = SnapshotStorage([MemoryItem()])
        try storage.apply([.put(key, Data([1]))])
        let limit = 256 << 20
        #expect(throws: StorageError.tooLarge(limit: limit)) {
            try storage.apply([.put(StorageKey("b"), Data(count: limit))])
        }
        #expect(try storage.value(for: key) == Data([1]))
    }

    @Test(arguments: [Data(), Data("garbage".utf8), nil])
    func userDefaultsSurviveTheLossOfEitherCopy(damaged: Data?) throws {
        let storage = UserDefaultsStorage(suiteName: suite)
        for name in defaults.suites {
            try storage.apply([.put(key, Data(name.utf8))])
            UserDefaults(suiteName: name)?.set(damaged, forKey: preference)
            #expect(try storage.value(for: key) == Data(name.utf8))
            #expect(try (storage.damage() != nil) == (damaged != nil))
            // The next write repairs both.
            try storage.apply([.put(StorageKey("b"), Data(name.utf8))])
            #expect(try storage.damage() == nil)
            #expect(try storage.value(for: key) == Data(name.utf8))
        }
    }

    @Test func userDefaultsTakeTheNewerCopy() throws {
        let storage = UserDefaultsStorage(suiteName: suite)
        try storage.apply([.put(key, Data([1]))])
        let old = UserDefaults(suiteName: suite)?.data(forKey: preference)
        try storage.apply([.put(key, Data([2]))])
        // This imitates a crash between the two writes, whichever of them came first.
        for name in defaults.suites {
            let new = UserDefaults(suiteName: name)?.data(forKey: preference)
            UserDefaults(suiteName: name)?.set(old, forKey: preference)
            #expect(try storage.value(for: key) == Data([2]))
            UserDefaults(suiteName: name)?.set(new, forKey: preference)
        }
        // The next update repairs the older copy, even if it changes nothing.
        UserDefaults(suiteName: suite)?.set(old, forKey: preference)
        try storage.update { _ in [] }
        let copies = defaults.suites.map { UserDefaults(suiteName: $0)?.data(forKey: preference) }
        #expect(copies[0] != old && copies[0] == copies[1])
    }

    /// The second copy could not be written, and a crash destroys the first one when it is rewritten.
    @Test func aChangeStays_whoseSecondCopyWasNotWritten() throws {
        let (first, second) = (MemoryItem(), MemoryItem())
        let storage = SnapshotStorage([first, second])
        try storage.apply([.put(key, Data([1]))])
        second.fault.withLock { $0 = .full }
        try storage.apply([.remove(key)])
        second.fault.withLock { $0 = nil }
        first.fault.withLock { $0 = .crash }
        try storage.apply([.put(StorageKey("b"), Data([2]))])
        first.fault.withLock { $0 = nil }
        #expect(try SnapshotStorage([first, second]).value(for: key) == nil)
    }

    @Test func aCopyThatCannotBeWrittenTwice_stopsTheChange() throws {
        let (first, second) = (MemoryItem(), MemoryItem())
        let storage = SnapshotStorage([first, second])
        second.fault.withLock { $0 = .full }
        try storage.apply([.put(key, Data([1]))])
        #expect(throws: StorageError.cannotWrite(errno: ENOSPC)) { try storage.apply([.put(key, Data([2]))]) }
        #expect(try storage.value(for: key) == Data([1]))
        // A viewer can still be logged out for good.
        try storage.removeEverything()
        #expect(try storage.value(for: key) == nil)
        second.fault.withLock { $0 = nil }
        try storage.apply([.put(key, Data([3]))])
        #expect(second.load() == first.load())
    }

    /// Apple's systems use one place, and an earlier version used a second one.
    @Test func aPlaceThatIsNoLongerUsed_isWrittenOnlyToEmptyIt() throws {
        let earlier = MemoryItem()
        try SnapshotStorage([earlier]).apply([.put(key, Data([1]))])
        let (first, second) = (MemoryItem(), MemoryItem(isKept: false, holding: earlier.load()))
        let storage = SnapshotStorage([first, second])
        for number in UInt8(2)...4 { try storage.apply([.put(key, Data([number]))]) }
        try storage.removeEverything()
        #expect(second.load() == nil)
        #expect(first.saves.withLock(\.self) == 4 && second.saves.withLock(\.self) == 1)
    }

    /// The number of a snapshot has 32 bits, and the first number follows the last one.
    @Test func userDefaultsTakeTheNewerCopy_afterTheLastNumber() throws {
        var last = Snapshot()
        last.values = [key: Data([1])]
        last.generation = .max
        for name in defaults.suites { UserDefaults(suiteName: name)?.set(last.bytes, forKey: preference) }
        let storage = UserDefaultsStorage(suiteName: suite)
        try storage.apply([.put(key, Data([2]))])
        UserDefaults(suiteName: suite)?.set(last.bytes, forKey: preference)
        #expect(try storage.value(for: key) == Data([2]))
    }

    /// A place that can detect that another process was faster.
    private final class ComparingItem: SnapshotItem {
        private let bytes = Guarded<Data?>(nil)

        func load() -> Data? { bytes.withLock(\.self) }

        func save(_ new: Data, insteadOf old: Data?) -> Bool {
            bytes.withLock { bytes in
                guard bytes == old else { return false }
                bytes = new
                return true
            }
        }
    }

    @Test func anUpdateIsDecidedAgain_whenAnotherProcessWasFaster() throws {
        let item = ComparingItem()
        let mine = SnapshotStorage([item])
        let theirs = SnapshotStorage([item])
        let key = key
        let attempts = Guarded(0)
        try mine.update { _ throws(StorageError) in
            let attempt = attempts.withLock {
                $0 += 1; return $0
            }
            if attempt == 1 { try theirs.apply([.put(StorageKey("b"), Data([2]))]) }
            return [.put(key, Data([UInt8(attempt)]))]
        }
        #expect(try mine.value(for: key) == Data([2]) && mine.value(for: StorageKey("b")) == Data([2]))
    }

    @Test func userDefaultsReportDamage_whenNoCopyIsGood_andCanBeEmptied() throws {
        let storage = UserDefaultsStorage(suiteName: suite)
        for name in defaults.suites {
            UserDefaults(suiteName: name)?.set(Data("garbage!garbage!".utf8), forKey: preference)
        }
        #expect(throws: StorageError.damaged(.checksum)) { try storage.value(for: key) }
        #expect(throws: StorageError.damaged(.checksum)) { try storage.apply([.put(key, Data())]) }
        try storage.removeEverything()
        #expect(try storage.value(for: key) == nil)
    }

    @Test func userDefaultsRefuseANewerLayout_andLeaveItAlone() throws {
        let header = Data("TVESTORE".utf8) + FilePlaceTests.newerVersion
        UserDefaults(suiteName: suite)?.set(header, forKey: preference)
        let storage = UserDefaultsStorage(suiteName: suite)
        #expect(throws: StorageError.unknownLayout) { try storage.value(for: key) }
        #expect(throws: StorageError.unknownLayout) { try storage.apply([.put(key, Data())]) }
        #expect(UserDefaults(suiteName: suite)?.data(forKey: preference) == header)
    }

    /// The system clears the folder while a writer waits, and another process locks a new file there.
    @Test func aWriter_doesNotTrustALock_whoseFileHasLostItsName() throws {
        try UserDefaultsStorage(suiteName: suite).apply([.put(key, Data([1]))])
        let folders = [
            FileManager.default.temporaryDirectory.appendingPathComponent("swift-access-enabler"),
            FileStorage.defaultDirectory(name: "preferences"),
        ]
        let paths = folders.map { $0.appendingPathComponent("\(suite).lock").path }
        let path = try #require(paths.first { SystemCall.status(of: $0, followsLinks: false) != nil })
        let other = Guarded<Int32>(-1)
        let system = StorageSystem(fault: { call in
            guard call == .lock, other.withLock({ $0 < 0 }) else { return nil }
            SystemCall.remove(path)
            let file = SystemCall.open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode: 0o600)
            other.withLock { $0 = flock(file, LOCK_EX | LOCK_NB) == 0 ? file : -1 }
            return nil
        })
        let storage = UserDefaultsStorage(suiteName: suite, capacity: nil, keepsCopy: true, system: system)
        #expect(throws: StorageError.locked) {
            try storage.update(patience: .zero) { [key] _ throws(StorageError) in [.put(key, Data([2]))] }
        }
        let file = other.withLock(\.self)
        // A program that another test is starting has a copy of the descriptor, and would keep the lock.
        #expect(flock(file, LOCK_UN) == 0 && close(file) == 0)
        #expect(try storage.value(for: key) == Data([1]))
        try storage.apply([.put(key, Data([2]))])
        #expect(try storage.value(for: key) == Data([2]))
    }

    /// The system clears the folder right before the lock's file is opened, once or each time.
    @Test(arguments: [1, .max])
    func aLockThatCannotBeOpened_isTriedAgain_andSaysWhy(failures: Int) throws {
        let left = Guarded(failures)
        let system = StorageSystem(fault: { call in
            guard call == .open, left.withLock({ $0 > 0 }) else { return nil }
            left.withLock { $0 -= 1 }
            return .error(ENOENT)
        })
        let storage = UserDefaultsStorage(suiteName: suite, capacity: nil, keepsCopy: true, system: system)
        if failures == 1 {
            try storage.apply([.put(key, Data([1]))])
            #expect(try storage.value(for: key) == Data([1]))
        } else {
            #expect(throws: StorageError.cannotWrite(errno: ENOENT)) { try storage.apply([.put(key, Data([1]))]) }
        }
    }

    @Test func userDefaultsKeepAnyKey() throws {
        let storage = UserDefaultsStorage(suiteName: suite)
        for name in ["generation", "%generation", ""] {
            try storage.apply([.put(StorageKey(name), Data(name.utf8))])
            #expect(try storage.value(for: StorageKey(name)) == Data(name.utf8))
        }
        #expect(try storage.damage() == nil)
    }

    @Test(.row("T-20", "T-21", "T-34")) func aBoardIsShared_byWhomItsGenerationSays() throws {
        try board(.team("T1")).apply([.put(key, Data([1]))])
        #expect(try board(.team("T1")).value(for: key) == Data([1]))
        #expect(try board(.team("T2")).value(for: key) == nil)
        #expect(try board(.systemWide).value(for: key) == nil)
        #expect(try board(.team("T1"), name: "other").value(for: key) == nil)
        // The name of this team looks like that of another board.
        #expect(try board(.team("T1/../team-T1")).value(for: key) == nil)
        try board(.systemWide).apply([.put(key, Data([2]))])
        #expect(try board(.systemWide).value(for: key) == Data([2]))
    }

    /// The system removes the boards while apps have them open, without a notification.
    @Test(.row("T-22")) func anUpgradeWipesTheBoard() throws {
        let open = board(.team("T1"))
        let other = board(.team("T1"))
        try open.apply([.put(key, Data([1]))])
        #expect(try other.value(for: key) == Data([1]))
        try FileManager.default.removeItem(at: directory.store)
        #expect(try open.value(for: key) == nil && other.value(for: key) == nil)
        #expect(try open.keys(under: .everything).isEmpty)
        // Values that an app stores afterwards are shared again.
        try open.apply([.put(key, Data([2]))])
        #expect(try other.value(for: key) == Data([2]) && board(.team("T1")).value(for: key) == Data([2]))
    }
}

/// A place in memory that holds one block of bytes.
private final class MemoryItem: SnapshotItem {
    enum Fault: Sendable {
        case full
        /// The power fails while the place is rewritten, which leaves it empty.
        case crash
    }

    let isKept: Bool
    let fault = Guarded<Fault?>(nil)
    /// The number of times that the bytes were read.
    let loads = Guarded(0)
    /// The number of times that the place was written.
    let saves = Guarded(0)
    private let bytes: Guarded<Data?>

    init(isKept: Bool = true, holding bytes: Data? = nil) {
        self.isKept = isKept
        self.bytes = Guarded(bytes)
    }

    func load() -> Data? {
        loads.withLock { $0 += 1 }
        return bytes.withLock(\.self)
    }

    func save(_ new: Data, insteadOf old: Data?) throws(StorageError) -> Bool {
        switch fault.withLock(\.self) {
        case nil:
            saves.withLock { $0 += 1 }
            bytes.withLock { $0 = isKept ? new : nil }
            return true
        case .full?: break
        case .crash?: bytes.withLock { $0 = nil }
        }
        throw .cannotWrite(errno: ENOSPC)
    }
}
