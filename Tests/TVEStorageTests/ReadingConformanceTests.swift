import Foundation
import TVEModels
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

/// The suite for backends finds readings that leave something out, above all inside updates, in which a session
/// decides.
@Suite(.fourAtATime)
struct ReadingConformanceTests {
    @Test(arguments: [true, false]) func findsValuesThatAreLeftOut(isInUpdate: Bool) throws {
        let violations = try StorageConformance.readingViolations(RowsOnly(isInUpdate: isInUpdate))
        #expect(violations.count == 1 && violations[0].hasPrefix("Several values come in the order of their keys"))
    }

    @Test func findsAHandle_thatKeepsAFileWhosePlaceIsTaken() throws {
        let place = ExchangedPlace()
        let cause = "The usual cause: a handle keeps a file or a connection whose place another one has taken."
        let first = "After everything was removed, every handle that was open uses the same store. \(cause)"
        #expect(try StorageConformance.exchangeViolations((HandleOfAFile(place), HandleOfAFile(place))) == [first])
        let violations = try StorageConformance.violations(isPersistent: true) { HandleOfAFile(place) }
        #expect(violations.contains(first), "\(violations)")
    }

    @Test func findsKeysThatAnUpdateDoesNotSee() throws {
        let store = BlindInUpdates()
        let promise = "Inside an update: Every key is below `everything`."
        #expect(try StorageConformance.violations(isPersistent: true) { store }.contains(promise))
        let violations = try StorageConformance.keyViolations(store)
        #expect(violations.contains("Inside an update: Upper and lower case make different keys."), "\(violations)")
    }
}

/// The place of a store, in which one file takes the place of another.
private final class ExchangedPlace: Sendable {
    let file = Guarded(MemoryStorage())
}

/// A backend that opens the file of its place once, and a new one when it removes everything.
private final class HandleOfAFile: StorageBackend {
    private let place: ExchangedPlace
    private let file: Guarded<MemoryStorage>

    init(_ place: ExchangedPlace) {
        self.place = place
        file = Guarded(place.file.withLock(\.self))
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? { file.withLock(\.self).value(for: key) }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        file.withLock(\.self).keys(under: ancestor)
    }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try file.withLock(\.self).update(body)
    }

    func removeEverything() throws(StorageError) {
        let empty = MemoryStorage()
        place.file.withLock { $0 = empty }
        file.withLock { $0 = empty }
    }
}

/// A backend that returns only the values that exist, as a query for rows does.
private struct RowsOnly: StorageBackend {
    /// A Boolean value that indicates whether only reading inside an update has the fault.
    let isInUpdate: Bool
    private let storage = MemoryStorage()

    init(isInUpdate: Bool) {
        self.isInUpdate = isInUpdate
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? { storage.value(for: key) }
    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { storage.keys(under: ancestor) }

    func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
        isInUpdate ? try storage.values(for: keys) : try Rows(base: storage).values(for: keys)
    }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try storage.update { [isInUpdate] present throws(StorageError) in
            try body(isInUpdate ? Rows(base: present) : present)
        }
    }

    private struct Rows: StorageReading {
        let base: any StorageReading

        func value(for key: StorageKey) throws(StorageError) -> Data? { try base.value(for: key) }
        func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { try base.keys(under: ancestor) }

        func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
            var rows: [Result<Data?, StorageError>] = []
            for key in keys { if let value = try base.value(for: key) { rows.append(.success(value)) } }
            return rows
        }
    }
}

/// A backend whose updates find no key below the whole store, because that key is the empty text.
private struct BlindInUpdates: StorageBackend {
    private let storage = MemoryStorage()

    func value(for key: StorageKey) throws(StorageError) -> Data? { storage.value(for: key) }
    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { storage.keys(under: ancestor) }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try storage.update { present throws(StorageError) in try body(Rows(base: present)) }
    }

    private struct Rows: StorageReading {
        let base: any StorageReading

        func value(for key: StorageKey) throws(StorageError) -> Data? { try base.value(for: key) }

        func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
            try ancestor == .everything ? [] : base.keys(under: ancestor)
        }
    }
}
