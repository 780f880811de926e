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

    @Test(arguments: [
        (
            false, "An update with a patience of zero succeeds while nobody else is writing.",
            "the time is over before the first attempt"
        ),
        (
            true, "An update that may not wait throws `locked` while another one is running, and no other error.",
            "the error of a place that is busy is passed on"
        ),
    ])
    func hearsOfAWriterWithoutPatience_thatFails(triesOnce: Bool, promise: String, cause: String) throws {
        let store = ImpatientInItsOwnWay(triesOnce: triesOnce)
        let violations = try StorageConformance.updateViolations((store, store))
        #expect(violations == ["\(promise) The usual cause: \(cause)."])
    }

    @Test func hearsOfErrors_thatAllBecomeOne() throws {
        let store = LockedWhateverHappens()
        let violations = try StorageConformance.updateViolations((store, store))
        let cause = "The usual cause: every error is turned into one of the place, such as `locked`."
        #expect(violations == ["An update throws the error of its body. \(cause)"])
    }

    @Test func hearsOfValuesKeptInMemory() throws {
        let one = Naive()
        let other = Naive()
        let violations = try StorageConformance.updateViolations((one, other))
        #expect(violations.count == 1)
        #expect(violations.first?.contains("a handle keeps values in memory") == true)
    }

    @Test func isNotAskedForMoreThanItsCapacity() throws {
        let store = Bounded()
        #expect(try StorageConformance.violations(isPersistent: true) { store } == [])
    }

    @Test func hearsAllThatWasFound_whenACallFails() throws {
        let store = WithSmallBatches()
        let violations = try StorageConformance.violations(isPersistent: false) { store }
        let error = StorageError.cannotWrite(errno: E2BIG)
        #expect(
            violations == [
                "An empty value is a value. The usual cause: an empty value is stored like none.",
                "The test of long lists has ended early, because a call failed: \(error)",
            ])
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

    /// A store whose updates wait for each other, but that does not know `locked`.
    private final class ImpatientInItsOwnWay: StorageBackend {
        private let storage = MemoryStorage()
        private let turn = DispatchSemaphore(value: 1)
        /// A Boolean value that indicates whether an update that may not wait tries to take its turn.
        private let triesOnce: Bool

        init(triesOnce: Bool) {
            self.triesOnce = triesOnce
        }

        func value(for key: StorageKey) -> Data? { storage.value(for: key) }
        func keys(under ancestor: StorageKey) -> [StorageKey] { storage.keys(under: ancestor) }

        func update(
            _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
        ) throws(StorageError) {
            try update(patience: .seconds(600), body)
        }

        func update(
            patience: Duration,
            _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
        ) throws(StorageError) {
            guard triesOnce || patience > .zero else { throw .locked }
            let limit = DispatchTime.now() + .seconds(Int(patience.components.seconds))
            guard turn.wait(timeout: limit) == .success else { throw .cannotWrite(errno: ETIMEDOUT) }
            defer { turn.signal() }
            storage.apply(try body(storage))
        }
    }

    /// A store that takes every error for that of a place that is locked.
    private struct LockedWhateverHappens: StorageBackend {
        private let storage = MemoryStorage()

        func value(for key: StorageKey) -> Data? { storage.value(for: key) }
        func keys(under ancestor: StorageKey) -> [StorageKey] { storage.keys(under: ancestor) }

        func update(
            _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
        ) throws(StorageError) {
            do throws(StorageError) {
                try storage.update(body)
            } catch {
                throw .locked
            }
        }
    }

    /// A store that refuses more bytes than its capacity.
    private struct Bounded: StorageBackend {
        private static let limit = 64 << 10
        private let storage = MemoryStorage()

        var capacity: Int? { Self.limit }

        func value(for key: StorageKey) -> Data? { storage.value(for: key) }
        func keys(under ancestor: StorageKey) -> [StorageKey] { storage.keys(under: ancestor) }

        func update(
            _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
        ) throws(StorageError) {
            try storage.update { present throws(StorageError) in
                let changes = try body(present)
                var values: [StorageKey: Data] = [:]
                for key in try present.keys(under: .everything) { values[key] = try present.value(for: key) }
                for change in changes { values.apply(change) }
                let size = values.reduce(0) { $0 + $1.key.rawValue.utf8.count + $1.value.count }
                guard size <= Self.limit else { throw .tooLarge(limit: Self.limit) }
                return changes
            }
        }
    }

    /// A store that takes an empty value for none, and makes at most a hundred changes at a time.
    private struct WithSmallBatches: StorageBackend {
        private let storage = MemoryStorage()

        func value(for key: StorageKey) -> Data? { storage.value(for: key).flatMap { $0.isEmpty ? nil : $0 } }
        func keys(under ancestor: StorageKey) -> [StorageKey] { storage.keys(under: ancestor) }

        func update(
            _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
        ) throws(StorageError) {
            try storage.update { present throws(StorageError) in
                let changes = try body(present)
                guard changes.count <= 100 else { throw .cannotWrite(errno: E2BIG) }
                return changes
            }
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
