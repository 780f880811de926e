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
        // Each start needs the text, and nearly no statement has anything to remove. To make a set of characters and to
        // search for its members would be a sixth of the time that a start takes beside its exchange.
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
        if text.utf8.allSatisfy(Self.isPartOfJWT) { return Self.fault(ofParts: text.parts(separatedBy: ".")) }
        if ["{", "["].contains(where: { text.hasBytePrefix($0) }) {
            // The answers of the vendor's service and of the sandbox spell the name of the member differently.
            let member = text.containsBytes(of: "\"softwareStatement\"") ? "softwareStatement" : "software_statement"
            return "The software statement is JSON. Pass the text of its member `\(member)` alone."
        }
        if text.hasBytePrefix("<") {
            return "The software statement begins with `<`, as a web page does. Pass the text of the statement alone."
        }
        // Typographic quotation marks come with a text that was copied from a document.
        let isTypographic = ["\u{201C}", "\u{201E}", "\u{2018}", "\u{AB}"].contains { text.hasBytePrefix($0) }
        if isTypographic || text.utf8.first.map(Self.quotes.contains) == true {
            return "The software statement is in quotation marks. Pass the text between them."
        }
        if text.utf8.contains(where: { [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
            return "The software statement has spaces or line breaks in it. Pass it as one line without them."
        }
        return Self.otherCharacters
    }

    /// Returns a description of what is wrong with the parts between the dots, or nil if they could be those of a JWT.
    private static func fault(ofParts parts: [Substring]) -> String? {
        let bare = parts.map(withoutPadding)
        if let place = bare.firstIndex(where: { $0.contains(UInt8(ascii: "=")) }) {
            return place == 0
                ? "The software statement begins with the name of a variable. Pass the text after the equals sign."
                : otherCharacters
        }
        let count = bare.count { !$0.isEmpty }
        guard count != 3 || bare.count != 3 else { return nil }
        let found =
            switch count {
            case 1: "1 part instead of 3"
            case 2 where bare.count == 2 || bare[2].isEmpty: "2 parts instead of 3; the signature is missing"
            case 3: "an empty part"
            default: "\(count) parts instead of 3"
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
        "The software statement has characters that no JWT has. "
        + "Pass three parts of letters, digits, `-` and `_` with a dot between them."

    private static let quotes = [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`")]

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
