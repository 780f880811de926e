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
        // Some editors begin a file with a byte order mark.
        rawValue.trimmingCharacters(in: .whitespacesAndNewlines.union(CharacterSet(charactersIn: "\u{FEFF}")))
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
        if text.utf8.allSatisfy(Self.isPartOfJWT) { return nil }
        if ["{", "["].contains(where: { text.hasBytePrefix($0) }) {
            return "The software statement is JSON. Pass the text of its member `software_statement` alone."
        }
        // Typographic quotation marks come with a text that was copied from a document.
        let isTypographic = ["\u{201C}", "\u{201E}", "\u{2018}", "\u{AB}"].contains { text.hasBytePrefix($0) }
        if isTypographic || text.utf8.first.map(Self.quotes.contains) == true {
            return "The software statement is in quotation marks. Pass the text between them."
        }
        if text.utf8.contains(where: { [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
            return "The software statement has spaces or line breaks in it. Pass it as one line without them."
        }
        return "The software statement has characters that no JWT has. "
            + "Pass three parts of letters, digits, `-` and `_` with a dot between them."
    }

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
