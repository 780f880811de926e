import Foundation
import TVEStorage
import Testing

struct FileStorageTests {
    private let directory: TemporaryDirectory
    private let key = StorageKey("a")

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func storage() -> FileStorage { FileStorage(directory: directory.store) }

    private func mode(_ url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func createsNothing_beforeTheFirstWrite() throws {
        #expect(try storage().value(for: key) == nil)
        #expect(!FileManager.default.fileExists(atPath: directory.store.path))
    }

    @Test func keepsFilesToTheOwner() throws {
        try storage().apply([.put(key, Data([1]))])
        #expect(try mode(directory.store) == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.store.path) {
            #expect(try mode(directory.store.appendingPathComponent(name)) == 0o600, "\(name)")
        }
    }

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

    /// Three batches, so that there is a good beginning before most places.
    private func writeThreeBatches() throws -> Data {
        let storage = storage()
        try storage.apply([.put(key, Data([1, 2, 3])), .put(StorageKey("b"), Data())])
        try storage.apply([.put(key, Data([4]))])
        try storage.apply([.remove(StorageKey("b")), .put(StorageKey("c"), Data([5]))])
        return try Data(contentsOf: directory.file)
    }

    /// What a log holds that ends after so many whole batches.
    private static let states: [[StorageKey: Data]] = [
        [:], [StorageKey("a"): Data([1, 2, 3]), StorageKey("b"): Data()],
        [StorageKey("a"): Data([4]), StorageKey("b"): Data()],
        [StorageKey("a"): Data([4]), StorageKey("c"): Data([5])],
    ]

    private func contents() throws -> [StorageKey: Data] {
        let storage = storage()
        var values: [StorageKey: Data] = [:]
        for name in ["a", "b", "c"] { values[StorageKey(name)] = try storage.value(for: StorageKey(name)) }
        return values
    }

    /// Not one wrong byte: a value is what was put last, or it is refused, or the damage is reported and what stood before it is served.
    @Test func servesNoChangedByte_andReportsEveryOneThatMatters() throws {
        let good = try writeThreeBatches()
        let names = [StorageKey("a"), StorageKey("b"), StorageKey("c")]
        var (refused, reported) = (0, 0)
        for index in 0..<(try directory.records().count + 40) {
            try directory.flip(index, 0x40)
            defer { try? overwrite(good) }
            if index < 16 {
                let storage = self.storage()
                #expect(throws: StorageError.damaged(.checksum), "byte \(index)") { try storage.value(for: key) }
                #expect(throws: StorageError.self, "byte \(index)") { try storage.apply([.put(key, Data())]) }
                continue
            }
            let storage = self.storage()
            let values = names.map { name in Result { () throws(StorageError) in try storage.value(for: name) } }
            let wrong = zip(names, values).filter { $1 != .success(Self.states[3][$0]) }
            if wrong.isEmpty {
                // A byte of a value that is no longer there, or one behind the records.
                reported += try storage.damage() == nil ? 0 : 1
            } else if wrong.allSatisfy({ $1 == .failure(.invalidValue($0)) }) {
                refused += 1
            } else {
                let served = Dictionary(uniqueKeysWithValues: zip(names, values.map { try? $0.get() }))
                    .compactMapValues(\.self)
                #expect(Self.states.dropLast().contains(served), "byte \(index)")
                #expect(try storage.damage() != nil, "byte \(index)")
                reported += 1
            }
        }
        #expect(refused > 0 && reported > 60)
        try overwrite(good)
        #expect(try storage().damage() == nil)
        #expect(try contents() == Self.states[3])
    }

    /// Compaction gave a changed byte a good checksum once.
    @Test func keepsADamagedValueDamaged_whenTheLogIsRewritten() throws {
        let storage = storage()
        let secret = Data("value of a".utf8)
        try storage.apply([.put(key, secret)])
        try storage.apply([.put(StorageKey("b"), Data([2]))])
        let place = try #require(try directory.records().range(of: secret)).lowerBound
        try directory.flip(place)
        for _ in 0..<2 {
            #expect(throws: StorageError.invalidValue(key)) { try self.storage().value(for: key) }
            #expect(throws: StorageError.invalidValue(key)) { try storage.value(for: key) }
            #expect(try storage.rawValue(for: key)?.dropFirst() == secret.dropFirst())
            #expect(try self.storage().value(for: StorageKey("b")) == Data([2]))
            // Removing for good rewrites the log.
            try storage.apply([.put(StorageKey("x"), Data([1]))])
            try storage.apply([.removeAll(under: StorageKey("x"))])
        }
        try storage.apply([.put(key, secret)])
        #expect(try self.storage().value(for: key) == secret)
    }

