import Foundation
package import TVEStorage

extension StorageConformance {
    /// Tests that every removal changes the revision, and that several values are read as one by one, with changes by
    /// each of the two methods.
    package static func readingViolations(_ store: any StorageBackend) throws(StorageError) -> [String] {
        try changedBothWays(store) { store throws(StorageError) in try unnoticedRemovals(store) }
    }

    private static func unnoticedRemovals(_ store: any StorageBackend) throws(StorageError) -> [String] {
        let older = StorageKey("older")
        let newer = StorageKey("newer")
        var violations: [String] = []
        // The older of two values is removed, so the greatest number of a value stays the same.
        let removals: [(change: StorageChange, name: String)] = [
            (.remove(older), "Removing a value"), (.removeAll(under: older), "Removing all under a key"),
        ]
        for removal in removals {
            try store.apply([.put(older, Data([1]))])
            try store.apply([.put(newer, Data([2]))])
            guard let before = try store.revision() else { break }
            try store.apply([removal.change])
            guard try store.revision() == before else { continue }
            violations.append(
                violation(
                    "\(removal.name) changes the revision.",
                    usually: "the revision is the greatest number of the values that are left"))
        }
        try store.apply([.put(older, Data([1])), .put(newer, Data([2]))])
        let keys = [newer, StorageKey("missing"), older]
        let expected: [Data?] = [Data([2]), nil, Data([1])]
        var isInOrder = true
        let readings: [any StorageReading] = [store, ReadInUpdates(storage: store)]
        for reading in readings {
            let values: [Data?] = try reading.values(for: keys).map { try? $0.get() }
            if values != expected { isInOrder = false }
        }
        if !isInOrder {
            violations.append(
                violation(
                    "Several values come in the order of their keys, with nil for a missing one.",
                    usually: "a query returns only the values that exist, in an order of its own"))
        }
        try store.removeEverything()
        return violations
    }

    /// Tests that two handles that stay open use the same store after one of them has emptied it or set it aside.
    package static func exchangeViolations(
        _ handles: (any StorageBackend, any StorageBackend)
    ) throws(StorageError) -> [String] {
        let (store, other) = handles
        let key = StorageKey("exchange")
        typealias Step = () throws(StorageError) -> Void
        let steps: [(name: String, mayLeaveValues: Bool, run: Step)] = [
            ("everything was removed", false, { () throws(StorageError) in try store.removeEverything() }),
            ("the store was set aside", true, { () throws(StorageError) in try store.setAside() }),
        ]
        var violations: [String] = []
        for step in steps {
            try store.apply([.put(key, Data([1]))])
            // A handle that never sees what another one writes is reported for that alone.
            guard try other.value(for: key) == Data([1]) else { break }
            try step.run()
            let left = try store.value(for: key)
            var holds = left == nil || step.mayLeaveValues
            if try other.value(for: key) != left { holds = false }
            try other.update { _ in [.put(key, Data([2]))] }
            if try store.value(for: key) != Data([2]) { holds = false }
            try store.apply([.put(key, Data([3]))])
            if try other.value(for: key) != Data([3]) { holds = false }
            guard !holds else { continue }
            violations.append(
                violation(
                    "After \(step.name), every handle that was open uses the same store.",
                    usually: "a handle keeps a file or a connection whose place another one has taken"))
        }
        try store.removeEverything()
        return violations
    }

    /// Tests that no revision is used again for other values, because callers that cache values compare nothing else.
    ///
    /// The changes are made by each of the two methods.
    package static func revisionViolations(_ store: any StorageBackend) throws(StorageError) -> [String] {
        try changedBothWays(store) { store throws(StorageError) in try reusedRevisions(store) }
    }

    private static func reusedRevisions(_ store: any StorageBackend) throws(StorageError) -> [String] {
        let key = StorageKey("revision")
        var known: [UInt64: Data] = [:]
        func isNew() throws(StorageError) -> Bool {
            guard let revision = try store.revision() else { return true }
            let value = try store.value(for: key) ?? Data()
            return known.updateValue(value, forKey: revision).map { $0 == value } ?? true
        }
        typealias Step = () throws(StorageError) -> Void
        let restart = "the number is counted in what was removed, and begins again"
        let steps: [(promise: String, cause: String, begin: Step, change: (Data) -> StorageChange)] = [
            (
                "No revision comes back after everything was removed.", restart,
                { () throws(StorageError) in try store.removeEverything() }, { .put(key, $0) }
            ),
            (
                "No revision comes back after the store was set aside.", restart,
                { () throws(StorageError) in try store.setAside() }, { .put(key, $0) }
            ),
            (
                "`putIfAbsent` changes the revision if it stores a value.", "only other changes are counted",
                { () throws(StorageError) in try store.apply([.remove(key)]) }, { .putIfAbsent(key, $0) }
            ),
        ]
        var violations: [String] = []
        var number: UInt8 = 0
        for step in steps {
            var holds = true
            // A number that begins again has in the second round what it had in the first one.
            for _ in 0..<2 {
                try step.begin()
                if try !isNew() { holds = false }
                number += 1
                try store.apply([step.change(Data([number]))])
                if try !isNew() { holds = false }
            }
            if !holds { violations.append(violation(step.promise, usually: step.cause)) }
        }
        try store.removeEverything()
        return violations
    }
}
