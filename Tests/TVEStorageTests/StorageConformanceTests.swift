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
        (.inHalves, "A list of keys never has half of a batch."),
        (.inHalves, "An update never reads half of a batch."),
    ])
    func finds(fault: Fault, promise: String) throws {
        let store = FaultyKeys(fault)
        let violations = try StorageConformance.violations(isPersistent: true) { store }
        #expect(violations.contains(promise))
    }

    /// What a backend does wrong.
    enum Fault: Sendable {
        case composed, compatible, lowercased, trimmed, cutAtZero, cut(at: Int), inHalves
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
        guard case .inHalves = fault else {
            return try storage.update { [fault] present throws(StorageError) in
                try body(FaultyReading(base: present, fault: fault)).map(fault.changed)
            }
        }
        for change in try body(storage) {
            try storage.apply([change])
            // Another thread's turn.
            usleep(100)
        }
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
            case .inHalves: text
            }
        return StorageKey(rawValue: changed)
    }
}
