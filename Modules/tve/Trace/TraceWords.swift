import Foundation

/// Which parts of a call, a callback or a key are in a trace: its shape, and ids only if they were requested.
///
/// A resource reveals what a viewer watches, a fingerprint which device it is, and either can identify a viewer.
struct TraceWords: Sendable {
    let showsIDs: Bool

    /// A call or a callback.
    func call(_ text: String) -> String {
        guard !showsIDs else { return text }
        return Self.patterns.reduce(text) { text, pattern in
            text.replacing(pattern.expression) { "\($0.1)…\($0.2)" }
        }
    }

    /// A storage key: its kind of entry.
    func key(_ text: String) -> String {
        guard !showsIDs else { return text }
        return text.split(separator: "/", omittingEmptySubsequences: false)
            .map { Self.kinds.contains(String($0)) ? String($0) : "…" }.joined(separator: "/")
    }

    /// A path of the service: in some paths the last part is a resource or a viewer.
    func path(_ text: String) -> String {
        showsIDs ? text : text.replacing(/[0-9a-fA-F]{32,}/, with: "…")
    }

    private struct Pattern: Sendable {
        private let text: String
        init(_ text: String) { self.text = text }
        var expression: Regex<(Substring, Substring, Substring)> {
            // The patterns are below, and tests check them; an invalid one would hide everything.
            (try? Regex(text, as: (Substring, Substring, Substring).self)) ?? /(^)(?s:.*)($)/
        }
    }

    private static let patterns = [
        Pattern(#"^((?:get|check)Authorization\().*(\).*)$"#), Pattern(#"^(setToken\(.*forResource: ).*(\))$"#),
        Pattern(#"^(tokenRequestFailed\()(?s:.*)(\))$"#), Pattern(#"^(preauthorizedResources\(\[)(?s:.*)(\]\))$"#),
        Pattern(#"^(sendTrackingData\(\[)(?s:.*)(\], \d+\))$"#), Pattern(#"^(setMetadataStatus\()(?s:.*)(\))$"#),
        Pattern(#"^(status\([^,]+, \w+, ")(?s:.*)("\))$"#),
    ]

    private static let kinds: Set<String> = [
        "requestor", "quarantine", "imported", "logout", "device", "seed", "registration", "mvpd", "authn", "authz",
        "pending", "preauthorization", "current", "all", "newer", "closed", "metadata", "probe", "decision", "profile",
    ]
}
