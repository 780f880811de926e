import Foundation
import TVEModels
import Testing

struct WholeFileTests {
    /// A file whose name is not on the medium is gone after a power failure, for example with the key of a store.
    @Test(arguments: [0, EIO]) func aNewFile_isThere_onlyIfItsNameIsOnTheMedium(number: Int32) throws {
        let directory = FileManager.default.temporaryDirectory
        let file = directory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        var flushed: [String] = []
        let result = WholeFile.create(file.path, Data([1])) { path in
            flushed.append(path)
            return number
        }
        #expect(result == number)
        #expect(flushed == [(file.path as NSString).deletingLastPathComponent])
        #expect(FileManager.default.fileExists(atPath: file.path) == (number == 0))
    }

    @Test func aReplacedFile_isThatOfItsOwner_andNothingIsLeftBesideIt() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let directory = folder.appendingPathComponent("directory")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("file")
        try Data([1]).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        #expect(WholeFile.replace(file.path, Data([2, 3])) == 0)
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        // A file that is there is not created, and a directory is not replaced by a file.
        #expect(WholeFile.create(file.path, Data([4])) == EEXIST)
        #expect(WholeFile.replace(directory.path, Data([5])) == EISDIR)
        #expect(try Data(contentsOf: file) == Data([2, 3]))
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["directory", "file"])
    }

    @Test(
        arguments: [
            ("a.6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "a"), ("a.b.6ba7b810-9dad-11d1-80b4-00c04fd430c8", "a.b"),
            (".6BA7B810-9DAD-11D1-80B4-00C04FD430C8", nil), ("6BA7B810-9DAD-11D1-80B4-00C04FD430C8", nil),
            ("a-6BA7B810-9DAD-11D1-80B4-00C04FD430C8", nil), ("a.6BA7B810-9DAD-11D1-80B4-00C04FD430CX", nil),
            ("a.6BA7B810-9DAD-11D1-80B4-00C04FD430C8.b", nil), ("a", nil), ("", nil),
        ] as [(String, String?)])
    func aTemporaryName_namesItsDestination(name: String, destination: String?) {
        #expect(WholeFile.destination(ofTemporary: name) == destination)
    }

    @Test func theNamesOfADirectory_areFlushed() {
        #expect(WholeFile.flushNames(in: FileManager.default.temporaryDirectory.path) == 0)
        #expect(WholeFile.flushNames(in: "/dev/null") == ENOTDIR)
    }
}
