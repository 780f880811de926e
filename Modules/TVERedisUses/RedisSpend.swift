#if VerificationService
import Foundation
import TVETokenCodec

/// A token as Redis is asked about it.
struct RedisSpend: Sendable {
    /// The key that stands for the token.
    let key: String
    /// When the token ends, in milliseconds since 1970.
    let end: Int64
    /// Until when the key stays, in milliseconds since 1970.
    let keptUntil: Int64
    /// When the token was issued, in milliseconds since 1970; nil when it is not known.
    let issued: Int64?

    /// Later ends than that of the year 9999 are cut, so that every number fits what Redis can count.
    private static let latest: Double = 253_402_300_799_000

    /// Translates a use.
    ///
    /// - Parameters:
    ///   - use: the token.
    ///   - prefix: what keys begin with.
    ///   - keptAfterEnd: seconds for which the key outlives the token.
    init(_ use: MediaTokenUse, prefix: String, keptAfterEnd: TimeInterval) {
        // The shortest text without characters that a shell or Redis' own client would want in quotes.
        let digest = use.digest.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
        key = "\(prefix):\(digest.prefix { $0 != "=" })"
        end = Self.milliseconds(use.expires.timeIntervalSince1970)
        keptUntil = Self.milliseconds(use.expires.timeIntervalSince1970 + max(0, keptAfterEnd))
        issued = use.issued.map { Self.milliseconds($0.timeIntervalSince1970) }
    }

    private static func milliseconds(_ seconds: TimeInterval) -> Int64 {
        // What is no number never gets here: such a token counts as expired at any time.
        guard !seconds.isNaN else { return 0 }
        return Int64(min(max(seconds * 1000, 1), latest).rounded(.up))
    }

    /// Appends the command that spends the token.
    ///
    /// - Parameter buffer: where it is appended.
    func append(to buffer: inout [UInt8]) throws(RedisUsesError) {
        try RedisCommand.append(["SET", key, "1", "NX", "PXAT", String(keptUntil)], to: &buffer)
    }

    /// What an answer means.
    ///
    /// - Parameters:
    ///   - reply: the answer to the command.
    ///   - now: the time on the clock of Redis after it, in milliseconds since 1970.
    ///   - began: tokens issued before this time may have been spent before Redis began to remember.
    /// - Throws: `.full`, `.refused`, `.unreadableAnswer`.
    func isGranted(_ reply: RedisReply, now: Int64, began: Int64) throws(RedisUsesError) -> Bool {
        switch try RedisMemory.accepted(reply) {
        // Expired on the clock that removes the key: a second call might not find it.
        case .status("OK"): end > now && (issued.map { $0 >= began } ?? true)
        case .null: false
        default: throw .unreadableAnswer
        }
    }
}
#endif
