/// Makes text from outside harmless for a terminal.
enum Terminal {
    /// The text with every control character shown as `?`, so that it can neither move the cursor nor colour anything.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
    }
}
