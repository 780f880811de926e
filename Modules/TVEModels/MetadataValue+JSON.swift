public import Foundation

extension MetadataValue {
    /// Reads a JSON document from outside, of whatever kind.
    ///
    /// Takes a time that grows with the number of bytes alone, whatever they are. A `JSONDecoder` takes some hundred times as long
    /// for values of any kind, since it must try each.
    ///
    /// - Parameter bytes: the document in UTF-8: up to 1 MB, 32 lists and maps in each other, names of up to 256 bytes.
    /// - Throws: ``OutsideJSONError`` with what is wrong.
    public init(json bytes: Data) throws(OutsideJSONError) {
        self = try OutsideJSON.decode(MetadataValue.self, from: bytes)
    }
}
