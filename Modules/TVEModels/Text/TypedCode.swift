import Foundation

/// A code that a viewer reads on one screen and enters on another.
package enum TypedCode {
    /// The maximum number of Unicode scalars that are read, which no service's codes exceed.
    ///
    /// Characters would not do, because one may have any number of marks.
    private static let longestText = 100

    /// Returns the code in the form that its screen shows, normalized from what a viewer enters.
    ///
    /// Blanks, punctuation, case and the width of letters are ignored (RFC 8628, 6.1).
    ///
    /// - Parameter typed: the viewer's text.
    /// - Returns: capital letters and digits, or an empty text when there are none.
    package static func plain(_ typed: String) -> String {
        // Compatibility mapping turns full-width letters and digits into plain ones.
        let text = String(typed.unicodeScalars.prefix(longestText))
        let bytes = text.precomposedStringWithCompatibilityMapping.uppercased().utf8
        return String(decoding: bytes.filter(isInCode), as: UTF8.self)
    }

    private static func isInCode(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
