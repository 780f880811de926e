import Foundation

/// A type that is read from JSON by a ``JSONCursor``.
///
/// The cursor pulls the values of the document straight into the type: nothing between the bytes and its properties is
/// allocated. Types that are not read often may be `Decodable` instead; see ``UntrustedJSON``.
package protocol JSONReadable {
    /// Reads the next value of a document, and moves the cursor behind it.
    ///
    /// - Parameter json: where the value begins.
    /// - Returns: nil for a value of another shape; the cursor is behind it all the same.
    /// - Throws: ``UntrustedJSONError`` for a document that is not JSON or exceeds its limits.
    init?(_ json: inout JSONCursor) throws(UntrustedJSONError)
}

extension String: JSONReadable {
    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        guard let text = try json.string() else { return nil }
        self = text
    }
}

/// A list of which each element has the shape of the type; ``JSONCursor/list(of:)`` leaves out those that do not.
extension Array: JSONReadable where Element: JSONReadable {
    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var elements: [Element] = []
        var count = 0
        let isList = try json.list { (json) throws(UntrustedJSONError) in
            count += 1
            if let element = try Element(&json) { elements.append(element) }
        }
        guard isList, elements.count == count else { return nil }
        self = elements
    }
}

extension [String: MetadataValue]: JSONReadable {
    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        guard case .object(let values) = try json.tree() else { return nil }
        self = values
    }
}

extension JSONReadable where Self: Decodable {
    /// Reads a value that a decoder holds, with the one reader of its type.
    ///
    /// For public types, which anyone may decode with any decoder.
    ///
    /// - Parameter decoder: where to read from.
    /// - Throws: `DecodingError` when the value has another shape or exceeds the limits of an answer.
    package init(reading decoder: any Decoder) throws {
        do {
            let bytes = try JSONEncoder().encode(MetadataValue(from: decoder))
            self = try UntrustedJSON.read(Self.self, from: bytes)
        } catch let error as UntrustedJSONError {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error))
        }
    }
}
