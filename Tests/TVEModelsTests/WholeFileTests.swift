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

    @Test func theNamesOfADirectory_areFlushed() {
        #expect(WholeFile.flushNames(in: FileManager.default.temporaryDirectory.path) == 0)
        #expect(WholeFile.flushNames(in: "/dev/null") == ENOTDIR)
    }
}
