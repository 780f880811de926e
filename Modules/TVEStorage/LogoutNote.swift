import Foundation

/// A note about a login that was ended here: which end it was, and which of several notes in the same place.
///
/// Whoever has told the service removes the note that it read before, and not one that came meanwhile.
struct LogoutNote {
    /// Whether the service itself ended the login, so that only the next one must be a new one.
    let isEnded: Bool

    private static let pending = "1"
    private static let ended = "ended"

    init(isEnded: Bool) {
        self.isEnded = isEnded
    }

    /// Reads a note; earlier versions wrote the first word alone.
    init?(_ bytes: Data) {
        switch String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 1).first {
        case Substring(Self.pending): isEnded = false
        case Substring(Self.ended): isEnded = true
        default: return nil
        }
    }

    /// The note as a value that no other note has.
    var bytes: Data {
        Data("\(isEnded ? Self.ended : Self.pending) \(String(UInt64.random(in: .min ... .max), radix: 16))".utf8)
    }
}
