#if VerificationService
import Foundation
import TVETokenCodec

/// A token in the form in which it is sent to Redis.
struct RedisSpend: Sendable {
    /// The token's digest, in characters that need no quotes in a shell or in `redis-cli`.
    let digest: String
    /// A number from 0 to 65,535 that is the same for every verifier, and as good as random.
    let place: Int
    /// When the token expires, in milliseconds since 1970.
    let end: Int64
    /// When the key expires, in milliseconds since 1970.
    let keptUntil: Int64
    private let use: MediaTokenUse

    /// A later expiry than the year 9999 is cut, so that every number is in Redis' range.
    private static let latest: Double = 253_402_300_799_000

    /// Converts a use; its key stays for `keptAfterEnd` seconds after every verifier refuses the token as expired.
    init(_ use: MediaTokenUse, keptAfterEnd: TimeInterval) {
        let text = use.digest.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
        digest = String(text.prefix { $0 != "=" })
        place = use.digest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        end = Self.milliseconds(use.expires.timeIntervalSince1970)
        keptUntil = Self.milliseconds(use.rememberedUntil.timeIntervalSince1970 + max(0, keptAfterEnd))
        self.use = use
    }

    private static func milliseconds(_ seconds: TimeInterval) -> Int64 {
        // NaN never gets here: such a token always counts as expired.
        guard !seconds.isNaN else { return 0 }
        return Int64(min(max(seconds * 1000, 1), latest).rounded(.up))
    }

    func append(to buffer: inout [UInt8], _ keys: RedisKeys) {
        RedisCommand.append(["SET", keys.token(self), "1", "NX", "PXAT", String(keptUntil)], to: &buffer)
    }

    /// The meaning of an answer.
    ///
    /// - Parameters:
    ///   - reply: the answer to the command.
    ///   - now: the time on the clock of Redis after it, in milliseconds since 1970.
    ///   - began: tokens issued before this time may have been spent before Redis began to remember.
    ///   - issuerClockSkew: seconds by which the clock that issues tokens may be ahead of that of Redis.
    func isGranted(
        _ reply: RedisReply, now: Int64, began: Date, issuerClockSkew: TimeInterval
    ) throws(RedisUsesError) -> Bool {
        switch try RedisMemory.accepted(reply) {
        // The token has expired by the clock that removes the key: a second call might not find the key.
        case .status("OK"): end > now && !use.mayHaveBeenSpent(before: began, issuerClockSkew: issuerClockSkew)
        case .null: false
        default: throw .unreadableAnswer
        }
    }
}
#endif
