import Foundation
import TVEModels
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

/// The suite for backends finds backends that break a promise.
@Suite(.fourAtATime)
struct StorageConformanceTests {
    @Test func findsABackendThatForgets() throws {
        let violations = try StorageConformance.violations(isPersistent: true) { MemoryStorage() }
        let promises = violations.map { $0.prefix(36) }
        #expect(promises.contains("Another handle sees what was written"))
        #expect(violations.count < 6, "\(violations)")
    }

    @Test func asksForThePromisesAboutKeys_too() throws {
        let store = FaultyKeys(.lowercased)
        let violations = try StorageConformance.violations(isPersistent: true) { store }
        #expect(violations.contains("Upper and lower case make different keys."))
    }

    @Test(arguments: [
        (Fault.composed, "Keys are compared by their bytes, not by how they look."),
        (.compatible, "Keys are compared by their bytes, not by Unicode's compatible forms."),
        (.lowercased, "Upper and lower case make different keys."),
        (.trimmed, "Spaces and dots at the ends make different keys."),
        (.cutAtZero, "A key is not cut at a zero byte."),
        (.cut(at: 255), "A component of 1024 bytes is not cut."),
        (.cut(at: 511), "A component of 1024 bytes is not cut."),
        (.cut(at: 4096), "A key of 7 such components is not cut."),
        (.shallow(depth: 4), "A key of 7 such components is not cut."),
    ])
    func finds(fault: Fault, promise: String) throws {
        let store = FaultyKeys(fault)
        #expect(try StorageConformance.keyViolations(store).contains(promise))
    }

    @Test func passesABackend_thatHasNoRoomForLongerComponents() throws {
        let store = NarrowStorage()
        #expect(try StorageConformance.violations(isPersistent: true) { store } == [])
    }

    @Test(arguments: [false, true]) func findsABackendThatWritesInHalves(onlyWithALimit: Bool) throws {
        let store = HalfWriter(onlyWithALimit: onlyWithALimit)
        let violations = try StorageConformance.batchViolations(writer: store, reader: store)
        let method = onlyWithALimit ? "Through `update(patience:_:)`, as a session writes: " : ""
        let cause = "The usual cause: changes are written one by one, and readers do not wait for the last of them."
        #expect(
            violations == [
                "\(method)A list of keys never contains half of a batch. \(cause)",
                "\(method)An update never reads half of a batch. \(cause)",
            ])
    }

    /// Otherwise a writer that tries the lock of such a store again and again could lose its patience.
    @Test func theReaderOfBatches_pausesAfterEachRead_whereReadsAreSlow() throws {
        let reader = SlowReader()
        let writer = WaitingWriter(reader)
        #expect(try StorageConformance.batchViolations(writer: writer, reader: reader) == [])
        let pauses = reader.pauses.withLock(\.self)
        #expect(pauses.count > 10)
        #expect(pauses.count { $0 >= .milliseconds(1) } > pauses.count / 2, "\(pauses)")
    }

    @Test func findsALock_thatTheThreadsOfAHandleShare() throws {
        let place = LockOfHandles()
        #expect(try StorageConformance.updateViolations((LockedAsAHandle(place), LockedAsAHandle(place))) == [])
        let violations = try StorageConformance.violations(isPersistent: true) { LockedAsAHandle(place) }
        #expect(violations.contains { $0.contains("the threads of a handle share its lock") }, "\(violations)")
    }

    @Test(arguments: [
        (Carelessness.pattern, "The keys below `a_b` are not those below `axb`."),
        (.foldedCase, "The keys below `abc` are not those below `ABC`."),
        (.tree, "Storing or removing a value keeps the values below its key."),
        (.removalsLast, "A put after a removal in the same batch stores the value."),
        (.branchesFirst, "Removing all under a key also removes what the same batch has put there."),
        (.absentBefore, "`putIfAbsent` stores a value after a removal in the same batch."),
    ])
    func findsAmongKeysBelowOthers(carelessness: Carelessness, promise: String) throws {
        let violations = try StorageConformance.ancestorViolations(CarelessStorage(carelessness: carelessness))
        #expect(violations.contains { $0.hasPrefix(promise) }, "\(violations)")
    }

    /// Runs the whole suite, because only that tests single calls, and calls the parts that other tests run alone.
    @Test(
        arguments: [
            (.tree, ["Storing or removing a value keeps the values below its key."]),
            (.cut, ["A value of a megabyte comes back."]), (.swapped, ["A value of a megabyte comes back."]),
            (
                .firstPage,
                [
                    "A list of 1200 keys names each of them once.", "The values of 1200 keys are all read at once.",
                    "Removing all under a key removes 1200 values.",
                ]
            ),
            (
                .indexOnly,
                [
                    "What was removed with all under a key has no value any more.",
                    "After everything was removed, no key has a value.",
                ]
            ),
        ] as [(Carelessness, [String])])
    func finds(carelessness: Carelessness, promises: [String]) throws {
        let store = CarelessStorage(carelessness: carelessness)
        let violations = try StorageConformance.violations(isPersistent: false) { store }
        for promise in promises { #expect(violations.contains { $0.hasPrefix(promise) }, "\(violations)") }
    }

    /// A fault of a backend that is careful with single keys.
    enum Carelessness: Sendable {
        /// Keys below another are searched with SQL's `LIKE`, in which the underscore matches any character.
        case pattern
        /// Keys below another are searched without regard to case.
        case foldedCase
        /// A value replaces the whole branch of its key.
        case tree
        /// A batch stores before it removes.
        case removalsLast
        /// A batch removes all under a key before it makes its other changes.
        case branchesFirst
        /// A batch stores a value if it was absent before the batch.
        case absentBefore
        /// Values are cut at half a megabyte.
        case cut
        /// The halves of a long value change places.
        case swapped
        /// Only the first hundred entries of a list are read, and removed.
        case firstPage
        /// Removing all under a key removes the keys from the list, but not the values.
        case indexOnly
    }

    /// A fault of a backend with keys.
    enum Fault: Sendable {
        case composed, compatible, lowercased, trimmed, cutAtZero, cut(at: Int)
        /// Only this number of components is stored.
        case shallow(depth: Int)
    }
}

