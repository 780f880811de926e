import Foundation
import TVEStorage
import TVETestSupport
import Testing

struct StorageBackendTests {
    @Test func memoryKeepsTheContract() throws {
        let store = MemoryStorage()
        #expect(try StorageConformance.violations(isPersistent: true) { store } == [])
    }

    @Test func fileKeepsTheContract() throws {
        let directory = try TemporaryDirectory()
        let violations = try StorageConformance.violations(isPersistent: true) {
            FileStorage(directory: directory.store)
        }
        #expect(violations == [])
    }

    @Test func conformanceFindsABackendThatForgets() throws {
        let violations = try StorageConformance.violations(isPersistent: true) { MemoryStorage() }
        #expect(violations.contains("Another handle sees what was written."))
    }

    @Test func tellsKeysApart_whateverTheirComponentsHold() {
        #expect(StorageKey("a/b", "c") != StorageKey("a", "b/c"))
        #expect(StorageKey("a%2Fb") != StorageKey("a/b"))
        #expect(StorageKey("a/\u{301}b") != StorageKey("a", "\u{301}b"))
        #expect(StorageKey("a", "b").isInside(StorageKey("a")))
        #expect(!StorageKey("ab").isInside(StorageKey("a")))
    }

    @Test func showsNoResource_whenAKeyIsPrinted() {
        #expect(!"\(StorageKey("requestor", "DEMO", "authz", "Secret Show"))".contains("Secret"))
    }
}
