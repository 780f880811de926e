import Foundation

/// Decoded fields of a form body or a query, in order; a name may occur several times.
struct FormFields: Sendable {
    private let fields: [(name: String, value: String)]

    /// Decodes `application/x-www-form-urlencoded`; pairs that are no valid encoding are left out.
    init(_ text: String) {
        fields = text.split(separator: "&").compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(parts[0]), let value = Self.decode(parts.count > 1 ? parts[1] : "") else {
                return nil
            }
            return (name, value)
        }
    }

    /// The first value of a name, nil when it is missing.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// All values of a name.
    func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    private static func decode(_ text: Substring) -> String? {
        // Byte by byte: token fields are long, and a debug build must answer quickly too.
        let blanks = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: blanks, as: UTF8.self).removingPercentEncoding
    }
}
