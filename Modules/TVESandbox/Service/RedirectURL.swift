import Foundation

/// Checks the targets of redirects.
enum RedirectURL {
    /// The text, if it is an absolute URL, which cannot contain a line break.
    static func checked(_ text: String?) -> String? {
        guard let text, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            // Newer systems encode characters that are invalid in a URL, and then the text differs.
            let url = URL(string: text), url.absoluteString == text, let scheme = url.scheme,
            !["javascript", "data", "file"].contains(scheme.lowercased())
        else { return nil }
        return url.absoluteString
    }
}
