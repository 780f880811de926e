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

    @Test func reportsEveryChangedByte_andLeavesTheFileAlone() throws {
        try storage().apply([.put(key, Data([1, 2, 3]))])
        let good = try Data(contentsOf: directory.file)
        for index in good.indices {
            var bad = good
            bad[index] ^= 0x40
            try overwrite(bad)
            #expect(throws: StorageError.self, "byte \(index)") { try storage().value(for: key) }
            #expect(throws: StorageError.self, "byte \(index)") { try storage().apply([.put(key, Data())]) }
            #expect(try Data(contentsOf: directory.file) == bad)
        }
        try overwrite(good)
        #expect(try storage().value(for: key) == Data([1, 2, 3]))
    }

    @Test func reportsEveryTruncation() throws {
        try storage().apply([.put(key, Data([1, 2, 3]))])
        let good = try Data(contentsOf: directory.file)
        for length in 0..<good.count {
            try overwrite(good.prefix(length))
            #expect(throws: StorageError.self, "length \(length)") { try storage().value(for: key) }
        }
    }

    @Test func refusesANewerLayout_andLeavesItAlone() throws {
        try storage().apply([.put(key, Data())])
        var bytes = try Data(contentsOf: directory.file)
        bytes[8] = 2
        try overwrite(bytes)
        #expect(throws: StorageError.unknownLayout) { try storage().value(for: key) }
        #expect(throws: StorageError.unknownLayout) { try storage().apply([.removeAll(under: key)]) }
        #expect(try Data(contentsOf: directory.file) == bytes)
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

    @Test func keepsTheOldSnapshot_whenWritingFails() throws {
        try storage().apply([.put(key, Data([1]))])
        // A directory in the way of the new snapshot makes the write fail, whoever runs the test.
        let obstacle = directory.store.appendingPathComponent("entitlements.new/x")
        try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
        #expect(throws: StorageError.self) { try storage().apply([.put(key, Data([2]))]) }
        #expect(try storage().value(for: key) == Data([1]))
    }

    @Test func survivesALeftoverOfACrash() throws {
        try storage().apply([.put(key, Data([1]))])
        try Data([9]).write(to: directory.store.appendingPathComponent("entitlements.new"))
        try storage().apply([.put(key, Data([2]))])
        #expect(try storage().value(for: key) == Data([2]))
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

    @Test(arguments: ["com.example.app", "a/../../b"])
    func livesBelowItsOwnName(name: String) {
        let path = FileStorage.defaultDirectory(name: name).standardizedFileURL.path
        #expect(path.contains("/swift-access-enabler/"))
        #expect(path.hasSuffix(name.replacing("/", with: "_")))
    }

    private func overwrite(_ bytes: Data) throws {
        let handle = try FileHandle(forWritingTo: directory.file)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: bytes)
        try handle.close()
    }
}
