public import Foundation

extension MetadataValue {
    /// Reads a JSON document of any kind from outside.
    ///
    /// The time grows only with the number of bytes, whatever they contain. A `JSONDecoder` takes some hundred times as
    /// long for values of any kind, because it must try each.
    ///
    /// - Parameter bytes: the document in UTF-8: at most 1 MB, 32 nested lists and maps, and names of 256 bytes.
    /// - Throws: ``OutsideJSONError``, which says what is wrong.
    public init(json bytes: Data) throws(OutsideJSONError) {
        self = try OutsideJSON.decode(MetadataValue.self, from: bytes)
    }
}
