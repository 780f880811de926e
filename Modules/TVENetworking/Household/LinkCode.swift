public import Foundation
public import TVEModels

/// A short code with which one other device joins a household, valid for some minutes.
///
/// Whoever enters the code can watch what the household may watch. Therefore the code is never printed or logged, and
/// an app shows ``text``.
public struct LinkCode: Sendable, Hashable, Redacting {
    /// The code as a screen shows it, in capital letters and digits.
    @BytewiseEqual public private(set) var text: String
    /// The first instant at which the code is no longer valid, by the clock of this device.
    ///
    /// The value is nil for a code that a viewer has typed.
    public let expires: Date?

    /// Creates a code from the text that a viewer has typed.
    ///
    /// Blanks, hyphens and other punctuation are ignored. Full-width letters, and digits of any width and script, are
    /// replaced by the plain ones.
    ///
    /// - Parameter text: the viewer's text.
    /// - Returns: the code, or nil if the text contains no letter or digit.
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

    /// The expiry without the code.
    public var redactedDescription: String { expires.map { "LinkCode(expires: \($0))" } ?? "LinkCode" }
}
