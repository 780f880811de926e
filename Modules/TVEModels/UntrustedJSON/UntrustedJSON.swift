package import Foundation

/// Reads JSON from outside: answers of services, requests, headers, stored copies.
///
/// What is read often is read by a ``JSONCursor``. Other types are `Decodable`: Foundation's decoder reads a whole document
/// before it looks at a type, and tries several types for a value that may be of any, so that the cursor passes the document
/// first. In both cases the time grows only with the length of the document (Benchmarks, `HostileJSONBenchmarks`).
package enum UntrustedJSON {
    /// Reads a document straight into a type.
    ///
    /// - Parameters:
    ///   - type: what it must be.
    ///   - bytes: the document in UTF-8.
    ///   - limits: how large and deep it may be.
    /// - Throws: ``UntrustedJSONError``; `.unreadable` for a document of another shape.
    package static func read<Value: JSONReadable>(
        _ type: Value.Type, from bytes: Data, _ limits: Limits = .answer
    ) throws(UntrustedJSONError) -> Value {
        // Before the bytes are copied.
        guard bytes.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
        return try read(type, Array(bytes), limits)
    }

    /// Reads a document straight into a type.
    ///
    /// - Parameters:
    ///   - type: what it must be.
    ///   - text: the document.
    ///   - limits: how large and deep it may be.
    /// - Throws: ``UntrustedJSONError``; `.unreadable` for a document of another shape.
    package static func read<Value: JSONReadable>(
        _ type: Value.Type, from text: String, _ limits: Limits = .answer
    ) throws(UntrustedJSONError) -> Value {
        guard text.utf8.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
        return try read(type, Array(text.utf8), limits)
    }

    private static func read<Value: JSONReadable>(
        _ type: Value.Type, _ bytes: [UInt8], _ limits: Limits
    ) throws(UntrustedJSONError) -> Value {
        var cursor = try JSONCursor(bytes, limits)
        let value = try type.init(&cursor)
        guard cursor.isAtEnd() else { throw .malformed }
        guard let value else { throw .unreadable(UnexpectedShape()) }
        return value
    }

    /// The document is JSON, but something else than its reader expects.
    private struct UnexpectedShape: Error {}

    /// Decodes a document with Foundation's decoder, after the cursor has passed it.
    ///
    /// - Parameters:
    ///   - bytes: the document in UTF-8.
    ///   - limits: how large and deep it may be.
    /// - Throws: ``UntrustedJSONError``.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: Data, _ limits: Limits = .answer
    ) throws(UntrustedJSONError) -> Value {
        guard bytes.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
        let start = try JSONCursor(Array(bytes), limits)
        var cursor = start
        try cursor.skip()
        guard cursor.isAtEnd() else { throw .malformed }
        let decoder = JSONDecoder()
        if let key = UntrustedJSONDocument.key { decoder.userInfo[key] = UntrustedJSONDocument(start) }
        do {
            return try decoder.decode(type, from: bytes)
        } catch {
            throw .unreadable(error)
        }
    }

    /// Whether a document is an object, whatever it contains.
    ///
    /// - Parameters:
    ///   - bytes: the document in UTF-8.
    ///   - limits: how large and deep it may be.
    package static func isObject(_ bytes: Data, _ limits: Limits = .small) -> Bool {
        struct AnyObject: JSONReadable {
            init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
                guard try json.members({ (_, _) throws(UntrustedJSONError) in }) else { return nil }
            }
        }
        return (try? read(AnyObject.self, from: bytes, limits)) != nil
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
        /// Whether what nobody reads is passed by its brackets alone, and what cannot be read counts as missing: bytes and
        /// escapes that are no text are replaced, and other values that are no JSON have no value.
        ///
        /// For recordings that other programs write, of which one field must not make the rest unreadable.
        package var isForgiving: Bool

        /// Sets limits.
        package init(
            bytes: Int, depth: Int = MetadataValue.maximumDepth, nameBytes: Int = 256, isForgiving: Bool = false
        ) {
            self.bytes = bytes
            self.depth = depth
            self.nameBytes = nameBytes
            self.isForgiving = isForgiving
        }

        /// A configuration; one with 10,000 providers fits, as it does in XML.
        package static let configuration = Limits(bytes: 16 << 20)
        /// Any other answer of the service.
        package static let answer = Limits(bytes: 1 << 20)
        /// Headers, claims, copies of logins, bodies of requests: what one device says about itself or one viewer.
        package static let small = Limits(bytes: 256 << 10)
    }
}
