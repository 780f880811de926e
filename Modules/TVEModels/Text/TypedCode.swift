import Foundation

/// A code that a viewer reads on one screen and types on another.
package enum TypedCode {
    /// The longest text of which the letters count; no service has codes that long.
    private static let longestText = 100

    /// Returns the code as its screen shows it, from what a viewer types.
    ///
    /// Blanks and punctuation do not count, nor do case and the width of letters (RFC 8628, 6.1).
    ///
    /// - Parameter typed: the viewer's text.
    /// - Returns: capital letters and digits; empty when there are none.
    package static func plain(_ typed: String) -> String {
        // Full-width letters and digits are compatible with the plain ones.
        let bytes = typed.prefix(longestText).precomposedStringWithCompatibilityMapping.uppercased().utf8
        return String(decoding: bytes.filter(isInCode), as: UTF8.self)
    }

    private static func isInCode(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