/// A backend over memory that has one fault.
private struct FaultyKeys: StorageBackend {
    private let storage = MemoryStorage()
    private let fault: StorageConformanceTests.Fault

    init(_ fault: StorageConformanceTests.Fault) {
        self.fault = fault
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? {
        try FaultyReading(base: storage, fault: fault).value(for: key)
    }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try FaultyReading(base: storage, fault: fault).keys(under: ancestor)
    }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try storage.update { [fault] present throws(StorageError) in
            try body(FaultyReading(base: present, fault: fault)).map(fault.changed)
        }
    }
}

/// A backend over memory that has one fault.
private struct CarelessStorage: StorageBackend {
    let storage = MemoryStorage()
    let carelessness: StorageConformanceTests.Carelessness
    /// The keys that are in no list although they have values.
    private let unlisted = Guarded<Set<StorageKey>>([])

    init(carelessness: StorageConformanceTests.Carelessness) {
        self.carelessness = carelessness
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? {
        guard let value = storage.value(for: key), value.count > 1 << 19 else { return storage.value(for: key) }
        return switch carelessness {
        case .cut: value.prefix(1 << 19)
        case .swapped: Data(value.dropFirst(1 << 19) + value.prefix(1 << 19))
        default: value
        }
    }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        let unlisted = unlisted.withLock(\.self)
        let found = storage.keys(under: .everything).filter { isBelow($0, ancestor) && !unlisted.contains($0) }
        return carelessness == .firstPage ? Array(found.prefix(100)) : found
    }

