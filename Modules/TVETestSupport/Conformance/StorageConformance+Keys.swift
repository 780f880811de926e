import Foundation
public import TVEStorage

/// What keys promise: each is its bytes, all of them.
extension StorageConformance {
    /// Stores a value under each of several keys that a file system, a database column or a `String` may take for the same, or cut.
    ///
    /// - Parameter store: a store, which is emptied.
    /// - Returns: one sentence for each group of keys that are not told apart.
    /// - Throws: the `StorageError` of a call that should have worked.
    public static func keyViolations(_ store: any StorageBackend) throws(StorageError) -> [String] {
        let long = String(repeating: "k", count: longestComponent - 1)
        let groups: [(promise: String, components: [String])] = [
            ("Keys are compared by their bytes, not by what looks the same.", ["caf\u{E9}", "cafe\u{301}"]),
            ("Keys are compared by their bytes, not by Unicode's compatible forms.", ["K", "\u{212A}"]),
            ("Keys are told apart by upper and lower case.", ["key", "KEY", "Key"]),
            ("Keys are told apart by spaces and dots at their ends.", ["end", "end ", " end", "end.", ".end"]),
            ("A key is not cut at a zero byte.", ["zero", "zero\u{0}", "zero\u{0}byte"]),
            (
                "A key of \(longestComponent) bytes a component is not cut.",
                [long, long + "a", long + "b"]
            ),
            ("A key may be as long as six such components.", [1, 2].map { depth(long, last: "\($0)") }),
            ("A component may be a path, a query or a quotation.", ["..", "../..", "a?b=%2F", "'\"`;--\\\n"]),
        ]
        var violations: [String] = []
        for (promise, components) in groups {
            try store.apply([.removeAll(under: .everything)])
            let keys = components.map { StorageKey("keys", $0) }
            for (number, key) in keys.enumerated() { try store.apply([.put(key, Data([UInt8(number)]))]) }
            var holds = try Set(store.keys(under: StorageKey("keys"))) == Set(keys)
            for (number, key) in keys.enumerated() where try store.value(for: key) != Data([UInt8(number)]) {
                holds = false
            }
            // Removing one leaves the others.
            try store.apply([.remove(keys[0])])
            if try Set(store.keys(under: .everything)) != Set(keys.dropFirst()) { holds = false }
            if !holds { violations.append(promise) }
        }
        try store.apply([.removeAll(under: .everything)])
        return violations
    }

    /// In bytes: a resource in MRSS, with a title in it, is a component.
    private static let longestComponent = 1024

    private static func depth(_ component: String, last: String) -> String {
        Array(repeating: component, count: 5).joined(separator: "/") + "/" + last
    }
}
