public import Foundation
public import TVEModels

/// A code with which another device joins a household: short, valid for some minutes, and good for one device.
///
/// Whoever types it watches what the household may watch, so it is never printed or logged: an app shows ``text``.
public struct LinkCode: Sendable, Hashable, Redacting {
    /// The code as a screen shows it: capital letters and digits.
    @BytewiseEqual public private(set) var text: String
    /// The first instant at which the code is no longer valid, by the clock of this device; nil for a code that a viewer
    /// has typed.
    public let expires: Date?

    /// Makes the code that a viewer has typed.
    ///
    /// Blanks, hyphens and other punctuation are left out, and full-width letters and digits count as the plain ones.
    ///
    /// - Parameter text: the viewer's text.
    /// - Returns: nil for a text without a letter or digit.
    public init?(typed text: String) {
        let plain = TypedCode.plain(text)
        guard !plain.isEmpty else { return nil }
        self.text = plain
        expires = nil
    }

    init(_ text: String, expires: Date) {
        self.text = text
        self.expires = expires
    }

    /// The expiry, and not the code.
    public var redactedDescription: String { expires.map { "LinkCode(expires: \($0))" } ?? "LinkCode" }
}
