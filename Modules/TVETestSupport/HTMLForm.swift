import Foundation

/// The first form of an HTML page, as far as a login needs it.
struct HTMLForm {
    let action: String
    let isPost: Bool
    /// Input fields in order, with the values the page gave them.
    var fields: [(name: String, value: String)]

    /// Finds the form; nil when the page has none.
    init?(_ html: String) {
        guard let form = html.firstMatch(of: /<form\b([^>]*)>(.*?)<\/form>/.dotMatchesNewlines().ignoresCase()) else {
            return nil
        }
        let attributes = Self.attributes(form.1)
        action = attributes["action"] ?? ""
        isPost = attributes["method"]?.lowercased() == "post"
        fields = form.2.matches(of: /<input\b([^>]*)>/.ignoresCase()).compactMap { input in
            let attributes = Self.attributes(input.1)
            return attributes["name"].map { ($0, attributes["value"] ?? "") }
        }
    }

    /// Whether the form asks for a password.
    var asksForPassword: Bool { fields.contains { $0.name == "password" } }

    private static func attributes(_ text: Substring) -> [String: String] {
        let pairs = text.matches(of: /([A-Za-z_-]+)\s*=\s*"([^"]*)"/).map {
            ($0.1.lowercased(), unescaped(String($0.2)))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private static func unescaped(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(text) {
            $0.replacing($1.0, with: $1.1)
        }
    }
}
