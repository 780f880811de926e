import Foundation
import TVEModels
import TVEStorage
import TVETestTraits
import Testing

/// The directory and the files of a store, with the users who may read them and other files in their place.
@Suite(.oneAtATime)
struct FilePlaceTests {
    private let directory = TemporaryDirectory()
    private let key = StorageKey("a")

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

    /// A program that the app starts must not have the open store.
    @Test func keepsItsOpenFiles_fromProgramsThatTheAppStarts() throws {
        let flags = Guarded<[Int32]>([])
        let system = StorageSystem(effect: { effect in
            guard case .opened(_, let descriptor) = effect else { return }
            flags.withLock { $0.append(fcntl(descriptor, F_GETFD)) }
        })
        try FileStorage(directory: directory.store, system: system).apply([.put(key, Data([1]))])
        let found = flags.withLock(\.self)
        #expect(found.count > 2 && found.allSatisfy { $0 >= 0 && $0 & FD_CLOEXEC != 0 })
    }

    @Test func refusesANewerLayout_andLeavesItAlone() throws {
        let newer = Data("TVESTORE".utf8) + Self.newerVersion
        try storage().apply([.put(key, Data())])
        try directory.overwrite(newer)
        #expect(throws: StorageError.unknownLayout) { try storage().value(for: key) }
        #expect(throws: StorageError.unknownLayout) { try storage().apply([.removeAll(under: key)]) }
        #expect(try Data(contentsOf: directory.file) == newer)
    }

    /// Version 4 with its CRC-32C, computed with another implementation.
    static let newerVersion: [UInt8] = [4, 0, 0, 0] + [0xBC, 0x9E, 0xE2, 0xBF]

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

    @Test func refusesADirectoryThatIsALink_alsoForReading() throws {
        try storage().apply([.put(key, Data([1]))])
        let link = directory.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: directory.store)
        let linked = FileStorage(directory: link)
        #expect(throws: StorageError.notAFile) { try linked.value(for: key) }
        #expect(throws: StorageError.notAFile) { try linked.apply([.put(key, Data([2]))]) }
        #expect(try storage().value(for: key) == Data([1]))
        // A store that can never be filled must not look empty.
        try FileManager.default.removeItem(at: directory.file)
        #expect(throws: StorageError.notAFile) { try FileStorage(directory: link).value(for: key) }
    }

    /// A link above the store is the system's or the user's own, as `/tmp` is on macOS.
    @Test(arguments: ["store", "below/store"])
    func aFolderBelowALink_isUsed(path: String) throws {
        let files = FileManager.default
        let real = directory.url.appendingPathComponent("real")
        let link = directory.url.appendingPathComponent("link")
        try files.createDirectory(at: real, withIntermediateDirectories: false)
        try files.createSymbolicLink(at: link, withDestinationURL: real)
        let place = link.appendingPathComponent(path, isDirectory: true)
        // The second one finds the folder, and flushes its name all the same.
        for number: UInt8 in 1...2 {
            try SealedStorage.file(place).apply([.put(key, Data([number]))])
            #expect(try SealedStorage.file(place).value(for: key) == Data([number]))
        }
        let same = SealedStorage.file(real.appendingPathComponent(path, isDirectory: true))
        #expect(try same.value(for: key) == Data([2]))
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

    @Test func saysThatItCannotWrite_whereADirectoryTakesNothing() throws {
        // No user can create a directory below a file, not even the administrator.
        let file = directory.url.appendingPathComponent("file")
        try Data().write(to: file)
        let storage = FileStorage(directory: file.appendingPathComponent("store"))
        #expect(throws: StorageError.cannotWrite(errno: ENOTDIR)) { try storage.apply([.put(key, Data([1]))]) }
    }

    @Test(
        arguments: [
            ("com.example.app", "com.example.app"), ("a/../../b", "a_.._.._b"), (".", "_"), ("..", "__"), ("", "_"),
            // A slash with a combining mark is another `Character`, but still divides a path.
            ("../\u{301}x", ".._\u{301}x"), ("a/\u{301}/../b", "a_\u{301}_.._b"), ("a\0/b", "a__b"),
            ("..\u{301}", "..\u{301}"), ("\0", "_"),
        ])
    func livesBelowItsOwnName(name: String, folder: String) {
        let path = FileStorage.defaultDirectory(name: name).standardizedFileURL.path
        #expect(Array("\(path)/".utf8) == Array("\(Self.places)/\(folder)/".utf8))
    }

    private static let places = FileStorage.defaultDirectory(name: "a").deletingLastPathComponent().path

    @Test func readsALogOfTheVersionBefore_andWritesItAnew() throws {
        let old = try #require(Data(base64Encoded: Self.versionBefore))
        try storage().apply([.put(key, Data([1]))])
        try directory.overwrite(old)
        #expect(try storage().value(for: key) == Data("first".utf8))
        #expect(try storage().keys(under: .everything) == [key])
        #expect(try storage().damage() == nil)
        try storage().apply([.put(StorageKey("c"), Data([3]))])
        #expect(try storage().value(for: key) == Data("first".utf8))
        #expect(try storage().value(for: StorageKey("c")) == Data([3]))
        #expect(try directory.records()[8] == 3)
    }

    @Test func readsALogOfTheVersionBefore_withADamagedHeader() throws {
        var old = try #require(Data(base64Encoded: Self.versionBefore))
        old[0] ^= 1
        try storage().apply([.put(key, Data([1]))])
        try directory.overwrite(old)
        #expect(throws: StorageError.damaged(.checksum)) { try storage().value(for: key) }
        try storage().setAside()
        #expect(try storage().contents() == [key: Data("first".utf8)])
        #expect(try directory.records()[8] == 3)
    }

    /// Another implementation of version 2 put "a" and "b", and then removed "b".
    private static let versionBefore =
        "VFZFU1RPUkUCAAAAzoynex8AAACHshTSxGmV7QEBAAAAYQUAAABmaXJzdAEBAAAAYgYAAABzZWNvbmQGAAAAcFBKNFcmUq8CAQAAAGI="

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
}
