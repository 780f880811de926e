import Foundation
public import TVEStorage

/// A test suite for the contract of `StorageBackend`, which tests any backend.
///
/// Run it on your own backend from any test framework. It returns a sentence for every broken promise, with the usual
/// cause if there is one.
public enum StorageConformance {
    /// Tests every promise of the contract that is visible in one process, through one handle and, if possible, two.
    ///
    /// An error of a call that should have succeeded ends only the test that made the call. What the suite stores at a
    /// time fits into the store's capacity, if that is 64 KB or more.
    ///
    /// - Parameters:
    ///   - isPersistent: a Boolean value that indicates whether a second handle must see what the first one wrote.
    ///   - open: a closure that opens the store under test. It is called several times. The store must be empty at the
    ///     first call.
    /// - Returns: one sentence for each violation, and one for each test that an error has ended.
    /// - Throws: no error, because the errors of the store are among the sentences.
    public static func violations(isPersistent: Bool, open: () -> any StorageBackend) throws(StorageError) -> [String] {
        var violations: [String] = []
        func collect(from part: String, _ test: () throws(StorageError) -> [String]) {
            do throws(StorageError) {
                violations += try test()
            } catch {
                violations.append(earlyEnd(of: part, error))
            }
        }
        let store = open()
        do throws(StorageError) {
            try testSingleCalls(of: store, isPersistent: isPersistent, open: open, &violations)
        } catch {
            violations.append(earlyEnd(of: "single calls", error))
        }
        collect(from: "removals and of several readings") { () throws(StorageError) in try readingViolations(store) }
        collect(from: "revisions") { () throws(StorageError) in try revisionViolations(store) }
        collect(from: "keys") { () throws(StorageError) in try keyViolations(store) }
        collect(from: "keys below others") { () throws(StorageError) in try ancestorViolations(store) }
        collect(from: "long lists") { () throws(StorageError) in try listViolations(store) }
        // The threads of one handle need a lock as much as two handles do. What one handle breaks is reported once.
        let other: (any StorageBackend)? = isPersistent ? open() : nil
        if let other {
            collect(from: "handles that stay open") { () throws(StorageError) in
                try exchangeViolations((store, other))
            }
        }
        collect(from: "batches") { () throws(StorageError) in
            let broken = try batchViolations(writer: store, reader: store)
            guard broken.isEmpty, let other else { return broken }
            return try batchViolations(writer: store, reader: other)
        }
        collect(from: "updates") { () throws(StorageError) in
            let broken = try updateViolations((store, store))
            guard broken.isEmpty, let other else { return broken }
            return try updateViolations((store, other))
        }
        return violations
    }

