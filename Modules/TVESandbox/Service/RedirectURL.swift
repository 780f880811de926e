import Foundation

/// Checks where a browser is sent.
enum RedirectURL {
    /// The text, if it is an absolute URL; nothing in it can then end a header line.
    static func checked(_ text: String?) -> String? {
        guard let text, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            // Newer systems encode what may not stand in a URL, and it is another text then.
            let url = URL(string: text), url.absoluteString == text, let scheme = url.scheme,
            !["javascript", "data", "file"].contains(scheme.lowercased())
        else { return nil }
        return url.absoluteString
    }
}
