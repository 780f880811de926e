import Foundation
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.fourAtATime)
struct StorageBackendTests {
    @Test func memoryKeepsTheContract() throws {
        let store = MemoryStorage()
        #expect(try StorageConformance.violations(isPersistent: true) { store } == [])
    }

    @Test func fileKeepsTheContract() throws {
        let directory = TemporaryDirectory()
        let violations = try StorageConformance.violations(isPersistent: true) {
            FileStorage(directory: directory.store)
        }
        #expect(violations == [])
    }

    /// Apple's systems have no call that allocates space.
    @Test func fileKeepsTheContract_whereItGrowsWithoutRoomOnTheMedium() throws {
        let directory = TemporaryDirectory()
        let system = StorageSystem(growsByTruncation: true)
        let violations = try StorageConformance.violations(isPersistent: true) {
            FileStorage(directory: directory.store, system: system)
        }
        #expect(violations == [])
    }

    @Test func sealedMemoryKeepsTheContract() throws {
        let sealed = SealedStorage(MemoryStorage(), key: .random())
        #expect(try StorageConformance.violations(isPersistent: true) { sealed } == [])
    }

    @Test func sealedFileKeepsTheContract() throws {
        let directory = TemporaryDirectory()
        let key = SealingKey.random()
        let violations = try StorageConformance.violations(isPersistent: true) {
            SealedStorage(FileStorage(directory: directory.store), key: key)
        }
        #expect(violations == [])
    }

    @Test func userDefaultsKeepTheContract() throws {
        let defaults = TemporaryDefaults()
        let violations = try StorageConformance.violations(isPersistent: true) {
            UserDefaultsStorage(suiteName: defaults.suite)
        }
        #expect(violations == [])
    }

    @Test func userDefaultsWithOneCopyKeepTheContract() throws {
        let defaults = TemporaryDefaults()
        let violations = try StorageConformance.violations(isPersistent: true) {
            UserDefaultsStorage(suiteName: defaults.suite, capacity: 256 << 10, keepsCopy: false)
        }
        #expect(violations == [])
    }

    @Test func pasteboardKeepsTheContract() throws {
        let directory = TemporaryDirectory()
        let violations = try StorageConformance.violations(isPersistent: true) {
            PasteboardStorage(name: "entitlements", generation: .team("T"), boards: directory.store)
        }
        #expect(violations == [])
    }

    @Test func theDefaults_waitForNobodyWithoutALimit() throws {
        let store = LimitedOnly()
        let key = StorageKey("a")
        try store.update(patience: .zero) { _ in [.put(key, Data([1]))] }
        #expect(try store.probe())
        #expect(store.keys(under: .everything) == [key])
        try store.removeEverything()
        #expect(store.keys(under: .everything) == [])
        try store.update(patience: .zero) { _ in [.put(key, Data([1]))] }
        try store.setAside()
        #expect(store.keys(under: .everything) == [])
    }

    /// A store that another process locks for ever, so that an update without a limit of its wait would not return.
    private struct LimitedOnly: StorageBackend {
        private let storage = MemoryStorage()

        func value(for key: StorageKey) -> Data? { storage.value(for: key) }
        func keys(under ancestor: StorageKey) -> [StorageKey] { storage.keys(under: ancestor) }

        func update(
            _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
        ) throws(StorageError) {
            throw .locked
        }

        func update(
            patience: Duration,
            _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
        ) throws(StorageError) {
            try storage.update(body)
        }
    }

    @Test func tellsKeysApart_whateverTheirComponentsHold() {
        #expect(StorageKey("a/b", "c") != StorageKey("a", "b/c"))
        #expect(StorageKey("a%2Fb") != StorageKey("a/b"))
        #expect(StorageKey("a/\u{301}b") != StorageKey("a", "\u{301}b"))
        #expect(StorageKey("a", "b").isInside(StorageKey("a")))
        #expect(!StorageKey("ab").isInside(StorageKey("a")))
    }

    /// The letter `é` is one scalar in the first key and two in the second.
    ///
    /// They look the same, but a seal distinguishes them.
    @Test func tellsKeysApart_thatOnlyLookTheSame() throws {
        let composed = StorageKey("caf\u{E9}")
        let decomposed = StorageKey("cafe\u{301}")
        #expect(composed != decomposed && Set([composed, decomposed]).count == 2)
        let directory = TemporaryDirectory()
        let storage = SealedStorage(FileStorage(directory: directory.store), key: .random())
        try storage.apply([.put(composed, Data([1])), .put(decomposed, Data([2]))])
        #expect(try storage.value(for: composed) == Data([1]))
        #expect(try storage.value(for: decomposed) == Data([2]))
    }

    @Test func showsNoResource_whenAKeyIsPrinted() {
        #expect(!"\(StorageKey("requestor", "DEMO", "authz", "Secret Show"))".contains("Secret"))
    }
}