    @Test func keepsTheGoodBeginning_ofEveryTruncation() throws {
        let good = try writeThreeBatches()
        var seen = 0
        // Where the records end, and a little further into the zeros.
        let end = try directory.records().count
        for length in 0..<(end + 20) {
            try overwrite(good.prefix(length))
            guard length >= 16 else {
                #expect(throws: StorageError.damaged(.truncated), "length \(length)") { try storage().value(for: key) }
                continue
            }
            let values = try contents()
            #expect(try storage().damage() == .truncated, "length \(length)")
            let state = try #require(Self.states.firstIndex(of: values), "length \(length)")
            #expect((state == 3) == (length >= end))
            #expect(state >= seen)
            seen = state
            // What is written next follows the good beginning, and nothing of the torn record comes back.
            try storage().apply([.put(StorageKey("d"), Data([6]))])
            #expect(try contents() == values)
            #expect(try storage().value(for: StorageKey("d")) == Data([6]))
            #expect(try storage().damage() == nil)
        }
        #expect(seen == 3)
    }

    /// Pages of a file reach the medium in any order; a record whose end is missing was never acknowledged.
    @Test func tellsARecordThatWasNeverFinished_fromOneThatWasDamaged() throws {
        try storage().apply([.put(key, Data([1]))])
        let start = try directory.records().count
        try storage().apply([.put(StorageKey("b"), Data(repeating: 7, count: 300))])
        let end = try directory.records().count
        let good = try Data(contentsOf: directory.file)
        for cut in [start + 13, start + 100, end - 1] {
            var torn = good
            torn.replaceSubrange(cut..<end, with: Data(count: end - cut))
            try overwrite(torn)
            #expect(try storage().damage() == .truncated)
            #expect(try storage().value(for: key) == Data([1]))
            try storage().apply([.put(StorageKey("c"), Data([3]))])
            #expect(try storage().damage() == nil && storage().value(for: key) == Data([1]))
            #expect(
                !FileManager.default.fileExists(
                    atPath: directory.store.appendingPathComponent("entitlements.damaged").path))
        }
        try overwrite(good)
        try directory.flip(start + 200)
        #expect(try storage().damage() == .checksum)
        #expect(try storage().value(for: StorageKey("b")) == nil && storage().value(for: key) == Data([1]))
    }

    @Test func keepsADamagedLogAside_beforeItWritesOn() throws {
        var bad = try writeThreeBatches()
        bad[64 + 9] ^= 1
        try overwrite(bad)
        let values = try contents()
        try storage().apply([.put(StorageKey("d"), Data([6]))])
        #expect(try contents() == values)
        #expect(try storage().damage() == nil)
        #expect(try Data(contentsOf: directory.store.appendingPathComponent("entitlements.damaged")) == bad)
    }

    /// Version 4 and its CRC-32C, computed with another implementation.
    static let newerVersion: [UInt8] = [4, 0, 0, 0] + [0xBC, 0x9E, 0xE2, 0xBF]

    /// What looks damaged to a handle may have been a record that was just being written.
    @Test func looksAgain_beforeItPutsDamageAside() throws {
        let good = try writeThreeBatches()
        var bad = good
        bad[try directory.records().count - 2] ^= 1
        try overwrite(bad)
        let storage = storage()
        #expect(try storage.value(for: StorageKey("c")) == nil)
        try overwrite(good)
        try storage.apply([.put(StorageKey("d"), Data([6]))])
        #expect(try contents() == Self.states[3])
        #expect(
            try !FileManager.default.contentsOfDirectory(atPath: directory.store.path).contains("entitlements.damaged"))
    }

    @Test func tellsOnce_thatAWriteHasPutDamageAside() throws {
        var bad = try writeThreeBatches()
        bad[64 + 9] ^= 1
        try overwrite(bad)
        let storage = storage()
        try storage.apply([.put(StorageKey("d"), Data([6]))])
        #expect(try storage.damage() == .checksum)
        #expect(try storage.damage() == nil)
    }

    @Test func leavesNoBytesInTheFile_ofWhatWasRemovedAsAWhole() throws {
        let secret = Data("a secret token".utf8)
        try storage().apply([.put(StorageKey("requestor", "P"), secret), .put(key, Data([1]))])
        try storage().apply([.removeAll(under: StorageKey("requestor"))])
        #expect(try Data(contentsOf: directory.file).range(of: secret) == nil)
        #expect(try storage().value(for: key) == Data([1]))
    }

    @Test func refusesANewerLayout_andLeavesItAlone() throws {
        let newer = Data("TVESTORE".utf8) + Self.newerVersion
        try storage().apply([.put(key, Data())])
        try overwrite(newer)
        #expect(throws: StorageError.unknownLayout) { try storage().value(for: key) }
        #expect(throws: StorageError.unknownLayout) { try storage().apply([.removeAll(under: key)]) }
        #expect(try Data(contentsOf: directory.file) == newer)
    }

    @Test func refusesWhatIsNoFile() throws {
        try FileManager.default.createDirectory(
            at: directory.file, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        #expect(throws: StorageError.notAFile) { try storage().value(for: key) }
        #expect(throws: StorageError.notAFile) { try storage().apply([.put(key, Data())]) }
    }

    @Test func doesNotFollowALink() throws {
        try storage().apply([.put(key, Data([1]))])
        let elsewhere = directory.url.appendingPathComponent("elsewhere")
        try FileManager.default.moveItem(at: directory.file, to: elsewhere)
        try FileManager.default.createSymbolicLink(at: directory.file, withDestinationURL: elsewhere)
        #expect(throws: StorageError.notAFile) { try storage().value(for: key) }
    }

    @Test func refusesWhatOthersMayRead() throws {
        try storage().apply([.put(key, Data([1]))])
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: directory.file.path)
        #expect(throws: StorageError.permissionsTooOpen) { try storage().value(for: key) }
    }

    @Test func refusesADirectoryThatOthersMayEnter() throws {
        try storage().apply([.put(key, Data([1]))])
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.store.path)
        #expect(throws: StorageError.permissionsTooOpen) { try storage().apply([.put(key, Data([2]))]) }
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
        // A directory in the way of the new log makes that fail, whoever runs the test.
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

    @Test func survivesALeftoverOfACrash() throws {
        try storage().apply([.put(key, Data([1]))])
        try FileManager.default.removeItem(at: directory.file)
        try Data([9]).write(to: directory.store.appendingPathComponent("entitlements.store.new"))
        try storage().apply([.put(key, Data([2]))])
        #expect(try storage().value(for: key) == Data([2]))
    }

    @Test func startsAnew_whenTheDirectoryWasRemoved() throws {
        let storage = storage()
        try storage.apply([.put(key, Data([1]))])
        try FileManager.default.removeItem(at: directory.store)
        #expect(try storage.value(for: key) == nil)
        try storage.apply([.put(key, Data([2]))])
        #expect(try self.storage().value(for: key) == Data([2]))
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

    /// With `TVE_LONG_TESTS=1` a hundred megabytes, else three.
    @Test func holdsALargeStore_withKeysAndValuesOfEveryByte() throws {
        let megabytes = ProcessInfo.processInfo.environment["TVE_LONG_TESTS"] == nil ? 3 : 100
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

    @Test func saysThatItCannotWrite_whereADirectoryTakesNothing() throws {
        // Nobody can make a directory below a file, the administrator included.
        let file = directory.url.appendingPathComponent("file")
        try Data().write(to: file)
        let storage = FileStorage(directory: file.appendingPathComponent("store"))
        #expect(throws: StorageError.cannotWrite(errno: ENOTDIR)) { try storage.apply([.put(key, Data([1]))]) }
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
        let lock = open(directory.store.appendingPathComponent("entitlements.lock").path, O_RDWR)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX) == 0)
        let storage = FileStorage(directory: directory.store, patience: 5)
        #expect(throws: StorageError.locked) { try storage.apply([.put(key, Data([2]))]) }
        #expect(try storage.value(for: key) == Data([1]))
    }

    @Test func seesEveryWriteOfAnotherHandle_howeverQuick() throws {
        let writer = storage()
        let reader = storage()
        for number in 0..<200 {
            try writer.apply([.put(key, Data([UInt8(number)]))])
            #expect(try reader.value(for: key) == Data([UInt8(number)]))
        }
    }

    @Test(
        arguments: [
            ("com.example.app", "com.example.app"), ("a/../../b", "a_.._.._b"), (".", "_"), ("..", "__"), ("", "_"),
        ])
    func livesBelowItsOwnName(name: String, folder: String) {
        let path = FileStorage.defaultDirectory(name: name).standardizedFileURL.path
        #expect(path.hasSuffix("/swift-access-enabler/\(folder)"))
    }

    @Test func readsALogOfTheVersionBefore_andWritesItAnew() throws {
        // "a" and "b" put, then "b" removed; made with another implementation of version 2.
        let text =
            "VFZFU1RPUkUCAAAAzoynex8AAACHshTSxGmV7QEBAAAAYQUAAABmaXJzdAEBAAAAYgYAAABzZWNvbmQGAAAAcFBKNFcmUq8CAQAAAGI="
        let old = try #require(Data(base64Encoded: text))
        try storage().apply([.put(key, Data([1]))])
        try overwrite(old)
        #expect(try storage().value(for: key) == Data("first".utf8))
        #expect(try storage().keys(under: .everything) == [key])
        #expect(try storage().damage() == nil)
        try storage().apply([.put(StorageKey("c"), Data([3]))])
        #expect(try storage().value(for: key) == Data("first".utf8))
        #expect(try storage().value(for: StorageKey("c")) == Data([3]))
        #expect(try directory.records()[8] == 3)
    }

    private func overwrite(_ bytes: Data) throws {
        let handle = try FileHandle(forWritingTo: directory.file)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: bytes)
        try handle.close()
    }
}
