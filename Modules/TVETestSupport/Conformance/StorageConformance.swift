import Foundation
public import TVEStorage

/// Checks the contract of `StorageBackend` on any backend.
///
/// Run it on your own backend from any test framework: it returns a sentence for every violation.
public enum StorageConformance {
    /// Tests every promise of the contract that is visible in one process, with two handles if possible.
    ///
    /// - Parameters:
    ///   - open: opens the store under test; called several times, and must see earlier writes. The store must be empty
    ///     at the first call.
    ///   - isPersistent: whether a second handle sees what the first one wrote.
    /// - Returns: one sentence for each violation; empty when there is none.
    /// - Throws: the `StorageError` of a call that should have succeeded.
    public static func violations(
        isPersistent: Bool, open: () -> any StorageBackend
    ) throws(StorageError) -> [String] {
        var violations: [String] = []
        func expect(_ holds: Bool, _ promise: String) {
            if !holds { violations.append(promise) }
        }
        let store = open()
        let root = StorageKey("root")
        let key = root.appending("a/b%").appending("")
        let allBytes = Data((0...255).map(UInt8.init))

        expect(try store.value(for: key) == nil, "A key without a value reads as nil.")
        expect(try store.keys(under: root).isEmpty, "An empty store has no keys.")
        try store.apply([.remove(key), .removeAll(under: root)])

        try store.apply([.put(key, allBytes), .put(root.appending("empty"), Data())])
        expect(try store.value(for: key) == allBytes, "A value comes back byte for byte.")
        expect(try store.value(for: root.appending("empty")) == Data(), "An empty value is a value.")
        expect(try Set(store.keys(under: root)) == [key, root.appending("empty")], "Keys come back as they were put.")
        if isPersistent { expect(try open().value(for: key) == allBytes, "Another handle sees what was written.") }

        try store.apply([.put(key, Data([1])), .put(key, Data([2]))])
        expect(try store.value(for: key) == Data([2]), "The changes of a batch are made in order.")
        try store.apply([.put(key, Data([3])), .remove(key)])
        expect(try store.value(for: key) == nil, "A removal after a put in one batch removes.")

        try store.apply([.putIfAbsent(key, Data([8])), .putIfAbsent(key, Data([9]))])
        expect(try store.value(for: key) == Data([8]), "A value that is there stays when it may only be put if absent.")

        let sibling = StorageKey("rootless")
        try store.apply([.put(sibling, Data([4])), .put(root, Data([5])), .put(root.appending("x"), Data([6]))])
        expect(try Set(store.keys(under: root)).contains(root), "A key is under itself.")
        expect(try !store.keys(under: root).contains(sibling), "A longer name is not below a shorter one.")
        try store.apply([.removeAll(under: root)])
        expect(try store.keys(under: root).isEmpty, "Removing all under a key leaves nothing there.")
        expect(try store.value(for: sibling) == Data([4]), "Removing all under a key leaves its neighbours.")

        let large = Data(repeating: 7, count: 1 << 20)
        try store.apply([.put(sibling, large)])
        expect(try open().value(for: sibling) == large || !isPersistent, "A value of a megabyte comes back.")
        expect(try store.rawValue(for: sibling) != nil, "A value that is there has raw bytes.")
        try store.apply([.remove(sibling)])

        try store.apply([.put(key, Data([1])), .put(sibling, Data([2]))])
        expect(try Set(store.keys(under: .everything)) == [key, sibling], "Every key is below everything.")
        expect(try store.damage() == nil, "A store that only went through calls is not damaged.")
        try store.removeEverything()
        expect(try store.keys(under: .everything).isEmpty, "Nothing is left when everything was removed.")
        try store.apply([.put(key, Data([3]))])
        expect(try store.value(for: key) == Data([3]), "A store that was emptied can be written to.")
        expect(try store.probe(), "A store that can be written to says so.")
        expect(try store.keys(under: .everything) == [key], "Nothing of the probe is left to be read.")
        if let before = try store.revision() {
            expect(try store.revision() == before, "The revision stays while nothing changes.")
            try store.apply([.put(key, Data([4]))])
            expect(try store.revision() != before, "Every change makes another revision.")
        }
        if isPersistent, let before = try store.revision() {
            try open().apply([.put(key, Data([5]))])
            expect(try store.revision() != before, "Another handle's change makes another revision.")
        }
        try store.setAside()
        expect(try store.keys(under: .everything).isEmpty, "A store that was begun anew is empty.")
        try store.removeEverything()
        violations += try keyViolations(store)
        violations += try batchViolations(writer: store, reader: isPersistent ? open() : store)
        return violations + (try updateViolations((store, isPersistent ? open() : store)))
    }
}
