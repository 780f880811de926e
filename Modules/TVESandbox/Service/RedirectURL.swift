import Foundation

/// Checks where a browser is sent.
enum RedirectURL {
    /// The text, if it is an absolute URL; nothing in it can then end a header line.
    static func checked(_ text: String?) -> String? {
        guard let text, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let url = URL(string: text, encodingInvalidCharacters: false), let scheme = url.scheme,
            !["javascript", "data", "file"].contains(scheme.lowercased())
        else { return nil }
        return url.absoluteString
    }
}
