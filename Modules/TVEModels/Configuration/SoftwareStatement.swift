import Foundation

/// The software statement with which an application registers: a JWT that the programmer received for the application.
///
/// Anyone who has it can register as the application, so printing it shows only its length.
public struct SoftwareStatement: Sendable, Hashable, Redacting {
    /// The text of the JWT.
    @BytewiseEqual public private(set) var rawValue: String

    /// Wraps a statement.
    ///
    /// - Parameter rawValue: the text of the JWT.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The text as the client sends it, without white space at either end, which files and variables often add.
    package var trimmed: String {
        // Each start needs the text, and almost no statement has anything to remove. Creating a set of characters
        // and searching for its members would take a sixth of the time of a start without its exchange.
        if let first = rawValue.utf8.first, let last = rawValue.utf8.last, Self.isPartOfJWT(first),
            Self.isPartOfJWT(last)
        {
            return rawValue
        }
        // Some editors begin a file with a byte order mark.
        return rawValue.trimmingCharacters(in: .whitespacesAndNewlines.union(CharacterSet(charactersIn: "\u{FEFF}")))
    }

    /// A description of what makes the text unusable as a JWT and what to do, or nil if it could be one.
    ///
    /// The description never contains the text. All further checks are left to the service, because it alone knows who
    /// signs statements.
    package var fault: String? {
        let text = trimmed
        guard !text.isEmpty else {
            return "The software statement is empty. Pass the text that the programmer received for the application."
        }
        if text.utf8.allSatisfy(Self.isPartOfJWT) {
            return Self.beginsWithScheme(text) ? Self.scheme : Self.fault(ofParts: text.parts(separatedBy: "."))
        }
        if Self.isReference(text) {
            return "The software statement is the name of a variable or a secret that was not replaced by its value. "
                + "Pass the value."
        }
        if ["{", "["].contains(where: { text.hasBytePrefix($0) }), text.containsBytes(of: "\"") {
            // The answers of the vendor's service and of the sandbox spell the name of the member differently.
            let member = text.containsBytes(of: "\"softwareStatement\"") ? "softwareStatement" : "software_statement"
            return "The software statement is JSON. Pass the text of its member `\(member)` alone."
        }
        if text.hasBytePrefix("<") {
            return "The software statement begins with `<`, as a web page does. Pass the text of the statement alone."
        }
        if text.beginsWithQuotationMark {
            return "The software statement is in quotation marks. Pass the text between them."
        }
        if let fault = Self.fault(ofBeginning: text) { return fault }
        if text.utf8.contains(where: { [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
            return "The software statement has spaces or line breaks in it. Pass it as one line without them."
        }
        return Self.otherCharacters
    }

    /// Returns a Boolean value that indicates whether a text refers to a variable or a secret, in one of the forms that
    /// shells, build systems and templates replace.
    private static func isReference(_ text: String) -> Bool {
        guard !text.utf8.contains(where: { [0x0A, 0x0D, UInt8(ascii: "=")].contains($0) }) else { return false }
        return text.hasBytePrefix("$") || text.hasBytePrefix("{{") && text.hasByteSuffix("}}")
            || text.utf8.count > 1 && text.hasBytePrefix("%") && text.hasByteSuffix("%")
    }

    /// Returns a description of something else in front of the statement, or nil if there is nothing recognizable.
    private static func fault(ofBeginning text: String) -> String? {
        if beginsWithScheme(text) { return scheme }
        if String(decoding: text.utf8.prefix(14), as: UTF8.self).isSameBytesIgnoringASCIICase(as: "Authorization:") {
            return "The software statement begins with the name of a header. Pass the text after `Bearer`."
        }
        if text.hasBytePrefix("-----BEGIN ") {
            return "The text begins as a key or a certificate in PEM does, and is not a software statement. "
                + "Pass the text that the programmer received for the application, a JWT with three parts."
        }
        if ["#", "//"].contains(where: { text.hasBytePrefix($0) }) {
            return "The software statement begins with a comment. Pass the text of the statement alone."
        }
        let names = text.parts(separatedBy: "\n").map(signAfterName)
        guard let first = names[0] else { return nil }
        guard names.count(where: { $0 != nil }) == 1 else {
            return "The software statement is part of a list of names and values. Pass only its own value."
        }
        return first == UInt8(ascii: "=")
            ? variable : "The software statement begins with the name of a field. Pass the text after the colon."
    }

    /// Returns the equals sign or the colon between a name and its value in a line, or nil if no name begins it.
    private static func signAfterName(in line: Substring) -> UInt8? {
        // No name has a dot, and a statement has one after its first part.
        let head = withoutPadding(line.divided(at: ".").before)
        let name = head.prefix { $0 != UInt8(ascii: "=") && (isPartOfJWT($0) || " \t$:".utf8.contains($0)) }
        if name.endIndex < head.endIndex, head[name.endIndex] == UInt8(ascii: "=") { return UInt8(ascii: "=") }
        return Substring(name).containsBytes(of: ": ") ? UInt8(ascii: ":") : nil
    }

    /// Returns a Boolean value that indicates whether a text begins with the scheme of a header, with or without a
    /// blank after it.
    ///
    /// The first part of a JWT never begins so, because it is a JSON object in Base64.
    private static func beginsWithScheme(_ text: String) -> Bool {
        String(decoding: text.utf8.prefix(6), as: UTF8.self).isSameBytesIgnoringASCIICase(as: "Bearer")
    }

    /// Returns a description of what is wrong with the parts between the dots, or nil if they could be those of a JWT.
    private static func fault(ofParts parts: [Substring]) -> String? {
        let bare = parts.map(withoutPadding)
        if let place = bare.firstIndex(where: { $0.contains(UInt8(ascii: "=")) }) {
            return place == 0 ? variable : otherCharacters
        }
        let count = bare.count { !$0.isEmpty }
        guard count != 3 || bare.count != 3 else { return nil }
        // The beginning of `eyJ` in Base64, as a JWT in a secret of Kubernetes has it.
        if count == 1, bare[0].starts(with: "ZXlK".utf8) {
            return "The software statement was encoded in Base64 a second time. Decode it first."
        }
        let found =
            switch count {
            case 1: "1 part instead of the 3 of a JWT"
            case 2 where bare.count == 2 || bare[2].isEmpty:
                "2 parts instead of the 3 of a JWT; the signature is missing"
            case 3: "an empty part"
            default: "\(count) parts instead of the 3 of a JWT"
            }
        return "The software statement has \(found). Pass the whole text that the programmer received."
    }

    /// Returns the bytes of a part without the padding of Base64, which can only be at its end.
    private static func withoutPadding(_ part: Substring) -> Substring.UTF8View {
        var bytes = part.utf8
        while bytes.last == UInt8(ascii: "=") { bytes.removeLast() }
        return bytes
    }

    private static let otherCharacters =
        "The software statement contains characters that do not occur in a JWT. "
        + "Pass three parts of letters, digits, `-` and `_`, separated by dots."

    private static let variable =
        "The software statement begins with the name of a variable. Pass the text after the equals sign."

    private static let scheme = "The software statement begins with `Bearer`, as in a header. Pass the text after it."

    /// Returns a Boolean value that indicates whether a byte may occur in a JWT (RFC 7515, 3.1), including padding.
    private static func isPartOfJWT(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// A description that contains the length of the text and never the text.
    public var redactedDescription: String { "SoftwareStatement(\(rawValue.utf8.count) bytes)" }
}