    func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
        let found = try storage.values(for: keys)
        guard carelessness == .firstPage else { return found }
        return found.enumerated().map { number, value in number < 100 ? value : .success(nil) }
    }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        for change in ordered(try body(storage)) {
            switch (carelessness, change) {
            case (.tree, .put(let key, _)), (.tree, .remove(let key)):
                storage.apply([.removeAll(under: key), change])
            case (.indexOnly, .removeAll(let ancestor)):
                let removed = try keys(under: ancestor)
                unlisted.withLock { $0.formUnion(removed) }
            case (.indexOnly, .put(let key, _)), (.indexOnly, .putIfAbsent(let key, _)):
                unlisted.withLock { _ = $0.remove(key) }
                storage.apply([change])
            case (_, .removeAll(let ancestor)): storage.apply(try keys(under: ancestor).map { .remove($0) })
            default: storage.apply([change])
            }
        }
    }

    private func ordered(_ changes: [StorageChange]) -> [StorageChange] {
        func isRemoval(_ change: StorageChange) -> Bool { if case .remove = change { true } else { false } }
        func isBranch(_ change: StorageChange) -> Bool { if case .removeAll = change { true } else { false } }
        func isAbsent(_ change: StorageChange) -> Bool {
            if case .putIfAbsent(let key, _) = change { storage.value(for: key) == nil } else { true }
        }
        return switch carelessness {
        case .removalsLast: changes.filter { !isRemoval($0) } + changes.filter(isRemoval)
        case .branchesFirst: changes.filter(isBranch) + changes.filter { !isBranch($0) }
        case .absentBefore: changes.filter(isAbsent)
        default: changes
        }
    }

    private func isBelow(_ key: StorageKey, _ ancestor: StorageKey) -> Bool {
        if key.isInside(ancestor) { return true }
        let (text, start) = (Array(key.rawValue.utf8), Array("\(ancestor.rawValue)/".utf8))
        guard text.count >= start.count else { return false }
        return zip(text, start).allSatisfy { byte, wanted in
            byte == wanted || carelessness == .pattern && wanted == UInt8(ascii: "_")
                || carelessness == .foldedCase && byte | 0x20 == wanted | 0x20
        }
    }
}

/// A backend over memory that makes the changes of a batch one by one, and lets the reader read in between.
private final class HalfWriter: StorageBackend {
    private let storage = MemoryStorage()
    /// A Boolean value that indicates whether an update without a limit of its wait makes its changes at once.
    private let onlyWithALimit: Bool
    /// The number of lists of keys that the reader must receive before the next change.
    private let missing = Guarded(0)
    private let hasLists = DispatchSemaphore(value: 0)

    init(onlyWithALimit: Bool) {
        self.onlyWithALimit = onlyWithALimit
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? { storage.value(for: key) }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        missing.withLock { missing in
            guard missing > 0 else { return }
            missing -= 1
            if missing == 0 { hasLists.signal() }
        }
        return storage.keys(under: ancestor)
    }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        if onlyWithALimit { try storage.update(body) } else { try update(patience: .zero, body) }
    }

    func update(
        patience: Duration,
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        let changes = try body(storage)
        for change in changes.dropLast() {
            storage.apply([change])
            waitForTheReader()
        }
        if let last = changes.last { storage.apply([last]) }
    }

    /// Waits until the reader has listed the keys and read inside an update after this moment.
    private func waitForTheReader() {
        // The first list may have begun before, and each list is followed by an update.
        missing.withLock { $0 = 3 }
        if hasLists.wait(timeout: .now() + 600) == .timedOut { Issue.record("The reader has stopped.") }
    }
}

/// A handle of a place in memory whose every update takes two milliseconds.
private final class SlowReader: StorageBackend {
    fileprivate let storage = MemoryStorage()
    /// The times from the end of each update to the beginning of the next one.
    let pauses = Guarded<[Duration]>([])
    private let lastEnd = Guarded<ContinuousClock.Instant?>(nil)
    private let hasRead = DispatchSemaphore(value: 0)

    func value(for key: StorageKey) throws(StorageError) -> Data? { storage.value(for: key) }
    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { storage.keys(under: ancestor) }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        let began = ContinuousClock.now
        if let end = lastEnd.withLock(\.self) { pauses.withLock { $0.append(began - end) } }
        try storage.update(body)
        while ContinuousClock.now - began < .milliseconds(2) {}
        lastEnd.withLock { $0 = ContinuousClock.now }
        hasRead.signal()
    }

    /// Waits until another update has ended.
    func waitForARead() {
        if hasRead.wait(timeout: .now() + 600) == .timedOut { Issue.record("The reader has stopped.") }
    }
}

