extension TokenCodecError: CustomStringConvertible {
    /// One sentence about the error and its place, without any of the input.
    public var description: String {
        switch self {
        case .empty: "There is nothing to read."
        case .tooLarge(let limit): "The input is longer than \(limit) bytes."
        case .invalidUTF8(let offset): "The byte at offset \(offset) is not valid UTF-8."
        case .nulByte(let offset): "The byte at offset \(offset) is NUL."
        case .tooDeep(let limit): "Elements are nested deeper than \(limit)."
        case .tooManyElements(let limit): "There are more than \(limit) elements."
        case .tooManyAttributes(let limit): "An element has more than \(limit) attributes."
        case .documentTypeForbidden: "The document declares a document type."
        case .markupForbidden: "The document holds a processing instruction or a comment."
        case .malformedXML(let code, let line): "The XML is not well-formed (error \(code) in line \(line))."
        case .unexpectedRoot(let expected): "The root element is not \(expected)."
        case .missingElement(let name): "The element \(name) is missing or empty."
        case .duplicateElement(let name): "The element \(name) occurs twice."
        case .unexpectedContent(let name): "The element \(name) holds something that does not belong there."
        case .invalidDate(let name): "The element \(name) holds no date of the documented form."
        case .invalidNumber(let name): "The element \(name) holds no whole number in range."
        case .envelope(let fault): fault.sentence
        case .invalidKey: "This is no RSA public key that may be used."
        }
    }
}

extension TokenCodecError.EnvelopeFault {
    fileprivate var sentence: String {
        switch self {
        case .missing: "This is no signed token: it does not begin with the signature marker."
        case .unterminated: "The signature is not followed by a second marker."
        case .emptySignature: "The signature is empty."
        case .signatureNotBase64: "The signature is not Base64."
        case .emptyBody: "Nothing follows the signature."
        case .secondBody: "Something follows the token's element."
        case .strayBytes: "There is something before or behind the token's element."
        }
    }
}
