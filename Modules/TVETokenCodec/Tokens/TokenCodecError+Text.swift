extension TokenCodecError: CustomStringConvertible {
    /// A sentence about what was found and where, and one about what to do; without any of the input.
    public var description: String { "\(finding). \(advice)." }

    /// The first sentence, about what was found, without its full stop.
    ///
    /// The second sentence is for those who send a token. Those who receive a service's answer cannot follow it.
    package var finding: String {
        switch self {
        case .empty: "The input is empty"
        case .tooLarge(let limit): "The input is longer than \(limit) bytes"
        case .invalidUTF8(let offset): "The byte at offset \(offset) is not valid UTF-8"
        case .nulByte(let offset): "The byte at offset \(offset) is NUL"
        case .tooDeep(let limit): "Elements are nested deeper than \(limit)"
        case .tooManyElements(let limit): "There are more than \(limit) elements"
        case .tooManyAttributes(let limit):
            "An element has more than \(limit) attributes, or the document has more than \(limit) namespaces"
        case .documentTypeForbidden: "The document declares a document type"
        case .markupForbidden: "The document contains a processing instruction or a comment"
        case .malformedXML(let code, let line): "The XML is not well-formed (error \(code) on line \(line))"
        case .unexpectedRoot(let expected): "The root element is not \(expected)"
        case .missingElement(let name): "The element \(name) is missing or empty"
        case .duplicateElement(let name): "The element \(name) occurs twice"
        case .unexpectedContent(let name): "The element \(name) contains something that does not belong there"
        case .invalidDate(let name): "The element \(name) does not contain a date in the documented form"
        case .invalidNumber(let name): "The element \(name) does not contain a whole number in range"
        case .envelope(let fault): fault.finding
        }
    }

    /// The second sentence, about what to do, without its full stop.
    private var advice: String {
        switch self {
        case .empty, .missingElement: "Send it as a whole, as the service issued it"
        case .tooLarge, .tooDeep, .tooManyElements, .tooManyAttributes:
            "Check where it comes from: the service issues nothing of this size"
        case .documentTypeForbidden, .markupForbidden:
            "Check where it comes from: the service issues nothing of this kind"
        case .unexpectedRoot: "Check that this is the right token or answer"
        case .envelope(let fault): fault.advice
        default: "Send it unchanged, as the service issued it"
        }
    }
}

extension TokenCodecError.EnvelopeFault {
    fileprivate var finding: String {
        switch self {
        case .missing: "This is not a signed token: it does not begin with the signature marker"
        case .unterminated: "The signature is not followed by a second marker"
        case .emptySignature: "The signature is empty"
        case .signatureNotBase64: "The signature is not Base64"
        case .emptyBody: "Nothing follows the signature"
        case .secondBody: "Something follows the token's element"
        case .strayBytes: "There is something before or after the token's element, or its end is missing"
        case .wrappingNotBase64: "The token's Base64 is damaged"
        case .wrappedTwice: "The token was encoded in Base64 twice"
        case .plusIsSpace: "A plus sign of the token has become a space, as in a form"
        case .percentEscaped: "The token is escaped with percent signs, as in a URL"
        case .htmlEscaped: "The token is escaped as in HTML or XML"
        case .quoted: "The token is in quotation marks"
        case .json: "This is JSON, or text with the escapes of JSON"
        case .bearer: "This begins with the word Bearer, as the value of a header does"
        case .textBefore: "Something else stands before the token"
        case .jsonWebToken: "This is a JSON Web Token, such as an access token or a software statement"
        }
    }

    fileprivate var advice: String {
        switch self {
        case .missing, .unterminated, .emptySignature, .signatureNotBase64, .emptyBody:
            "Send the token as a whole, as the service issued it"
        case .secondBody: "Send one token alone"
        case .strayBytes: "Send the whole token alone"
        case .wrappingNotBase64: "Copy it again, as a whole"
        case .wrappedTwice: "Decode it once before it is sent"
        case .plusIsSpace: "Send it as JSON, or escape it as %2B in a form"
        case .percentEscaped: "Decode it before it is sent"
        case .htmlEscaped: "Unescape it before it is sent"
        case .quoted: "Remove them"
        case .json: "Send the token alone, the text of its field without escapes"
        case .bearer, .textBefore: "Send the token alone"
        case .jsonWebToken: "Send the AuthN, AuthZ or media token, as the service issued it"
        }
    }
}