/// Another handle of the same place, which waits for the reader before each of the first twenty batches with values.
private final class WaitingWriter: StorageBackend {
    private let reader: SlowReader
    private let batches = Guarded(0)

    init(_ reader: SlowReader) {
        self.reader = reader
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? { reader.storage.value(for: key) }
    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { reader.storage.keys(under: ancestor) }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        let changes = try body(reader.storage)
        // The place is emptied before the reader begins.
        let hasValues = changes.contains { if case .put = $0 { true } else { false } }
        let number = batches.withLock { batches in
            if hasValues { batches += 1 }
            return batches
        }
        if hasValues, number <= 20 { reader.waitForARead() }
        reader.storage.apply(changes)
    }
}

/// A place that one handle at a time may change.
private final class LockOfHandles: Sendable {
    let storage = MemoryStorage()
    let turn = DispatchSemaphore(value: 1)
}

/// A backend whose threads share the lock of their handle, as those that call `flock` on one descriptor do.
private final class LockedAsAHandle: StorageBackend {
    private let place: LockOfHandles
    /// The number of threads of this handle that hold its lock.
    private let holders = Guarded(0)

    init(_ place: LockOfHandles) {
        self.place = place
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? { place.storage.value(for: key) }
    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { place.storage.keys(under: ancestor) }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        holders.withLock { holders in
            if holders == 0 { place.turn.wait() }
            holders += 1
        }
        defer {
            holders.withLock { holders in
                holders -= 1
                if holders == 0 { place.turn.signal() }
            }
        }
        place.storage.apply(try body(place.storage))
    }
}

/// A reading under the keys that the fault leaves.
private struct FaultyReading: StorageReading {
    let base: any StorageReading
    let fault: StorageConformanceTests.Fault

    func value(for key: StorageKey) throws(StorageError) -> Data? { try base.value(for: fault.changed(key)) }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try base.keys(under: fault.changed(ancestor))
    }
}

extension StorageConformanceTests.Fault {
    fileprivate func changed(_ change: StorageChange) -> StorageChange {
        switch change {
        case .put(let key, let value): .put(changed(key), value)
        case .putIfAbsent(let key, let value): .putIfAbsent(changed(key), value)
        case .remove(let key): .remove(changed(key))
        case .removeAll(let ancestor): .removeAll(under: changed(ancestor))
        }
    }

    fileprivate func changed(_ key: StorageKey) -> StorageKey {
        let text = key.rawValue
        let changed =
            switch self {
            case .composed: text.precomposedStringWithCanonicalMapping
            case .compatible: text.precomposedStringWithCompatibilityMapping
            case .lowercased: text.lowercased()
            case .trimmed: text.trimmingCharacters(in: CharacterSet(charactersIn: " ."))
            case .cutAtZero: String(text.prefix { $0 != "\u{0}" })
            case .cut(let length): String(decoding: text.utf8.prefix(length), as: UTF8.self)
            case .shallow(let depth):
                key.components.prefix(depth).dropFirst().reduce(StorageKey(key.components[0])) { parent, component in
                    parent.appending(component)
                }.rawValue
            }
        return StorageKey(rawValue: changed)
    }
}

/// A backend over memory that refuses components of more bytes than it promises to store.
private struct NarrowStorage: StorageBackend {
    private let storage = MemoryStorage()

    func value(for key: StorageKey) throws(StorageError) -> Data? { storage.value(for: key) }
    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { storage.keys(under: ancestor) }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try storage.update { present throws(StorageError) in
            let changes = try body(present)
            for change in changes {
                let key =
                    switch change {
                    case .put(let key, _), .putIfAbsent(let key, _), .remove(let key), .removeAll(let key): key
                    }
                guard key.components.allSatisfy({ $0.utf8.count <= 1_024 }) else {
                    throw .cannotWrite(errno: ENAMETOOLONG)
                }
            }
            return changes
        }
    }
}
