import Foundation

/// A note about a login that was ended on this device: the kind of end, and an id that distinguishes several notes with
/// the same key.
///
/// A process that has told the service removes the note that it read before, and not a later one.
struct LogoutNote {
    /// Whether the service itself ended the login, so that only the next login must be a new one.
    let isEnded: Bool

    private static let pending = "1"
    private static let ended = "ended"

    init(isEnded: Bool) {
        self.isEnded = isEnded
    }

    /// Parses a note; earlier versions wrote only the first word.
    init?(_ bytes: Data) {
        switch String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 1).first {
        case Substring(Self.pending): isEnded = false
        case Substring(Self.ended): isEnded = true
        default: return nil
        }
    }

    /// The note as a unique value.
    var bytes: Data {
        Data("\(isEnded ? Self.ended : Self.pending) \(String(UInt64.random(in: .min ... .max), radix: 16))".utf8)
    }
}
