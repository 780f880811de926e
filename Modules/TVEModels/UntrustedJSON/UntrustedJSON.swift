package import Foundation

/// Reads JSON from outside: answers of services, requests, headers, stored copies.
///
/// Foundation's decoder reads a whole document before it looks at a type, and tries several types for a value that may
/// be of any. So this code scans the bytes first, once and in order: their number, their encoding, the depth of nesting
/// and the length of names. A document that passes takes a time that grows only with its length (Benchmarks,
/// `HostileJSONBenchmarks`).
package enum UntrustedJSON {
    /// - Parameters:
    ///   - bytes: the document in UTF-8.
    ///   - limits: how large and deep it may be.
    /// - Throws: ``UntrustedJSONError``.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: Data, _ limits: Limits = .answer
    ) throws(UntrustedJSONError) -> Value {
        try check(bytes, limits)
        let decoder = JSONDecoder()
        if let key = UntrustedJSONDocument.key { decoder.userInfo[key] = UntrustedJSONDocument(bytes) }
        do {
            return try decoder.decode(type, from: bytes)
        } catch {
            throw .unreadable(error)
        }
    }

    /// - Parameter limits: how large and deep it may be.
    /// - Throws: ``UntrustedJSONError``.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from text: String, _ limits: Limits = .answer
    ) throws(UntrustedJSONError) -> Value {
        // Before the string is copied.
        guard text.utf8.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
        return try decode(type, from: Data(text.utf8), limits)
    }

    /// Whether a document is an object, whatever it contains.
    ///
    /// - Parameters:
    ///   - bytes: the document in UTF-8.
    ///   - limits: how large and deep it may be.
    package static func isObject(_ bytes: Data, _ limits: Limits = .small) -> Bool {
        struct AnyObject: Decodable {
            private enum NoKey: CodingKey {}

            init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: NoKey.self) }
        }
        return (try? decode(AnyObject.self, from: bytes, limits)) != nil
    }

    /// How large and deep a document may be.
    package struct Limits: Sendable {
        /// Most bytes.
        package var bytes: Int
        /// Most nested lists and maps.
        package var depth: Int
        /// Most bytes of a name in a map.
        ///
        /// Names become keys of dictionaries, and the time in which `String` hashes a run of combining marks grows with
        /// the square of its length: 80 s for a name of 512 KB.
        package var nameBytes: Int

        /// Sets limits.
        package init(bytes: Int, depth: Int = MetadataValue.maximumDepth, nameBytes: Int = 256) {
            self.bytes = bytes
            self.depth = depth
            self.nameBytes = nameBytes
        }

        /// A configuration; one with 10,000 providers fits, as it does in XML.
        package static let configuration = Limits(bytes: 16 << 20)
        /// Any other answer of the service.
        package static let answer = Limits(bytes: 1 << 20)
        /// Headers, claims, copies of logins, bodies of requests: what one device says about itself or one viewer.
        package static let small = Limits(bytes: 256 << 10)
    }

    /// Rejects documents that are too large, too deep or not UTF-8, and names that are too long.
    ///
    /// It does not check the grammar: only brackets and colons outside of strings count. The decoder reads or rejects
    /// the documents that pass.
    ///
    /// - Parameter limits: how large and deep it may be.
    /// - Throws: ``UntrustedJSONError``; `.malformed` for unbalanced brackets and for bytes that never occur in UTF-8,
    ///   because the decoder would also accept UTF-16 and UTF-32, where these bytes have another meaning.
    package static func check(_ bytes: Data, _ limits: Limits) throws(UntrustedJSONError) {
        guard bytes.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
        var scan = UntrustedJSONScan(limits)
        // Reading `Data` byte by byte takes ten times as long.
        let refusal = bytes.withSpan { scan.refusal(of: $0) }
        if let refusal { throw refusal }
    }
}