    /// Tests single calls, one after the other.
    ///
    /// - Parameters:
    ///   - store: the store under test, which is empty.
    ///   - isPersistent: a Boolean value that indicates whether a second handle must see what the first one wrote.
    ///   - open: a closure that opens the store again.
    ///   - violations: receives one sentence for each violation.
    private static func testSingleCalls(
        of store: any StorageBackend, isPersistent: Bool, open: () -> any StorageBackend, _ violations: inout [String]
    ) throws(StorageError) {
        func expect(_ holds: Bool, _ promise: String, usually cause: String? = nil) {
            if !holds { violations.append(violation(promise, usually: cause)) }
        }
        let root = StorageKey("root")
        let key = root.appending("a/b%").appending("")
        let allBytes = Data((0...255).map(UInt8.init))

        expect(try store.value(for: key) == nil, "A key without a value reads as nil.")
        expect(try store.keys(under: root).isEmpty, "An empty store has no keys.")
        try store.apply([.remove(key), .removeAll(under: root)])

        try store.apply([.put(key, allBytes), .put(root.appending("empty"), Data())])
        expect(
            try store.value(for: key) == allBytes, "A value comes back byte for byte.",
            usually: "values are stored as text")
        expect(
            try store.value(for: root.appending("empty")) == Data(), "An empty value is a value.",
            usually: "an empty value is stored like none")
        let inside = ReadInUpdates(storage: store)
        expect(try inside.value(for: key) == allBytes, sentenceOfAReading("A value comes back byte for byte."))
        expect(
            try inside.value(for: root.appending("empty")) == Data(),
            sentenceOfAReading("An empty value is a value."), usually: "an empty value is stored like none")
        expect(
            try Set(store.keys(under: root)) == [key, root.appending("empty")], "Keys come back as they were put.",
            usually: "keys are escaped when they are written, and not read back")
        if isPersistent {
            expect(
                try open().value(for: key) == allBytes, "Another handle sees what was written.",
                usually: "a handle keeps values in memory, or writes late")
            expect(
                try open().value(for: root.appending("empty")) == Data(), "Another handle sees an empty value.",
                usually: "an empty value is stored like none")
        }

        try store.apply([.put(key, Data([1])), .put(key, Data([2]))])
        expect(
            try store.value(for: key) == Data([2]), "The changes of a batch are made in order.",
            usually: "changes are collected in a dictionary or a set")
        try store.apply([.put(key, Data([3])), .remove(key)])
        expect(try store.value(for: key) == nil, "A removal after a put in the same batch removes the value.")

        try store.apply([.putIfAbsent(key, Data([8])), .putIfAbsent(key, Data([9]))])
        expect(try store.value(for: key) == Data([8]), "`putIfAbsent` keeps a value that is there.")

        let sibling = StorageKey("rootless")
        try store.apply([.put(sibling, Data([4])), .put(root, Data([5])), .put(root.appending("x"), Data([6]))])
        expect(
            try Set(store.keys(under: root)).contains(root), "A key is under itself.",
            usually: "only keys that begin with the key and a slash are found")
        expect(
            try !store.keys(under: root).contains(sibling), "A longer name is not below a shorter one.",
            usually: "keys are compared as prefixes, without the slash after them")
        try store.apply([.removeAll(under: root)])
        expect(try store.keys(under: root).isEmpty, "Removing all under a key leaves nothing there.")
        let removed = [key, root, root.appending("empty"), root.appending("x")]
        expect(
            try isGone(removed, from: store), "What was removed with all under a key has no value any more.",
            usually: "only the list of keys is changed")
        expect(try store.value(for: sibling) == Data([4]), "Removing all under a key keeps the keys beside it.")

        let size = max(0, min(1 << 20, (store.capacity ?? .max) / 2))
        let large = numberedBlocks(size)
        try store.apply([.put(sibling, large)])
        for handle in isPersistent ? [store, open()] : [store] {
            expect(
                try handle.value(for: sibling) == large,
                "A value of \(size == 1 << 20 ? "a megabyte" : "\(size) bytes") comes back.",
                usually: "a value is cut, or its parts are put in another order")
        }
        expect(try store.rawValue(for: sibling) != nil, "A value that is there has stored bytes.")
        try store.apply([.remove(sibling)])

        try store.apply([.put(key, Data([1])), .put(sibling, Data([2]))])
        expect(try Set(store.keys(under: .everything)) == [key, sibling], "Every key is below `everything`.")
        expect(
            try Set(inside.keys(under: .everything)) == [key, sibling],
            sentenceOfAReading("Every key is below `everything`."))
        expect(try store.damage() == nil, "A store that was changed only by calls is not damaged.")
        try store.removeEverything()
        expect(try store.keys(under: .everything).isEmpty, "Nothing is left after everything was removed.")
        expect(
            try isGone([key, sibling], from: store), "After everything was removed, no key has a value.",
            usually: "only the list of keys is changed")
        try store.apply([.put(key, Data([3]))])
        expect(try store.value(for: key) == Data([3]), "A store that was emptied can be written to.")
        expect(try store.probe(), "A probe of a store that can be written to returns true.")
        expect(try store.keys(under: .everything) == [key], "A probe leaves no key behind.")
        if let before = try store.revision() {
            expect(
                try store.revision() == before, "The revision stays the same while nothing changes.",
                usually: "reading counts as a change")
            try store.apply([.put(key, Data([4]))])
            expect(try store.revision() != before, "Every change changes the revision.")
        }
        if isPersistent, let before = try store.revision() {
            try open().apply([.put(key, Data([5]))])
            expect(
                try store.revision() != before, "A change by another handle changes the revision.",
                usually: "the number is counted in the handle, not in the store")
        }
        try store.setAside()
        try store.apply([.put(key, Data([6]))])
        expect(try store.value(for: key) == Data([6]), "A store that was set aside can be written to.")
        try store.removeEverything()
    }

    /// Returns a value of blocks of 4,096 bytes, each of which begins with its number.
    private static func numberedBlocks(_ size: Int) -> Data {
        // A closure that is called for each byte of a megabyte takes longer than all other calls of the test.
        let rest = Data((0..<UInt32(4_094)).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 24) })
        var value = Data(capacity: size + 4_096)
        for number in 0...size / 4_096 {
            value.append(contentsOf: [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])
            value.append(rest)
        }
        return Data(value.prefix(size))
    }

    /// Returns a Boolean value that indicates whether keys have no values, however they are read, outside an update and
    /// inside one.
    private static func isGone(_ keys: [StorageKey], from store: any StorageBackend) throws(StorageError) -> Bool {
        let nothing: [Result<Data?, StorageError>] = keys.map { _ in .success(nil) }
        let readings: [any StorageReading] = [store, ReadInUpdates(storage: store)]
        for reading in readings {
            if try reading.values(for: keys) != nothing { return false }
            for key in keys {
                let value = try reading.value(for: key)
                let stored = try reading.rawValue(for: key)
                if value != nil || stored != nil { return false }
            }
        }
        return true
    }

    /// Returns the sentence of a promise that only readings inside an update break.
    static func sentenceOfAReading(_ violation: String) -> String { "Inside an update: \(violation)" }

    /// Returns the violations that a test finds outside an update, or else those that it finds inside one.
    ///
    /// What both ways of reading break is reported once.
    static func readBothWays(
        _ store: any StorageBackend, _ test: (any StorageBackend) throws(StorageError) -> [String]
    ) throws(StorageError) -> [String] {
        let violations = try test(store)
        guard violations.isEmpty else { return violations }
        return try test(ReadInUpdates(storage: store)).map { sentenceOfAReading($0) }
    }

    /// Returns a sentence about the test of a part of the contract that an error has ended.
    private static func earlyEnd(of part: String, _ error: StorageError) -> String {
        "The test of \(part) has ended early, because a call failed: \(error)"
    }

    /// Returns a sentence for a broken promise, with its usual cause.
    static func violation(_ promise: String, usually cause: String? = nil) -> String {
        cause.map { "\(promise) The usual cause: \($0)." } ?? promise
    }
}

