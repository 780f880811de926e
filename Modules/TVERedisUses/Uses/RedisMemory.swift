#if VerificationService
import Foundation

/// What a primary remembers, and since when: read when a connection opens, and checked with every batch.
///
/// A key beside the tokens says which Redis process began to remember, and when. After a restart, or when a replica
/// took over, the process is another one, and the tokens spent last may be lost; after `FLUSHALL` the key is missing.
/// The first verifier that finds this begins a new memory, and tokens that were issued before are not granted any more.
struct RedisMemory: Sendable, Hashable {
    let mark: String
    /// When remembering began, in milliseconds since 1970 on the clock of Redis.
    let began: Int64

    /// Finds the memory of a primary, or begins one.
    ///
    /// - Parameters:
    ///   - key: the name of the mark's key.
    ///   - process: the Redis process that must have begun; nil when a restart loses nothing.
    static func find(
        on socket: RedisSocket, key: String, process: String?, until deadline: RedisDeadline
    ) throws(RedisUsesError) -> RedisMemory {
        // Another verifier may begin at the same time; then its mark counts, so few rounds are enough.
        for _ in 0..<8 {
            _ = try accepted(socket.ask("WATCH", key, until: deadline))
            let found = try accepted(socket.ask("GET", key, until: deadline)).string
            if let found, let memory = RedisMemory(found, process) {
                _ = try accepted(socket.ask("UNWATCH", until: deadline))
                return memory
            }
            let now = try time(accepted(socket.ask("TIME", until: deadline)))
            let mark = "1 \(process ?? "any") \(now) \(UInt64.random(in: .min ... .max))"
            _ = try accepted(socket.ask("MULTI", until: deadline))
            _ = try accepted(socket.ask("SET", key, mark, until: deadline))
            guard case .list = try accepted(socket.ask("EXEC", until: deadline)) else { continue }
            return RedisMemory(mark: mark, began: now)
        }
        throw .memoryLost
    }

    private init(mark: String, began: Int64) {
        self.mark = mark
        self.began = began
    }

    private init?(_ mark: String, _ process: String?) {
        let words = mark.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 4, words[0] == "1", let began = Int64(words[2]) else { return nil }
        if let process, words[1] != process { return nil }
        self.init(mark: mark, began: began)
    }

    /// The answer, unless it is an error: then it throws `.full` or `.refused`.
    static func accepted(_ reply: RedisReply) throws(RedisUsesError) -> RedisReply {
        guard let code = reply.errorCode else { return reply }
        throw code == "OOM" ? .full : .refused(code: code)
    }

    /// The milliseconds since 1970 in an answer to `TIME`.
    static func time(_ reply: RedisReply) throws(RedisUsesError) -> Int64 {
        guard case .list(let parts) = reply, parts.count == 2, let seconds = parts[0].string.flatMap({ Int64($0) }),
            let microseconds = parts[1].string.flatMap({ Int64($0) }), (0..<(1 << 40)).contains(seconds)
        else { throw .unreadableAnswer }
        return seconds * 1000 + microseconds / 1000
    }
}
#endif
