import Foundation
import TVEModels
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

/// The suite for backends finds revisions with which a caller would return values that have changed.
@Suite(.oneAtATime)
struct RevisionConformanceTests {
    @Test func findsARevision_thatIgnoresRemovals() throws {
        let violations = try StorageConformance.readingViolations(GreatestNumber())
        let cause = "The usual cause: the revision is the greatest number of the values that are left."
        #expect(
            violations == [
                "Removing a value changes the revision. \(cause)",
                "Removing all under a key changes the revision. \(cause)",
            ])
    }

    @Test func findsARevision_thatBeginsAgain() throws {
        let violations = try StorageConformance.revisionViolations(RestartingNumber())
        let cause = "The usual cause: the number is counted in what was removed, and begins again."
        #expect(
            violations == [
                "No revision comes back after everything was removed. \(cause)",
                "No revision comes back after the store was set aside. \(cause)",
            ])
    }

    @Test func findsARevision_thatIgnoresAValueStoredIfAbsent() throws {
        let violations = try StorageConformance.revisionViolations(RestartingNumber(countsPuts: false))
        #expect(violations.contains { $0.hasPrefix("`putIfAbsent` changes the revision") }, "\(violations)")
    }

    @Test func findsARevision_thatIgnoresTheMethodThatASessionCalls() throws {
        let store = RestartingNumber(countsLimited: false)
        let begin = "Through `update(patience:_:)`, as a session writes: "
        let removals = try StorageConformance.readingViolations(store)
        #expect(removals.count == 2 && removals.allSatisfy { $0.hasPrefix("\(begin)Removing") }, "\(removals)")
        let numbers = RestartingNumber(countsLimited: false, restarts: false)
        let violations = try StorageConformance.revisionViolations(numbers)
        #expect(!violations.isEmpty && violations.allSatisfy { $0.hasPrefix(begin) }, "\(violations)")
    }
}

/// A backend whose revision is the greatest number of a value, as a query for a maximum returns it.
private final class GreatestNumber: StorageBackend {
    private let storage = MemoryStorage()
    private let numbers = Guarded<[StorageKey: UInt64]>([:])

    func value(for key: StorageKey) throws(StorageError) -> Data? { storage.value(for: key) }
    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { storage.keys(under: ancestor) }

    func revision() throws(StorageError) -> UInt64? {
        let keys = storage.keys(under: .everything)
        return numbers.withLock { numbers in keys.compactMap { numbers[$0] }.max() ?? 0 }
    }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try storage.update { [numbers] present throws(StorageError) in
            let changes = try body(present)
            numbers.withLock { numbers in
                for case .put(let key, _) in changes { numbers[key] = (numbers.values.max() ?? 0) + 1 }
            }
            return changes
        }
    }
}

/// A backend whose revision is stored with the values, and lost with them unless it does not restart.
private final class RestartingNumber: StorageBackend {
    private let storage = MemoryStorage()
    private let number = Guarded<UInt64>(0)
    /// A Boolean value that indicates whether batches that only put values if they are absent are counted.
    private let countsPuts: Bool
    /// A Boolean value that indicates whether updates with a limit of their wait are counted.
    private let countsLimited: Bool
    /// A Boolean value that indicates whether the number is lost when everything is removed.
    private let restarts: Bool

    init(countsPuts: Bool = true, countsLimited: Bool = true, restarts: Bool = true) {
        self.countsPuts = countsPuts
        self.countsLimited = countsLimited
        self.restarts = restarts
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? { storage.value(for: key) }
    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { storage.keys(under: ancestor) }
    func revision() throws(StorageError) -> UInt64? { number.withLock(\.self) }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try storage.update { [number, countsPuts] present throws(StorageError) in
            let changes = try body(present)
            let counted = changes.contains { change in
                if case .putIfAbsent = change { countsPuts } else { true }
            }
            if counted { number.withLock { $0 += 1 } }
            return changes
        }
    }

    func update(
        patience: Duration,
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        if countsLimited { try update(body) } else { try storage.update(body) }
    }

    func removeEverything() throws(StorageError) {
        storage.apply([.removeAll(under: .everything)])
        number.withLock { $0 = restarts ? 0 : $0 + 1 }
    }
}
