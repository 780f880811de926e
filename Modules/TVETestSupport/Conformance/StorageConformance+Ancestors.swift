import Foundation
package import TVEStorage

/// The tests of the promises about keys below others, and about batches that remove and store.
extension StorageConformance {
    /// Tests that the keys below a key are found and removed by their bytes, and that a key and those below it are
    /// stored independently.
    package static func ancestorViolations(_ store: any StorageBackend) throws(StorageError) -> [String] {
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
        try store.apply([.removeAll(under: .everything)])
        return violations
    }
}
