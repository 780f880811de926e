package import Foundation

/// The one place where JSON from outside is read.
///
/// Foundation's decoder reads a whole document before it looks at a type, and a value that fits no type is tried as several. So the
/// bytes are looked at first, once and in order: their number, their encoding, how deep they are nested and how long names are. What
/// passes costs a time that grows with its length alone (Benchmarks, `HostileJSONBenchmarks`).
package enum OutsideJSON {
    /// Reads a document.
    ///
    /// - Parameters:
    ///   - type: what it is to be.
    ///   - bytes: the document in UTF-8.
    ///   - limits: how large and deep it may be.
    /// - Returns: the value.
    /// - Throws: ``OutsideJSONError``.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: Data, _ limits: Limits = .answer
    ) throws(OutsideJSONError) -> Value {
        try check(bytes, limits)
        let decoder = JSONDecoder()
        if let key = OutsideJSONDocument.key { decoder.userInfo[key] = OutsideJSONDocument(bytes) }
        do {
            return try decoder.decode(type, from: bytes)
        } catch {
            throw .unreadable(error)
        }
    }

    /// Reads a document that came as text.
    ///
    /// - Parameters:
    ///   - type: what it is to be.
    ///   - text: the document.
    ///   - limits: how large and deep it may be.
    /// - Returns: the value.
    /// - Throws: ``OutsideJSONError``.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from text: String, _ limits: Limits = .answer
    ) throws(OutsideJSONError) -> Value {
        // Before the copy is made.
        guard text.utf8.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
        return try decode(type, from: Data(text.utf8), limits)
    }

    /// Whether a document is an object, whatever is in it.
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
        /// Most lists and maps in each other.
        package var depth: Int
        /// Most bytes of a name in a map.
        ///
        /// Names become keys of dictionaries, and `String` takes a time that grows with the square of a row of combining marks to
        /// hash it: 80 s for a name of 512 KB.
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

    /// Refuses what is too large, too deep or not UTF-8, and names that are too long.
    ///
    /// It is no judge of grammar: only brackets and colons outside of texts count. What it lets pass, the decoder reads or
    /// refuses.
    ///
    /// - Parameters:
    ///   - bytes: the document.
    ///   - limits: how large and deep it may be.
    /// - Throws: ``OutsideJSONError``; `.malformed` for a bracket too many and for bytes that occur in no UTF-8, since the decoder
    ///   would take UTF-16 and UTF-32 too, where these bytes mean something else.
    package static func check(_ bytes: Data, _ limits: Limits) throws(OutsideJSONError) {
        guard bytes.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
        var scan = OutsideJSONScan(limits)
        // Byte by byte through `Data` takes ten times as long.
        let refusal = bytes.withUnsafeBytes { scan.refusal(of: $0) }
        if let refusal { throw refusal }
    }
}
