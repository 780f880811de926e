import Foundation
import TVEModels
package import TVEStorage

extension StorageConformance {
    /// Tests that every removal changes the revision, and that several values are read as one by one.
    package static func readingViolations(_ store: any StorageBackend) throws(StorageError) -> [String] {
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
        let read = Guarded<[[Data?]]>([try store.values(for: keys).map { (try? $0.get()) ?? nil }])
        try store.update { present throws(StorageError) in
            let values = try present.values(for: keys).map { (try? $0.get()) ?? nil }
            read.withLock { $0.append(values) }
            return []
        }
        if read.withLock({ $0.contains { $0 != expected } }) {
            violations.append(
                violation(
                    "Several values come in the order of their keys, with nil for a missing one.",
                    usually: "a query returns only the values that exist, in an order of its own"))
        }
        try store.removeEverything()
        return violations
    }
}
