import Foundation

/// A type that a ``JSONCursor`` can read from JSON.
///
/// The cursor reads the values of the document directly into the type and allocates nothing in between. Types that are
/// not read often may be `Decodable` instead; see ``UntrustedJSON``.
package protocol JSONReadable {
    /// Reads the next value of a document and moves the cursor past it.
    ///
    /// - Parameter json: the cursor at the beginning of the value.
    /// - Returns: nil for a value of another shape. The cursor moves past it as well.
    /// - Throws: ``UntrustedJSONError`` for a document that is not JSON or exceeds its limits.
    init?(_ json: inout JSONCursor) throws(UntrustedJSONError)
}

extension String: JSONReadable {
    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        guard let text = try json.string() else { return nil }
        self = text
    }
}

/// A list in which every element has the shape of the type.
///
/// ``JSONCursor/list(of:)`` omits the elements that do not.
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
    /// Reads a value from a decoder with the type's JSON reader, so that each type has a single reader.
    ///
    /// It serves public types, which apps may decode with any decoder.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` when the value has another shape or exceeds the limits of a response.
    package init(reading decoder: any Decoder) throws {
        do {
            let bytes = try JSONEncoder().encode(MetadataValue(from: decoder))
            self = try UntrustedJSON.read(Self.self, from: bytes)
        } catch let error as UntrustedJSONError {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error))
        } catch is EncodingError {
            // Other formats have numbers that JSON has not, such as NaN. The error would print the value.
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "A value cannot be written as JSON."))
        }
    }
}
