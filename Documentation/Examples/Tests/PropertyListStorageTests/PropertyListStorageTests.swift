import Foundation
import PropertyListStorage
import TVEStorage
import TVETestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PropertyListStorageTests {
    @Test
    func keepsThePromisesOfABackend() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let violations = try StorageConformance.violations(isPersistent: true) { PropertyListStorage(folder: folder) }
        #expect(violations == [])
    }
}
