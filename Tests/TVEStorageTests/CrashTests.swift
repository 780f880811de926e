import Foundation
import TVEModels
import TVEStorage
import TVETestTraits
import Testing

/// The power fails after every system call of a store.
///
/// Then every acknowledged batch exists, every other batch exists either completely or not at all, and the store
/// remains usable.
@Suite(.oneAtATime)
struct CrashTests {
    enum Story: CaseIterable, Sendable {
        /// A store in a new folder, whose log is shortened during the story.
        case plain
        /// Another process writes between the writes of this one.
        case twoHandles
        /// A sealed store, whose key is created during the story.
        case sealed
        /// A sealed store with its key in other folders, which are created during the story too.
        case sealedElsewhere
        /// A log with damage, which the first write sets aside.
        case damaged
        /// A value that is removed permanently, followed by everything else.
        case removed
    }

    private enum Step: Sendable {
        case apply([StorageChange])
        /// Another process applies the changes.
        case applyElsewhere([StorageChange])
        case removeEverything
    }

    /// The contents of the disk after a crash, with the number of steps before it.
    private struct Crash: Hashable {
        let image: SimulatedDisk.Image
        /// The number of steps that were acknowledged.
        let done: Int

        /// Hashes all bytes, because `Data` hashes only its first ones, which are the same for all logs.
        func hash(into hasher: inout Hasher) {
            hasher.combine(done)
            for (path, bytes) in image.sorted(by: { $0.key < $1.key }) {
                hasher.combine(path)
                unsafe bytes?.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
            }
        }
    }

    private static let secret = Data("the secret of a token".utf8)
    private static let mercies: [SimulatedDisk.Mercy] =
        [.nothing, .everything, .names, .bytes] + (0..<(LongTests.areOn ? 200 : 3)).map { .random($0) }

    private static func put(_ name: String, _ byte: UInt8, count: Int = 700) -> StorageChange {
        .put(StorageKey(name), Data(repeating: byte, count: count))
    }

    private static func steps(_ story: Story) -> [Step] {
        switch story {
        case .plain:
            // The fifth of the long values makes the log longer than 32 KB, and most of it outdated.
            [.apply([put("a", 1)]), .apply([put("b", 2), put("c", 3), .remove(StorageKey("a"))])]
                + (0..<7).map { .apply([put("a", 10 + $0, count: 5_000)]) } + [.apply([put("d", 4)])]
        case .twoHandles:
            [
                .applyElsewhere([put("a", 1)]), .apply([put("b", 2)]), .applyElsewhere([put("a", 3), put("c", 4)]),
                .apply([.removeAll(under: StorageKey("a"))]), .applyElsewhere([put("b", 5)]), .apply([put("b", 6)]),
            ]
        case .sealed, .sealedElsewhere: [.apply([put("a", 1)]), .applyElsewhere([put("b", 2)]), .apply([put("a", 3)])]
        case .damaged: [.apply([put("d", 1)]), .apply([put("e", 2)])]
        case .removed:
            [
                .apply([.put(StorageKey("r", "t"), secret), put("a", 1)]), .apply([.remove(StorageKey("r", "t"))]),
                .apply([.removeAll(under: StorageKey("r"))]), .apply([put("a", 2)]), .removeEverything,
                .apply([put("b", 3)]),
            ]
        }
    }

    /// The number of steps after which the secret must be gone.
    private static let removal = 3

    private static func open(_ story: Story, in folder: URL, _ log: FileStorage) -> any StorageBackend {
        switch story {
        case .sealed: SealedStorage.file(log, FileStorage.sealingKey(in: store(folder)))
        case .sealedElsewhere:
            SealedStorage.file(log, FileStorage.sealingKey(in: folder.appendingPathComponent("secrets/app")))
        case .plain, .twoHandles, .damaged, .removed: log
        }
    }

    /// Returns a folder below another one that the store creates too.
    private static func store(_ folder: URL) -> URL { folder.appendingPathComponent("app/store") }

