import Foundation
import TVEModels
import TVEStorage
import TVETestSupport
import Testing

/// The suite for backends finds backends that break a promise.
struct StorageConformanceTests {
    @Test func findsABackendThatForgets() throws {
        let violations = try StorageConformance.violations(isPersistent: true) { MemoryStorage() }
        #expect(violations.contains("Another handle sees what was written."))
    }

    @Test(arguments: [
        (Fault.composed, "Keys are compared by their bytes, not by what looks the same."),
        (.compatible, "Keys are compared by their bytes, not by Unicode's compatible forms."),
        (.lowercased, "Keys are told apart by upper and lower case."),
        (.trimmed, "Keys are told apart by spaces and dots at their ends."),
        (.cutAtZero, "A key is not cut at a zero byte."),
        (.cut(at: 255), "A key of 1024 bytes a component is not cut."),
        (.cut(at: 511), "A key of 1024 bytes a component is not cut."),
        (.cut(at: 4096), "A key may be as long as six such components."),
    ])
    func finds(fault: Fault, promise: String) throws {
        let store = FaultyKeys(fault)
        let violations = try StorageConformance.violations(isPersistent: true) { store }
        #expect(violations.contains(promise))
    }

    @Test func findsABackendThatWritesInHalves() throws {
        let store = HalfWriter()
        let violations = try StorageConformance.batchViolations(writer: store, reader: store)
        #expect(
            violations == [
                "A list of keys never has half of a batch.", "An update never reads half of a batch.",
            ])
    }

    /// What a backend does wrong with keys.
    enum Fault: Sendable {
        case composed, compatible, lowercased, trimmed, cutAtZero, cut(at: Int)
    }
}

/// A backend over memory that does one thing wrong.
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

/// A backend over memory that makes the changes of a batch one by one, and lets the reader look in between.
private final class HalfWriter: StorageBackend {
    private let storage = MemoryStorage()
    private let reads = Guarded(0)

    func value(for key: StorageKey) throws(StorageError) -> Data? { try storage.value(for: key) }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        reads.withLock { $0 += 1 }
        return try storage.keys(under: ancestor)
    }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        let changes = try body(storage)
        for change in changes.dropLast() {
            try storage.apply([change])
            waitForTheReader()
        }
        if let last = changes.last { try storage.apply([last]) }
    }

    /// Waits until the reader has listed the keys and read inside an update after this moment, ten seconds at most.
    private func waitForTheReader() {
        let (before, deadline) = (reads.withLock(\.self), ContinuousClock.now + .seconds(10))
        while reads.withLock(\.self) < before + 3, ContinuousClock.now < deadline { sched_yield() }
    }
}

/// Reads under the keys that the fault leaves.
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
            }
        return StorageKey(rawValue: changed)
    }
}
