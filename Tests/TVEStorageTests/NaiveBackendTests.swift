import Foundation
import TVEModels
import TVEStorage
import TVETestSupport
import Testing

/// The sentences that the author of a first backend reads.
struct NaiveBackendTests {
    @Test func hearsOfTheMissingLock_inOneSentence() throws {
        let store = Naive()
        let violations = try StorageConformance.updateViolations((store, store))
        #expect(violations.count == 1)
        #expect(violations.first?.contains("no lock is held from the first read to the last change") == true)
    }

    @Test func hearsOfTheMissingLock_ofTheMethodThatASessionCalls() throws {
        let store = UnlockedWithALimit()
        let violations = try StorageConformance.updateViolations((store, store))
        #expect(violations.count == 1)
        #expect(violations.first?.hasPrefix("Through `update(patience:_:)`, as a session writes: What an") == true)
        #expect(violations.first?.contains("no lock is held from the first read to the last change") == true)
    }

    @Test func hearsOfValuesKeptInMemory() throws {
        let one = Naive()
        let other = Naive()
        let violations = try StorageConformance.updateViolations((one, other))
        #expect(violations.count == 1)
        #expect(violations.first?.contains("a handle keeps values in memory") == true)
    }

    /// The compiler does not know which errors such a body throws.
    @Test func aChange_takesABody_thatDoesNotNameItsErrors() throws {
        struct Own: Error {}
        let store = EntitlementStore(
            backend: MemoryStorage(), reader: TextTokens.reader, fingerprint: "f")
        try store.change { try $0.setCurrentProvider("cable", of: "R") }
        #expect(throws: Own.self) {
            try store.change { entitlements in
                try entitlements.setCurrentProvider("other", of: "R")
                throw Own()
            }
        }
        #expect(throws: StorageError.locked) { try store.change { _ in throw StorageError.locked } }
        #expect(try store.providerChoice(of: "R").mvpdID == "cable")
    }

    /// A store that is locked during an update, but not during one with a limit of its wait.
    private final class UnlockedWithALimit: StorageBackend {
        private let storage = MemoryStorage()

        func value(for key: StorageKey) -> Data? { storage.value(for: key) }
        func keys(under ancestor: StorageKey) -> [StorageKey] { storage.keys(under: ancestor) }

        func update(
            _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
        ) throws(StorageError) {
            try storage.update(body)
        }

        func update(
            patience: Duration,
            _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
        ) throws(StorageError) {
            storage.apply(try body(storage))
        }
    }

    /// A dictionary whose single reads and writes are locked, but not an update as a whole.
    private final class Naive: StorageBackend {
        private let values = Guarded<[StorageKey: Data]>([:])

        func value(for key: StorageKey) -> Data? { values.withLock { $0[key] } }
        func keys(under ancestor: StorageKey) -> [StorageKey] {
            values.withLock { $0.keys.filter { $0.isInside(ancestor) } }
        }

        func update(
            _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
        ) throws(StorageError) {
            let changes = try body(self)
            values.withLock { values in for change in changes { values.apply(change) } }
        }
    }
}
