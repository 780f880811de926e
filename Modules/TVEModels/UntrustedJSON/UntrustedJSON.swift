package import Foundation

/// A reader of JSON from outside: responses of services, requests, headers and stored copies.
///
/// Types that are read often are read by a ``JSONCursor``. Other types are `Decodable`. Foundation's decoder parses a
/// whole document before it looks at a type, and tries several types for a value that may be of any kind, so the cursor
/// validates the document first. In both cases, the time grows linearly with the length of the document (Benchmarks,
/// `HostileJSONBenchmarks`).
package enum UntrustedJSON {
    /// Reads a document directly into a type.
    ///
    /// - Parameters:
    ///   - type: the type to read.
    ///   - bytes: the document in UTF-8.
    ///   - limits: the maximum size and nesting of the document.
    /// - Throws: ``UntrustedJSONError``; `.unreadable` for a document of another shape.
    package static func read<Value: JSONReadable>(
        _ type: Value.Type, from bytes: Data, _ limits: Limits = .answer
    ) throws(UntrustedJSONError) -> Value {
        // The size is checked before the bytes are copied.
        guard bytes.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
        return try read(type, bytes: Array(bytes), limits: limits)
    }

    /// Reads a document directly into a type.
    ///
    /// - Parameters:
    ///   - type: the type to read.
    ///   - text: the document.
    ///   - limits: the maximum size and nesting of the document.
    /// - Throws: ``UntrustedJSONError``; `.unreadable` for a document of another shape.
    package static func read<Value: JSONReadable>(
        _ type: Value.Type, from text: String, _ limits: Limits = .answer
    ) throws(UntrustedJSONError) -> Value {
        guard text.utf8.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
        return try read(type, bytes: Array(text.utf8), limits: limits)
    }

    private static func read<Value: JSONReadable>(
        _ type: Value.Type, bytes: [UInt8], limits: Limits
    ) throws(UntrustedJSONError) -> Value {
        var cursor = try JSONCursor(bytes, limits)
        let value = try type.init(&cursor)
        guard cursor.isAtEnd() else { throw .malformed }
        guard let value else { throw .unreadable(UnexpectedShape()) }
        return value
    }

    /// The error for a document that is JSON but has another shape than its reader expects.
    private struct UnexpectedShape: Error {}

    /// Decodes a document with Foundation's decoder, after the cursor has validated it.
    ///
    /// - Parameters:
    ///   - bytes: the document in UTF-8.
    ///   - limits: the maximum size and nesting of the document.
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

    /// The limits on the size and nesting of a document.
    package struct Limits: Sendable {
        /// The maximum size in bytes.
        package var bytes: Int
        /// The maximum nesting of lists and maps.
        package var depth: Int
        /// The maximum length of a name in a map, in bytes.
        ///
        /// Names become keys of dictionaries. The time in which `String` hashes a run of combining marks grows with the
        /// square of its length: 80 s for a name of 512 KB.
        package var nameBytes: Int
        /// A Boolean value that indicates whether invalid JSON inside a document is tolerated.
        ///
        /// Values that no reader uses are then skipped by their brackets alone, and values that cannot be read are
        /// treated as missing. Invalid bytes and escape sequences in texts are replaced.
        ///
        /// Use it for recordings of other programs, in which one invalid field must not make the rest unreadable.
        package var isForgiving: Bool

        /// Creates limits.
        package init(
            bytes: Int, depth: Int = MetadataValue.maximumDepth, nameBytes: Int = 256, isForgiving: Bool = false
        ) {
            self.bytes = bytes
            self.depth = depth
            self.nameBytes = nameBytes
            self.isForgiving = isForgiving
        }

        /// The limits for a configuration.
        ///
        /// One with 10,000 providers fits, as it does in XML.
        package static let configuration = Limits(bytes: 16 << 20)
        /// The limits for any other response of the service.
        package static let answer = Limits(bytes: 1 << 20)
        /// The limits for headers, claims, copies of logins and bodies of requests, which concern a single device or
        /// viewer.
        package static let small = Limits(bytes: 256 << 10)
    }
}
