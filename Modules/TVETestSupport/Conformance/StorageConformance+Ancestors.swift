import Foundation
package import TVEStorage

/// The tests of the promises about keys below others, about batches that remove and store, and about long lists.
extension StorageConformance {
    /// Tests that the keys below a key are found and removed by their bytes, and that a key and those below it are
    /// stored independently, outside an update and inside one.
    package static func ancestorViolations(_ store: any StorageBackend) throws(StorageError) -> [String] {
        try readBothWays(store) { store throws(StorageError) in try branchViolations(store) }
    }

    private static func branchViolations(_ store: any StorageBackend) throws(StorageError) -> [String] {
        var violations: [String] = []
        let above = StorageKey("above")
        try store.apply([.removeAll(under: .everything)])
        // Each pair looks alike to a query with a pattern, to one that ignores case, or to a `String`.
        let pairs = [
            ["a_b", "axb"], ["a%b", "axxb"], ["a*b", "axxb"], ["abc", "ABC"], ["caf\u{E9}", "cafe\u{301}"],
        ]
        for pair in pairs {
            try store.apply([.removeAll(under: above)])
            let keys = pair.map { above.appending($0).appending("x") }
            try store.apply(keys.map { .put($0, Data([1])) })
            var holds = try store.keys(under: above.appending(pair[0])) == [keys[0]]
            try store.apply([.removeAll(under: above.appending(pair[0]))])
            if try store.keys(under: above) != [keys[1]] { holds = false }
            guard !holds else { continue }
            violations.append(
                violation(
                    "The keys below `\(pair[0])` are not those below `\(pair[1])`.",
                    usually: "they are searched with a pattern, or without regard to case"))
        }
        let child = above.appending("child")
        try store.apply([.put(child, Data([1])), .put(above, Data([2]))])
        try store.apply([.put(above, Data([3]))])
        try store.apply([.remove(above)])
        if try store.value(for: child) != Data([1]) {
            violations.append(
                violation(
                    "Storing or removing a value keeps the values below its key.",
                    usually: "a key is a node of a tree, whose branch is replaced with it"))
        }
        try store.apply([.remove(child), .put(child, Data([4]))])
        let first = try store.value(for: child)
        try store.apply([.removeAll(under: above), .put(child, Data([5]))])
        let second = try store.value(for: child)
        if first != Data([4]) || second != Data([5]) {
            violations.append(
                violation(
                    "A put after a removal in the same batch stores the value.",
                    usually: "all removals of a batch are made at its end"))
        }
        try store.apply([.put(child, Data([6])), .removeAll(under: above)])
        if try store.value(for: child) != nil {
            violations.append(
                violation(
                    "Removing all under a key also removes what the same batch has put there.",
                    usually: "all under a key is removed before the other changes are made"))
        }
        try store.apply([.put(child, Data([7]))])
        try store.apply([.remove(child), .putIfAbsent(child, Data([8]))])
        if try store.value(for: child) != Data([8]) {
            violations.append(
                violation(
                    "`putIfAbsent` stores a value after a removal in the same batch.",
                    usually: "it looks for a value before the batch instead of one before the change"))
        }
        try store.apply([.removeAll(under: .everything)])
        return violations
    }

    /// Tests that a long list names all of its keys, and that all of their values are read and removed.
    package static func listViolations(_ store: any StorageBackend) throws(StorageError) -> [String] {
        let list = StorageKey("list")
        // Places that return a list in pages have up to a thousand entries on the first one.
        let count = max(2, min(1_200, (store.capacity ?? .max) / 64))
        let texts = (0..<count).map { "\($0)" }
        let keys = texts.map { list.appending($0) }
        let expected: [Data?] = texts.map { Data($0.utf8) }
        try store.apply([.removeAll(under: .everything)])
        try store.apply(texts.map { .put(list.appending($0), Data($0.utf8)) })
        var isListComplete = true
        var areValuesComplete = true
        let sorted = keys.sorted()
        let readings: [any StorageReading] = [store, ReadInUpdates(storage: store)]
        for reading in readings {
            if try reading.keys(under: list).sorted() != sorted { isListComplete = false }
            let values: [Data?] = try reading.values(for: keys).map { try? $0.get() }
            if values != expected { areValuesComplete = false }
        }
        var violations: [String] = []
        if !isListComplete {
            violations.append(
                violation(
                    "A list of \(keys.count) keys names each of them once.",
                    usually: "only the first page of a list is read"))
        }
        if !areValuesComplete {
            violations.append(
                violation(
                    "The values of \(keys.count) keys are all read at once.",
                    usually: "only the first page of the values is read"))
        }
        try store.apply([.removeAll(under: list)])
        if try !store.keys(under: list).isEmpty {
            violations.append(
                violation(
                    "Removing all under a key removes \(keys.count) values.",
                    usually: "only the first page of a list is removed"))
        }
        try store.apply([.removeAll(under: .everything)])
        return violations
    }
}