/// The tests of the promise of keys, which are equal only if all of their bytes are equal.
extension StorageConformance {
    /// Tests whether similar keys are distinguished.
    ///
    /// A value is stored under each of several keys that a file system, a database column or a `String` may treat as
    /// equal or may truncate. A store that passes is tested again with readings inside updates.
    ///
    /// - Parameter store: the store under test, which is emptied.
    /// - Returns: one sentence for each group of keys that are not distinguished, or with which a call has failed.
    /// - Throws: the `StorageError` of the call that empties the store at the end.
    public static func keyViolations(_ store: any StorageBackend) throws(StorageError) -> [String] {
        try readBothWays(store) { store throws(StorageError) in try confusedKeys(store) }
    }

    private static func confusedKeys(_ store: any StorageBackend) throws(StorageError) -> [String] {
        let long = String(repeating: "k", count: longestComponent - 1)
        let groups: [(promise: String, components: [String])] = [
            ("Keys are compared by their bytes, not by how they look.", ["caf\u{E9}", "cafe\u{301}"]),
            ("Keys are compared by their bytes, not by Unicode's compatible forms.", ["K", "\u{212A}"]),
            ("Upper and lower case make different keys.", ["key", "KEY", "Key"]),
            ("A key is no pattern.", ["a_b", "axb", "a%b", "axxb", "a*b", "a?b", "[a]b"]),
            ("Spaces and dots at the ends make different keys.", ["end", "end ", " end", "end.", ".end"]),
            ("A key is not cut at a zero byte.", ["zero", "zero\u{0}", "zero\u{0}byte"]),
            (
                "A component of \(longestComponent) bytes is not cut.",
                [long, long + "a", long + "b"]
            ),
            ("A component may be a path, a query or a quotation.", ["..", "../..", "a?b=%2F", "'\"`;--\\\n"]),
        ]
        var violations: [String] = []
        for (promise, components) in groups {
            violations += confusion(of: components, below: StorageKey("keys"), in: store, breaking: promise)
        }
        let longest = long + "k"
        let deep = (2..<mostComponents).reduce(StorageKey(longest)) { parent, _ in parent.appending(longest) }
        violations += confusion(
            of: [long + "a", long + "b"], below: deep, in: store,
            breaking: "A key of \(mostComponents) such components is not cut.")
        try store.apply([.removeAll(under: .everything)])
        return violations
    }

    /// Returns the promise that keys break, with the error of a call if it was one, or nothing if they keep it.
    private static func confusion(
        of components: [String], below parent: StorageKey, in store: any StorageBackend, breaking promise: String
    ) -> [String] {
        do throws(StorageError) {
            return try distinguishes(components, below: parent, in: store) ? [] : [promise]
        } catch {
            return ["\(promise) A call with such keys failed: \(error)"]
        }
    }

    /// Returns a Boolean value that indicates whether keys that differ in their last components are distinguished.
    private static func distinguishes(
        _ components: [String], below parent: StorageKey, in store: any StorageBackend
    ) throws(StorageError) -> Bool {
        try store.apply([.removeAll(under: .everything)])
        let keys = components.map { parent.appending($0) }
        for (number, key) in keys.enumerated() { try store.apply([.put(key, Data([UInt8(number)]))]) }
        var holds = try Set(store.keys(under: parent)) == Set(keys)
        for (number, key) in keys.enumerated() where try store.value(for: key) != Data([UInt8(number)]) {
            holds = false
        }
        // Removing one key must not remove the others.
        try store.apply([.remove(keys[0])])
        if try Set(store.keys(under: .everything)) != Set(keys.dropFirst()) { holds = false }
        return holds
    }

    /// The length in bytes of the longest component, which can be a resource in MRSS with its title.
    private static let longestComponent = 1024
    /// The number of components of the longest keys, which are those of permissions.
    private static let mostComponents = 7
}
