import Foundation
import TVEModels
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.oneAtATime, .timeLimit(.hanging))
struct FileStorageTests {
    private let directory = TemporaryDirectory()
    private let key = StorageKey("a")

    private func storage() -> FileStorage { FileStorage(directory: directory.store) }

    @Test func losesNoWrite_ofTwoHandlesAtOnce() async throws {
        let handles = [storage(), storage()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<10 {
                        try handles[task % 2].apply([.put(StorageKey("\(task)", "\(number)"), Data([UInt8(number)]))])
                    }
                }
            }
            try await group.waitForAll()
        }
        for task in 0..<8 {
            #expect(try handles[0].keys(under: StorageKey("\(task)")).count == 10)
            #expect(try handles[1].keys(under: StorageKey("\(task)")).count == 10)
        }
    }

    @Test func leavesNoBytesInTheFile_ofWhatWasRemovedAsAWhole() throws {
        let secret = Data("a secret token".utf8)
        try storage().apply([.put(StorageKey("requestor", "P"), secret), .put(key, Data([1]))])
        try storage().apply([.removeAll(under: StorageKey("requestor"))])
        #expect(try Data(contentsOf: directory.file).range(of: secret) == nil)
        #expect(try storage().value(for: key) == Data([1]))
    }

    @Test func keepsTheLogShort_andAllValues() throws {
        let storage = storage()
        let value = Data(repeating: 7, count: 900)
        for round in 0..<200 {
            try storage.apply([.put(StorageKey("\(round % 10)"), value + [UInt8(round)])])
        }
        let length = try Data(contentsOf: directory.file).count
        #expect(length <= 32 << 10)
        for number in 0..<10 {
            #expect(try storage.value(for: StorageKey("\(number)")) == value + [UInt8(190 + number)])
            #expect(try self.storage().value(for: StorageKey("\(number)")) == value + [UInt8(190 + number)])
        }
    }

    @Test func goesOn_whenTheLogCannotBeMadeShorter() throws {
        let storage = storage()
        try storage.apply([.put(key, Data([1]))])
        // A directory in the place of the new log makes the rewrite fail for every user.
        let obstacle = directory.store.appendingPathComponent("entitlements.store.new/x")
        try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
        for number in 0..<100 { try storage.apply([.put(key, Data(repeating: UInt8(number), count: 1_000))]) }
        #expect(try self.storage().value(for: key) == Data(repeating: 99, count: 1_000))
    }

    @Test func keepsReading_whileAnotherHandleMakesTheLogShorter() throws {
        let writer = storage()
        let reader = storage()
        for number in 0..<300 {
            try writer.apply([.put(key, Data(repeating: UInt8(truncatingIfNeeded: number), count: 500))])
            #expect(try reader.value(for: key) == Data(repeating: UInt8(truncatingIfNeeded: number), count: 500))
        }
    }

    @Test func writesManyBatchesOfManyThreads_andEachIsThere() async throws {
        let storage = storage()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<50 {
                        try storage.apply([.putIfAbsent(StorageKey("\(number)"), Data([UInt8(task)]))])
                        try storage.apply([.put(StorageKey("own", "\(task)", "\(number)"), Data([UInt8(number)]))])
                    }
                }
            }
            try await group.waitForAll()
        }
        let reopened = self.storage()
        #expect(try reopened.keys(under: StorageKey("own")).count == 400)
        for number in 0..<50 {
            #expect(try reopened.value(for: StorageKey("\(number)")) == storage.value(for: StorageKey("\(number)")))
        }
    }

    /// The store has a hundred megabytes with `TVE_LONG_TESTS=1`, and three otherwise.
    @Test func holdsALargeStore_withKeysAndValuesOfEveryByte() throws {
        let megabytes = LongTests.areOn ? 100 : 3
        let storage = FileStorage(directory: directory.store, flushes: false)
        func value(_ number: Int) -> Data {
            Data((0..<256).map { UInt8(truncatingIfNeeded: $0 &+ number) })
                + Data(repeating: UInt8(number & 255), count: 1 << 20)
        }
        func name(_ number: Int) -> StorageKey {
            StorageKey("large", String(UnicodeScalar(UInt8(number & 127))), "\(number)")
        }
        for number in 0..<megabytes { try storage.apply([.put(name(number), value(number))]) }
        let reopened = self.storage()
        #expect(try reopened.keys(under: StorageKey("large")).count == megabytes)
        for number in 0..<megabytes { #expect(try reopened.value(for: name(number)) == value(number)) }
        #expect(try reopened.damage() == nil)
    }

    @Test func makesAllOfABatchOrNothing_whenItIsTooLarge() throws {
        let storage = storage()
        try storage.apply([.put(key, Data([1]))])
        let large = Data(count: 129 << 20)
        #expect(throws: StorageError.tooLarge(limit: 256 << 20)) {
            try storage.apply([.put(key, Data([2])), .put(StorageKey("b"), large), .put(StorageKey("c"), large)])
        }
        #expect(try storage.value(for: key) == Data([1]))
    }

    @Test func givesUp_whenAnotherProcessKeepsTheLock() throws {
        try storage().apply([.put(key, Data([1]))])
        let lock = unsafe open(directory.store.appendingPathComponent("entitlements.lock").path, O_RDWR)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX) == 0)
        let storage = FileStorage(directory: directory.store, patience: 5)
        #expect(throws: StorageError.locked) { try storage.apply([.put(key, Data([2]))]) }
        #expect(try storage.value(for: key) == Data([1]))
    }

    /// On a busy machine or a slow medium, an attempt takes longer than the pause after it.
    @Test func givesUp_whenItsPatienceIsOver_howeverLongAnAttemptTakes() throws {
        let attempts = Guarded(0)
        let system = StorageSystem { call in
            guard call == .lock else { return nil }
            attempts.withLock { $0 += 1 }
            let end = ContinuousClock.now + .milliseconds(20)
            while ContinuousClock.now < end {}
            return .error(EWOULDBLOCK)
        }
        let storage = FileStorage(directory: directory.store, patience: 100, system: system)
        #expect(throws: StorageError.locked) { try storage.apply([.put(key, Data([1]))]) }
        #expect(attempts.withLock(\.self) <= 6)
    }

    /// The store itself would wait for an hour.
    @Test func givesUpAtOnce_whenTheCallerHasNoPatience() throws {
        let log = FileStorage(directory: directory.store, patience: 3_600_000)
        let sealed = SealedStorage(log, key: .random())
        let brief = BoundedWaitStorage(sealed, waitingAtMost: .milliseconds(1))
        try sealed.apply([.put(key, Data([1]))])
        let lock = unsafe open(directory.store.appendingPathComponent("entitlements.lock").path, O_RDWR)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX) == 0)
        for backend: any StorageBackend in [log, sealed] {
            #expect(throws: StorageError.locked) { try backend.update(patience: .zero) { [key] _ in [.remove(key)] } }
        }
        #expect(throws: StorageError.locked) { try brief.apply([.remove(key)]) }
        #expect(flock(lock, LOCK_UN) == 0)
        // The next write contains none of the updates that were given up.
        try sealed.apply([.put(StorageKey("b"), Data([1]))])
        #expect(try sealed.value(for: key) == Data([1]))
        try brief.update(patience: .zero) { [key] _ in [.put(key, Data([2]))] }
        #expect(try sealed.value(for: key) == Data([2]))
    }

    /// A writer that waits for another process holds no lock that a reader needs.
    @Test func readsWhileAWriteWaits_forAnotherProcessThatKeepsTheLock() async throws {
        try storage().apply([.put(key, Data([1]))])
        let lock = unsafe open(directory.store.appendingPathComponent("entitlements.lock").path, O_RDWR)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX) == 0)
        let hasTried = Guarded(false)
        let system = StorageSystem { call in
            if call == .lock { hasTried.withLock { $0 = true } }
            return nil
        }
        let storage = FileStorage(directory: directory.store, patience: 3_600_000, system: system)
        let (written, line) = AsyncStream<Result<Void, StorageError>>.makeStream()
        let isOver = Guarded(false)
        Thread.detachNewThread { [key] in
            let result: Result<Void, StorageError>
            do throws(StorageError) {
                result = .success(try storage.apply([.put(key, Data([2]))]))
            } catch {
                result = .failure(error)
            }
            isOver.withLock { $0 = true }
            line.yield(result)
        }
        while !hasTried.withLock(\.self), !Task.isCancelled { await Task.shortPause() }
        // Otherwise, each of these reads would wait for as long as the write may take.
        for _ in 0..<1_000 { #expect(try storage.value(for: key) == Data([1])) }
        let hasEnded = isOver.withLock(\.self)
        #expect(!hasEnded)
        #expect(flock(lock, LOCK_UN) == 0)
        try await written.first { _ in true }?.get()
        #expect(try storage.value(for: key) == Data([2]))
    }

    @Test func seesEveryWriteOfAnotherHandle_howeverQuick() throws {
        let writer = storage()
        let reader = storage()
        for number in 0..<200 {
            try writer.apply([.put(key, Data([UInt8(number)]))])
            #expect(try reader.value(for: key) == Data([UInt8(number)]))
        }
    }
}
