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
    /// An element has more attributes than the limit.
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
        /// The text after the second marker does not begin with the token's element, or continues after it.
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
        /// The token is in quotation marks.
        case quoted
        /// The text is JSON, which may contain a token.
        case json
    }
}

extension TokenCodecError: CustomStringConvertible {
    /// A sentence about the error and its location, without any of the input.
    public var description: String {
        switch self {
        case .empty: "The input is empty."
        case .tooLarge(let limit): "The input is longer than \(limit) bytes."
        case .invalidUTF8(let offset): "The byte at offset \(offset) is not valid UTF-8."
        case .nulByte(let offset): "The byte at offset \(offset) is NUL."
        case .tooDeep(let limit): "Elements are nested deeper than \(limit)."
        case .tooManyElements(let limit): "There are more than \(limit) elements."
        case .tooManyAttributes(let limit): "An element has more than \(limit) attributes."
        case .documentTypeForbidden: "The document declares a document type."
        case .markupForbidden: "The document contains a processing instruction or a comment."
        case .malformedXML(let code, let line): "The XML is not well-formed (error \(code) on line \(line))."
        case .unexpectedRoot(let expected): "The root element is not \(expected)."
        case .missingElement(let name): "The element \(name) is missing or empty."
        case .duplicateElement(let name): "The element \(name) occurs twice."
        case .unexpectedContent(let name): "The element \(name) contains something that does not belong there."
        case .invalidDate(let name): "The element \(name) does not contain a date in the documented form."
        case .invalidNumber(let name): "The element \(name) does not contain a whole number in range."
        case .envelope(let fault): fault.sentence
        }
    }
}

extension TokenCodecError.EnvelopeFault {
    fileprivate var sentence: String {
        switch self {
        case .missing: "This is not a signed token: it does not begin with the signature marker."
        case .unterminated: "The signature is not followed by a second marker."
        case .emptySignature: "The signature is empty."
        case .signatureNotBase64: "The signature is not Base64."
        case .emptyBody: "Nothing follows the signature."
        case .secondBody: "Something follows the token's element."
        case .strayBytes: "There is something before or after the token's element."
        case .wrappingNotBase64: "The token's Base64 is damaged. Copy it again, as a whole."
        case .wrappedTwice: "The token was encoded in Base64 twice. Decode it once before it is sent."
        case .plusIsSpace:
            "A plus sign of the token has become a space, as in a form. Send it as JSON, or escape it as %2B in a form."
        case .percentEscaped: "The token is escaped with percent signs, as in a URL. Decode it before it is sent."
        case .htmlEscaped: "The token is escaped as in HTML or XML. Unescape it before it is sent."
        case .quoted: "The token is in quotation marks. Remove them."
        case .json: "This is JSON. Send the token alone, the text of its field."
        }
    }
}