    /// Performs the steps, and collects the contents of the disk after a crash at each of their calls.
    ///
    /// - Returns: the crashes, and the contents after each number of steps.
    private func crashes(_ story: Story, in folder: URL) throws -> (Set<Crash>, [[StorageKey: Data]]) {
        if story == .damaged { try makeDamage(in: Self.store(folder)) }
        let done = Guarded(0)
        let found = Guarded<Set<Crash>>([])
        let disk = try SimulatedDisk(folder) { disk in
            let done = done.withLock(\.self)
            for mercy in Self.mercies {
                let crash = Crash(image: disk.image(mercy), done: done)
                found.withLock { _ = $0.insert(crash) }
            }
        }
        let logs = (0..<2).map { _ in FileStorage(directory: Self.store(folder), system: disk.system) }
        let handles = logs.map { Self.open(story, in: folder, $0) }
        var states = [try handles[0].contents()]
        for step in Self.steps(story) {
            var state = states[states.count - 1]
            switch step {
            case .apply(let batch), .applyElsewhere(let batch):
                let isElsewhere = if case .applyElsewhere = step { true } else { false }
                try handles[isElsewhere ? 1 : 0].apply(batch)
                for change in batch { state.apply(change) }
            case .removeEverything:
                try handles[0].removeEverything()
                state = [:]
            }
            states.append(state)
            done.withLock { $0 += 1 }
            // The power may also fail after the last call of a step.
            for mercy in Self.mercies {
                let crash = Crash(image: disk.image(mercy), done: states.count - 1)
                found.withLock { _ = $0.insert(crash) }
            }
        }
        return (found.withLock(\.self), states)
    }

    private func makeDamage(in store: URL) throws {
        let storage = FileStorage(directory: store)
        for name in ["a", "b", "c"] { try storage.apply([Self.put(name, 7, count: 20)]) }
        let file = store.appendingPathComponent("entitlements.store")
        var bytes = try Data(contentsOf: file)
        let last = try #require(bytes.lastIndex { $0 != 0 })
        bytes[last - 2] ^= 1
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    @Test(.timeLimit(.hanging), arguments: Story.allCases)
    func keepsWhatWasAcknowledged_whereverThePowerFails(story: Story) throws {
        let directory = TemporaryDirectory()
        let (crashes, states) = try crashes(story, in: directory.url)
        let aside = "app/store/entitlements.damaged"
        let damaged = try? Data(contentsOf: directory.url.appendingPathComponent(aside))
        #expect((damaged != nil) == (story == .damaged))
        for (number, crash) in crashes.enumerated() {
            let folder = TemporaryDirectory()
            try SimulatedDisk.restore(crash.image, to: folder.url)
            let note: Comment = "\(story), after \(crash.done) steps, image \(number)"
            let log = FileStorage(directory: Self.store(folder.url), flushes: false)
            var left = try Self.open(story, in: folder.url, log).contents()
            #expect(states[crash.done...].prefix(2).contains(left), note)
            // The copy of a damaged log has all of its bytes, and exists once another log has replaced the original.
            if let copy = crash.image[aside] ?? nil { #expect(copy == damaged, note) }
            if story == .damaged, crash.done > 0 { #expect(crash.image[aside] != nil, note) }
            if story == .removed, crash.done >= Self.removal {
                #expect(try !Self.store(folder.url).holds(Self.secret), note)
            }
            // The next process writes.
            let later = FileStorage(directory: Self.store(folder.url), flushes: false)
            try Self.open(story, in: folder.url, later).apply([Self.put("later", 9)])
            left.apply(Self.put("later", 9))
            #expect(try Self.open(story, in: folder.url, log).contents() == left, note)
            _ = try later.damage()
            #expect(try FileStorage(directory: Self.store(folder.url)).damage() == nil, note)
        }
        #expect(crashes.count > 20)
    }

    /// Another process may have created the folder, the log or the key, and ended before their names were flushed.
    @Test func aRecordIsAcknowledged_afterNamesThatOthersMade() throws {
        let directory = TemporaryDirectory()
        let keys = directory.url.appendingPathComponent("keys")
        func open(_ system: StorageSystem) -> SealedStorage {
            .file(FileStorage(directory: directory.store, system: system), FileStorage.sealingKey(in: keys))
        }
        try open(StorageSystem()).apply([Self.put("a", 1)])
        let paths = Guarded<[Int32: String]>([:])
        let flushed = Guarded<Set<String>>([])
        let system = StorageSystem(effect: { effect in
            switch effect {
            case .opened(let path, let descriptor): paths.withLock { $0[descriptor] = path }
            case .flushed(let descriptor):
                let path = paths.withLock { $0[descriptor] }
                flushed.withLock { _ = $0.insert(path ?? "") }
            default: break
            }
        })
        try open(system).apply([Self.put("b", 2)])
        for folder in [directory.url, directory.store, keys] {
            #expect(flushed.withLock(\.self).contains(folder.path), "\(folder.lastPathComponent)")
        }
    }

    /// The simulated disk accepts every flush, so the call itself is tested too.
    ///
    /// The system refuses a flush of a descriptor that is not open.
    @Test func aFlush_asksTheSystem() {
        #expect(throws: StorageError.cannotWrite(errno: EBADF)) { try StorageSystem().flush(-1) }
    }
}
