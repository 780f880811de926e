import Foundation
import TVEStorage
import TVETestTraits
import Testing

/// The values that can still be read from a log with changed, missing or incomplete bytes.
@Suite(.oneAtATime)
struct FileDamageTests {
    private let directory = TemporaryDirectory()
    private let key = StorageKey("a")

    private var aside: URL { directory.store.appendingPathComponent("entitlements.damaged") }

    private func storage() -> FileStorage { FileStorage(directory: directory.store) }

    /// Writes three batches, so that most offsets have an intact beginning before them.
    private func writeThreeBatches() throws -> Data {
        let storage = storage()
        try storage.apply([.put(key, Data([1, 2, 3])), .put(StorageKey("b"), Data())])
        try storage.apply([.put(key, Data([4]))])
        try storage.apply([.remove(StorageKey("b")), .put(StorageKey("c"), Data([5]))])
        return try Data(contentsOf: directory.file)
    }

    /// The contents of a log that ends after a number of complete batches.
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

    /// No wrong byte is ever returned.
    ///
    /// Either a value is the one that was put last, or it is refused, or the damage is reported and the values before
    /// it are readable.
    @Test func servesNoChangedByte_andReportsEveryOneThatMatters() throws {
        let good = try writeThreeBatches()
        let names = [StorageKey("a"), StorageKey("b"), StorageKey("c")]
        var refused = 0
        var reported = 0
        for index in 0..<(try directory.records().count + 40) {
            try directory.flip(index, 0x40)
            defer { try? directory.overwrite(good) }
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
                // The byte belongs to a removed value, or follows the records.
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
        try directory.overwrite(good)
        #expect(try storage().damage() == nil)
        #expect(try contents() == Self.states[3])
    }

    /// In an earlier version, compaction gave a changed byte a valid checksum.
    @Test(arguments: [false, true]) func keepsADamagedValueDamaged_whenTheLogIsRewritten(isLast: Bool) throws {
        let storage = storage()
        let secret = Data("value of a".utf8)
        let values = [StorageChange.put(key, secret), .put(StorageKey("b"), Data([2]))]
        for value in isLast ? values.reversed() : values { try storage.apply([value]) }
        // The rewritten log contains nothing of this later record.
        try storage.apply([.put(StorageKey("y"), Data([3]))])
        try storage.apply([.remove(StorageKey("y"))])
        let place = try #require(try directory.records().range(of: secret)).lowerBound
        try directory.flip(place)
        for _ in 0..<2 {
            #expect(throws: StorageError.invalidValue(key)) { try self.storage().value(for: key) }
            #expect(throws: StorageError.invalidValue(key)) { try storage.value(for: key) }
            #expect(try storage.rawValue(for: key)?.dropFirst() == secret.dropFirst())
            #expect(try self.storage().value(for: StorageKey("b")) == Data([2]))
            // Permanent removal rewrites the log.
            try storage.apply([.put(StorageKey("x"), Data([1]))])
            try storage.apply([.removeAll(under: StorageKey("x"))])
        }
        try storage.apply([.put(key, secret)])
        #expect(try self.storage().value(for: key) == secret)
    }

    /// A call for several values verifies each of them.
    @Test func refusesADamagedValue_amongSeveral() throws {
        let keys = ["a", "b", "c"].map { StorageKey($0) }
        let values = (0..<3).map { Data(repeating: UInt8(65 + $0), count: 40) }
        try storage().apply(zip(keys, values).map { .put($0, $1) })
        try storage().apply([.put(StorageKey("d"), Data([1]))])
        let good = try Data(contentsOf: directory.file)
        for (number, value) in values.enumerated() {
            try directory.flip(try #require(directory.records().range(of: value)).lowerBound + 20)
            let storage = storage()
            var expected: [Result<Data?, StorageError>] = values.map { .success($0) }
            expected[number] = .failure(.invalidValue(keys[number]))
            #expect(try storage.values(for: keys) == expected)
            #expect(try storage.values(for: [keys[number]]) == [expected[number]])
            try directory.overwrite(good)
        }
    }

    @Test func keepsTheGoodBeginning_ofEveryTruncation() throws {
        let good = try writeThreeBatches()
        var seen = 0
        // The loop ends some bytes after the end of the records, in the zeros.
        let end = try directory.records().count
        for length in 0..<(end + 20) {
            try directory.overwrite(good.prefix(length))
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
            // The next record follows the intact beginning, and nothing of the incomplete record returns.
            try storage().apply([.put(StorageKey("d"), Data([6]))])
            #expect(try contents() == values)
            #expect(try storage().value(for: StorageKey("d")) == Data([6]))
            #expect(try storage().damage() == nil)
        }
        #expect(seen == 3)
    }

    /// Pages of a file reach the medium in any order, so a record without an end was never acknowledged.
    @Test func tellsARecordThatWasNeverFinished_fromOneThatWasDamaged() throws {
        try storage().apply([.put(key, Data([1]))])
        let start = try directory.records().count
        try storage().apply([.put(StorageKey("b"), Data(repeating: 7, count: 300))])
        let end = try directory.records().count
        let good = try Data(contentsOf: directory.file)
        for cut in [start + 13, start + 100, end - 1] {
            var torn = good
            torn.replaceSubrange(cut..<end, with: Data(count: end - cut))
            try directory.overwrite(torn)
            #expect(try storage().damage() == .truncated)
            #expect(try storage().value(for: key) == Data([1]))
            try storage().apply([.put(StorageKey("c"), Data([3]))])
            #expect(try storage().damage() == nil && storage().value(for: key) == Data([1]))
            #expect(!FileManager.default.fileExists(atPath: aside.path))
        }
        try directory.overwrite(good)
        try directory.flip(start + 200)
        #expect(try storage().damage() == .checksum)
        #expect(try storage().value(for: StorageKey("b")) == nil && storage().value(for: key) == Data([1]))
    }

    @Test func keepsADamagedLogAside_beforeItWritesOn() throws {
        var bad = try writeThreeBatches()
        bad[64 + 9] ^= 1
        try directory.overwrite(bad)
        let values = try contents()
        try storage().apply([.put(StorageKey("d"), Data([6]))])
        #expect(try contents() == values)
        #expect(try storage().damage() == nil)
        #expect(try Data(contentsOf: aside) == bad)
    }

    /// A handle may mistake a record that is being written for damage.
    @Test func looksAgain_beforeItPutsDamageAside() throws {
        let good = try writeThreeBatches()
        var bad = good
        bad[try directory.records().count - 2] ^= 1
        try directory.overwrite(bad)
        let storage = storage()
        #expect(try storage.value(for: StorageKey("c")) == nil)
        try directory.overwrite(good)
        try storage.apply([.put(StorageKey("d"), Data([6]))])
        #expect(try contents() == Self.states[3])
        #expect(!FileManager.default.fileExists(atPath: aside.path))
    }

    /// Another log was copied over the file, and the part that this handle has read ends inside one of its records.
    @Test func looksFromTheBeginning_beforeItPutsDamageAside() throws {
        let storage = storage()
        try storage.apply([.put(key, Data([1]))])
        #expect(try storage.value(for: key) == Data([1]))
        let other = TemporaryDirectory()
        let long = Data(repeating: 7, count: 300)
        try FileStorage(directory: other.store).apply([.put(key, long)])
        try directory.overwrite(try Data(contentsOf: other.file))
        try storage.apply([.put(StorageKey("d"), Data([6]))])
        #expect(try self.storage().value(for: key) == long)
        #expect(!FileManager.default.fileExists(atPath: aside.path))
    }

    /// Bytes that no writer wrote follow the last record, or the zeros after it.
    @Test(arguments: [false, true], [20, 4_096, 300_000])
    func keepsEveryRecord_andSetsAsideWhatFollowsThem(isAppended: Bool, count: Int) throws {
        let good = try writeThreeBatches()
        let place = try isAppended ? good.count : directory.records().count
        var bad = Data(good.prefix(place))
        bad.append(Data(repeating: 0xAA, count: count))
        bad.append(good.dropFirst(place + count))
        try directory.overwrite(bad)
        // This handle reads the log more than once before it writes.
        let storage = storage()
        #expect(try storage.value(for: StorageKey("c")) == Data([5]))
        #expect(try storage.damage() == .checksum)
        try storage.apply([.put(StorageKey("d"), Data([6]))])
        #expect(try contents() == Self.states[3])
        #expect(try self.storage().value(for: StorageKey("d")) == Data([6]))
        #expect(try self.storage().damage() == nil)
        #expect(try Data(contentsOf: aside) == bad)
    }

    /// A hole in a file can have any length.
    @Test(.timeLimit(.hanging)) func readsAndCopiesOnlyAPart_ofATailWithoutEnd() throws {
        _ = try writeThreeBatches()
        let handle = try FileHandle(forUpdating: directory.file)
        try handle.seek(toOffset: 1 << 40)
        try handle.write(contentsOf: Data([1]))
        try handle.close()
        let storage = storage()
        #expect(try storage.damage() == .checksum)
        try storage.apply([.put(StorageKey("d"), Data([6]))])
        #expect(try contents() == Self.states[3])
        #expect(try self.storage().damage() == nil)
        let size = try FileManager.default.attributesOfItem(atPath: aside.path)[.size] as? Int
        #expect(try #require(size) < 300 << 20)
    }

    /// The old log remains in use, and neither a new one nor a copy is left.
    @Test func aRepairThatFails_leavesNoFile() throws {
        let good = try writeThreeBatches()
        try directory.overwrite(good + Data(repeating: 0xAA, count: 4_096))
        let failing = FileStorage(
            directory: directory.store, system: StorageSystem(fault: { $0 == .rename ? .error(EIO) : nil }))
        #expect(throws: StorageError.cannotWrite(errno: EIO)) { try failing.apply([.remove(key)]) }
        #expect(try contents() == Self.states[3])
        #expect(
            try Set(FileManager.default.contentsOfDirectory(atPath: directory.store.path)) == [
                "entitlements.store", "entitlements.lock",
            ])
    }

    /// The other handle has read the log before the bytes came, and writes before the repair and after it.
    @Test func aRepair_losesNothingThatOthersWrite() throws {
        let others = self.storage()
        for name in ["a", "b"] { try others.apply([.put(StorageKey(name), Data([1]))]) }
        try directory.overwrite(try Data(contentsOf: directory.file) + Data(repeating: 0xAA, count: 4_096))
        let storage = storage()
        #expect(try storage.damage() == .checksum)
        try others.apply([.put(StorageKey("c"), Data([2]))])
        #expect(try storage.probe())
        try others.apply([.put(StorageKey("b"), Data([3]))])
        let expected = [key: Data([1]), StorageKey("b"): Data([3]), StorageKey("c"): Data([2])]
        #expect(try contents() == expected)
        #expect(try storage.contents() == expected && others.contents() == expected)
        #expect(try self.storage().damage() == nil)
        #expect(try Data(contentsOf: aside).suffix(4_096) == Data(repeating: 0xAA, count: 4_096))
    }

    /// The header contains nothing that the records need.
    @Test func keepsEveryRecord_ofALogWithADamagedHeader() throws {
        let good = try writeThreeBatches()
        for index in 0..<16 {
            try directory.overwrite(good)
            try directory.flip(index)
            let bad = try Data(contentsOf: directory.file)
            let storage = storage()
            #expect(throws: StorageError.damaged(.checksum), "byte \(index)") { try storage.value(for: key) }
            try storage.setAside()
            #expect(try storage.contents() == Self.states[3] && contents() == Self.states[3], "byte \(index)")
            #expect(try self.storage().damage() == nil)
            #expect(try Data(contentsOf: aside) == bad)
        }
    }

    /// A removal may have stood in what follows the damage.
    @Test func keepsNothingAfterADamagedRecord_ofALogWithADamagedHeader() throws {
        var starts = [64]
        for name in ["a", "b", "c"] {
            try storage().apply([.put(StorageKey(name), Data([7]))])
            starts.append(try directory.records().count)
        }
        let good = try Data(contentsOf: directory.file)
        for number in 0..<3 {
            try directory.overwrite(good)
            try directory.flip(0)
            try directory.flip(starts[number] + 9)
            let bad = try Data(contentsOf: directory.file)
            try storage().setAside()
            #expect(try storage().keys(under: .everything) == ["a", "b", "c"].prefix(number).map { StorageKey($0) })
            #expect(try storage().damage() == nil)
            #expect(try Data(contentsOf: aside) == bad)
        }
    }

    /// A second report would make a later check remove what was stored since the first one.
    @Test func doesNotReportDamageAgain_thatWasReportedBeforeAWritePutItAside() throws {
        let good = try writeThreeBatches()
        let storage = storage()
        for _ in 0..<2 {
            try directory.overwrite(good + Data(repeating: 0xAA, count: 4_096))
            #expect(try storage.damage() == .checksum)
            #expect(try storage.probe())
            #expect(try storage.damage() == nil)
        }
    }

    @Test func tellsOnce_thatAWriteHasPutDamageAside() throws {
        var bad = try writeThreeBatches()
        bad[64 + 9] ^= 1
        try directory.overwrite(bad)
        let storage = storage()
        try storage.apply([.put(StorageKey("d"), Data([6]))])
        #expect(try storage.damage() == .checksum)
        #expect(try storage.damage() == nil)
    }
}
