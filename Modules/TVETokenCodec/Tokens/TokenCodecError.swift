/// The reason for which bytes were refused as a token or as a service answer.
///
/// Associated values are positions, limits and element names of the documented formats, and never text from the input.
public enum TokenCodecError: Error, Sendable, Hashable {
    /// The input has no content.
    case empty
    /// The input is longer than the limit, in bytes.
    case tooLarge(limit: Int)
    /// The byte at this offset does not belong to valid UTF-8.
    case invalidUTF8(offset: Int)
    /// The byte at this offset is NUL.
    case nulByte(offset: Int)
    /// Elements are nested deeper than the limit.
    case tooDeep(limit: Int)
    /// There are more elements than the limit.
    case tooManyElements(limit: Int)
    /// An element has more attributes than the limit, or the document has more namespaces.
    case tooManyAttributes(limit: Int)
    /// The document declares a document type.
    case documentTypeForbidden
    /// The document contains a processing instruction, or a comment where none is allowed.
    case markupForbidden
    /// The XML is not well-formed, with libxml2's error number and the line of the error.
    case malformedXML(code: Int, line: Int)
    /// The root element is not the expected one.
    case unexpectedRoot(expected: String)
    /// A required element is missing.
    case missingElement(String)
    /// An element that may occur only once occurs again.
    case duplicateElement(String)
    /// An element has content that does not belong there, such as child elements, attributes, or text between children.
    case unexpectedContent(String)
    /// An element's text is not a date of the documented form.
    case invalidDate(String)
    /// An element's text is not a whole number in range.
    case invalidNumber(String)
    /// The signature envelope is invalid, with the kind of fault.
    case envelope(EnvelopeFault)

    /// The fault of a signature envelope.
    public enum EnvelopeFault: Sendable, Hashable {
        /// The text does not begin with the signature marker.
        case missing
        /// There is no second marker.
        case unterminated
        /// There is nothing between the markers.
        case emptySignature
        /// The text between the markers is not Base64.
        case signatureNotBase64
        /// Nothing follows the second marker.
        case emptyBody
        /// The text after the second marker does not begin with the token's element, or does not end with it.
        case strayBytes
        /// A second element, or text, follows the token's.
        case secondBody
        /// The text begins like a token in Base64, but is not Base64 as a whole.
        case wrappingNotBase64
        /// The token was encoded in Base64 twice.
        case wrappedTwice
        /// A plus sign has become a space, as it does in forms.
        case plusIsSpace
        /// The token is escaped with percent signs, as in a URL.
        case percentEscaped
        /// The token is escaped as in HTML or XML.
        case htmlEscaped
        /// The token is in quotation marks or backticks.
        case quoted
        /// The text is JSON, which may contain a token, or it has the escapes of JSON.
        case json
        /// The token is the value of a header, after the word `Bearer`.
        case bearer
        /// Something else stands before the token, such as a name or a declaration of XML.
        case textBefore
        /// The text is a JSON Web Token, such as an access token or a software statement.
        case jsonWebToken
    }
}
