import Foundation

/// A code that a viewer reads on one screen and enters on another.
package enum TypedCode {
    /// The maximum number of Unicode scalars that are read, which no service's codes exceed.
    ///
    /// Characters would not do, because one may have any number of marks.
    private static let longestText = 100

    /// Returns the code in the form that its screen shows, normalized from what a viewer enters.
    ///
    /// Blanks, punctuation, case, the width of letters and the script of digits are ignored (RFC 8628, 6.1).
    ///
    /// - Parameter typed: the viewer's text.
    /// - Returns: capital letters and digits, or an empty text when there are none.
    package static func plain(_ typed: String) -> String {
        // Compatibility mapping turns full-width letters and digits into plain ones.
        let text = String(typed.unicodeScalars.prefix(longestText))
        let scalars = text.precomposedStringWithCompatibilityMapping.uppercased().unicodeScalars
        return String(decoding: scalars.compactMap(byte), as: UTF8.self)
    }

    /// Returns the ASCII character of a capital letter, or of a digit in any script, or nil for other scalars.
    ///
    /// Keyboards for languages such as Arabic and Persian have digits of their own.
    private static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        if ("A"..."Z").contains(scalar) { return UInt8(ascii: scalar) }
        guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else { return nil }
        return UInt8(exactly: value).map { UInt8(ascii: "0") + $0 }
    }
}
