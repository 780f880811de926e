package import Foundation

/// A writer for the small JSON documents that are created often.
///
/// `JSONEncoder` writes the others.
package enum JSONBytes {
    /// Returns an object with a single member whose value is a list of texts.
    ///
    /// - Parameters:
    ///   - name: the name of the member.
    ///   - texts: the elements of the list.
    package static func object(_ name: String, _ texts: [String]) -> Data {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        append(name, to: &bytes)
        bytes += [UInt8(ascii: ":"), UInt8(ascii: "[")]
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(text, to: &bytes)
        }
        bytes += [UInt8(ascii: "]"), UInt8(ascii: "}")]
        return Data(bytes)
    }

    /// Appends a text in quotation marks and escapes the characters that JSON does not allow in it.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case ..<0x20: bytes += Array("\\u00".utf8) + [byte].hexadecimal.utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
