import Foundation
import TVETokenVerification

/// A token in the form in which it is sent to Redis.
struct RedisSpend: Sendable {
    /// The digest of the token, in characters that need no quotes in a shell or in `redis-cli`.
    let digest: String
    /// A number from 0 to 65,535, evenly distributed over tokens, that every verifier computes alike.
    let place: Int
    /// The time at which the token expires, in milliseconds since 1970.
    let end: Int64
    /// The time at which the key of the token expires, in milliseconds since 1970.
    let keptUntil: Int64
    /// The time at which the token was issued, in milliseconds since 1970, rounded up.
    let issued: Int64
    private let use: MediaTokenUse

    /// The end of the year 9999, in milliseconds since 1970.
    ///
    /// Later times are reduced to this one, so that every number is in the range that Redis accepts.
    private static let latest: Double = 253_402_300_799_000

    /// Creates the form of a use that is sent to Redis.
    ///
    /// - Parameters:
    ///   - use: the token.
    ///   - keptAfterEnd: the number of seconds for which the key remains after every verifier refuses the token as
    ///     expired.
    init(_ use: MediaTokenUse, keptAfterEnd: TimeInterval) {
        let text = use.digest.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
        digest = String(text.prefix { $0 != "=" })
        place = use.digest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        end = Self.milliseconds(use.expires.timeIntervalSince1970)
        issued = Self.milliseconds(use.issued.timeIntervalSince1970)
        keptUntil = Self.milliseconds(use.rememberedUntil.timeIntervalSince1970 + max(0, keptAfterEnd))
        self.use = use
    }

    private static func milliseconds(_ seconds: TimeInterval) -> Int64 {
        // An expiry that is not a number never gets here, because such a token is always treated as expired. A time of
        // issue that is not a number is treated as older than every memory.
        guard !seconds.isNaN else { return 0 }
        return Int64(min(max(seconds * 1000, 1), latest).rounded(.up))
    }

    /// Returns the number of milliseconds for which the token has to wait for the clock of Redis; 0 if it does not.
    ///
    /// - Parameters:
    ///   - time: a time on the clock of Redis, in milliseconds since 1970, rounded up.
    ///   - issuerClockSkew: the number of seconds, from 0 on, by which the clock of the issuer may be ahead of the
    ///     clock of Redis.
    func wait(at time: Int64, issuerClockSkew: TimeInterval) -> Int64 {
        max(0, issued - Int64(issuerClockSkew * 1000) - time + 1)
    }

    /// Appends the command that writes the token unless it is already stored.
    ///
    /// The command suits tokens that were no longer too new when the clock of Redis was last read.
    func append(to buffer: inout [UInt8], _ keys: RedisKeys) {
        RedisCommand.append(["SET", keys.token(self), "1", "NX", "PXAT", String(keptUntil)], to: &buffer)
    }

    /// Appends the command that removes a token which was written although it has to wait.
    ///
    /// The command lets the key expire at once, so that the user of Redis does not need the permission for `DEL`.
    func appendRemoval(to buffer: inout [UInt8], _ keys: RedisKeys) {
        RedisCommand.append(["SET", keys.token(self), "1", "XX", "PX", "1"], to: &buffer)
    }

    /// A script that writes each token unless it is already stored, or was issued in the future of the clock of Redis.
    ///
    /// The clock must be read before a token is written, and nothing may happen in between, because a token that is
    /// refused only for now must not be remembered. For such a token the script answers with the number of milliseconds
    /// to wait. A token that cannot be written does not end the script, so that the tokens before it get their answers.
    /// The script takes Redis several times as long as `SET`, so it is used only for tokens that are newer than the
    /// last known time.
    private static let script = """
        local now = redis.call('TIME')
        local time = now[1] * 1000 + math.floor(now[2] / 1000)
        local answers = {}
        for place, key in ipairs(KEYS) do
            local wait = ARGV[2 * place] - time + 1
            if wait <= 0 then
                answers[place] = redis.pcall('SET', key, '1', 'NX', 'PXAT', ARGV[2 * place - 1])
            elseif redis.call('GET', key) then
                answers[place] = false
            else
                answers[place] = wait
            end
        end
        return answers
        """

    /// Appends one command that reads the clock of Redis and spends the tokens that are not too new for it.
    ///
    /// - Parameters:
    ///   - spends: the tokens; in a cluster, all of one slot.
    ///   - buffer: the commands that are sent together.
    ///   - keys: the names of the keys.
    ///   - issuerClockSkew: the number of seconds, from 0 on, by which the clock of the issuer may be ahead of the
    ///     clock of Redis.
    static func append(
        _ spends: [RedisSpend], to buffer: inout [UInt8], _ keys: RedisKeys, issuerClockSkew: TimeInterval
    ) {
        let skew = Int64(issuerClockSkew * 1000)
        RedisCommand.append(
            ["EVAL", script, String(spends.count)] + spends.map(keys.token)
                + spends.flatMap { [String($0.keptUntil), String($0.issued - skew)] }, to: &buffer)
    }

    /// Returns the answers to tokens that were spent with one script, in their order.
    ///
    /// - Throws: `.unreadableAnswer` if the number of answers differs from `count`.
    static func answers(in reply: RedisReply, to count: Int) throws(RedisUsesError) -> [RedisReply] {
        // Redis refused the command as a whole, so none of its tokens is granted.
        if reply.errorCode != nil { return Array(repeating: reply, count: count) }
        guard case .list(let answers) = reply, answers.count == count else { throw .unreadableAnswer }
        return answers
    }

    /// Returns the outcome that an answer means for this token.
    ///
    /// - Parameters:
    ///   - reply: the answer.
    ///   - now: the time on the clock of Redis after it, in milliseconds since 1970.
    ///   - began: the time at which the memory began. Tokens issued before it may have been spent and forgotten.
    ///   - issuerClockSkew: the number of seconds by which the clock of the issuer may be ahead of the clock of Redis.
    func outcome(
        of reply: RedisReply, now: Int64, began: Date, issuerClockSkew: TimeInterval
    ) throws(RedisUsesError) -> MediaTokenUseOutcome {
        switch try RedisMemory.accepted(reply) {
        case .status("OK"):
            // The clock was set back after it was last read. The sender of the token removes it again.
            let wait = wait(at: now, issuerClockSkew: issuerClockSkew)
            if wait > 0 { return .refused(.clockBehind(seconds: Double(wait) / 1000)) }
            // The token has expired by the clock that removes the key, so a second call might not find the key.
            if end <= now { return .refused(.expired) }
            let isOlder = use.mayHaveBeenSpent(before: began, issuerClockSkew: issuerClockSkew)
            return isOlder ? .refused(.olderThanMemory) : .granted
        case .null: return .refused(.spent)
        case .number(let milliseconds) where milliseconds > 0:
            return .refused(.clockBehind(seconds: Double(milliseconds) / 1000))
        default: throw .unreadableAnswer
        }
    }
}
