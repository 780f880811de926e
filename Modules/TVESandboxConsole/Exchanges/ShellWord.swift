import Foundation
import TVEModels

/// One word of a POSIX shell, quoted so that it has exactly the given bytes and nothing in it is obeyed.
///
/// Bash, Zsh and Dash of the last years read `$'…'`, which is written only where bytes cannot be seen or are no text.
struct ShellWord: CustomStringConvertible {
    let description: String

    init(_ text: String) { self.init(Data(text.utf8)) }

    init(_ bytes: Data) {
        if let text = String(validUTF8: bytes), text.unicodeScalars.allSatisfy(Self.isVisible) {
            description = "'\(text.replacingBytes(of: "'", with: "'\\''"))'"
            return
        }
        let escaped = bytes.map { byte -> String in
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\\(Unicode.Scalar(byte))"
            case 0x20..<0x7F: "\(Unicode.Scalar(byte))"
            default: "\\x" + [byte].hexadecimal
            }
        }
        description = "$'\(escaped.joined())'"
    }

    /// Whether the reader of a command sees a scalar where it stands, and sees it alone.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format, .control, .lineSeparator, .paragraphSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
            false
        default: true
        }
    }
}
