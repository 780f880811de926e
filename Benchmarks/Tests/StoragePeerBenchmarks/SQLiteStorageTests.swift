import Foundation
import GRDB
import SQLiteStorage
import Stores
import TVEModels
import TVEStorage
import TVETestSupport
import XCTest

/// The contract of storage backends, for the backend of `Documentation/WritingAStorageBackend.md`.
final class SQLiteStorageTests: XCTestCase {
    private let folder = StorePopulation.folder()

    override func tearDown() {
        try? FileManager.default.removeItem(at: folder)
    }

    private func path(_ name: String) -> URL { folder.appendingPathComponent(name) }

    func testKeepsTheContract() throws {
        let path = path("contract.sqlite").path
        let violations = try StorageConformance.violations(isPersistent: true) {
            do { return try SQLiteStorage(path: path) } catch { return MemoryStorage() }
        }
        XCTAssertEqual(violations, [])
    }

    func testGivesUpAtOnce_whenTheCallerHasNoPatience() throws {
        let path = path("locked.sqlite").path
        let storage = try SQLiteStorage(path: path)
        let key = StorageKey("a")
        try DatabaseQueue(path: path).writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                let time = try ContinuousClock().measure {
                    XCTAssertThrowsError(try storage.update(patience: .zero) { _ in [.remove(key)] }) { error in
                        XCTAssertEqual(error as? StorageError, .locked)
                    }
                }
                // Without a limit, the call waits for five seconds.
                XCTAssertLessThan(time, .seconds(4))
                return .rollback
            }
        }
        try storage.update(patience: .zero) { _ in [.put(key, Data([1]))] }
        XCTAssertEqual(try storage.value(for: key), Data([1]))
    }

    func testMakesARemoval_whileAnotherHandleReads_andErasesItLater() throws {
        let path = path("read.sqlite").path
        let storage = try SQLiteStorage(path: path)
        let key = StorageKey("a")
        let secret = Data("a secret token".utf8)
        try storage.apply([.put(key, secret)])
        try DatabaseQueue(path: path).read { database in
            XCTAssertEqual(try Data.fetchAll(database, sql: "SELECT value FROM entry"), [secret])
            try storage.update(patience: .zero) { _ in [.removeAll(under: key)] }
        }
        XCTAssertNil(try storage.value(for: key))
        try storage.apply([.put(StorageKey("b"), Data([1]))])
        for file in [path, "\(path)-wal"] where FileManager.default.fileExists(atPath: file) {
            XCTAssertNil(try Data(contentsOf: URL(fileURLWithPath: file)).range(of: secret), file)
        }
    }

    func testReportsAMissingFolder_asACauseThatPassesByItself() throws {
        XCTAssertThrowsError(try SQLiteStorage(path: path("missing/store.sqlite").path)) { error in
            XCTAssertEqual(error as? StorageError, .cannotWrite(errno: EACCES))
            XCTAssertEqual((error as? StorageError)?.passesByItself, true)
        }
    }
}
