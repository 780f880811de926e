/// An error that prevented reading JSON from outside.
///
/// Its payloads are limits and the decoder's own error. Its descriptions contain no part of the document.
public enum UntrustedJSONError: Error, Sendable, CustomStringConvertible {
    /// The document has more bytes than the limit, which is in bytes.
    case tooLarge(limit: Int)
    /// Lists and maps are nested deeper than the limit.
    case tooDeep(limit: Int)
    /// A name in a map is longer than the limit, which is in bytes.
    case nameTooLong(limit: Int)
    /// The bytes are not JSON in UTF-8.
    case malformed
    /// The document is not JSON or does not have the expected shape, according to this error of the decoder.
    case unreadable(any Error)

    /// A sentence about what was found, and one about what to do; without any part of the document.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "The JSON is longer than \(limit) bytes. Shorten it or divide it."
        case .tooDeep(let limit): "The JSON is nested deeper than \(limit). Check where it comes from."
        case .nameTooLong(let limit): "A name in the JSON is longer than \(limit) bytes. Check where it comes from."
        case .malformed: "The input is not JSON in UTF-8. Check it with a program that reads JSON, such as jq."
        case .unreadable: "The JSON does not have the expected shape. Compare its fields with the documented ones."
        }
    }
}
