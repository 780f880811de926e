/// Why it is unknown whether a token was spent; then the stream must not start.
public enum RedisUsesError: Error, Sendable, Hashable {
    /// No server could be reached; with the system's message.
    case unreachable(String)
    /// There was no answer in time. The token may count as spent.
    case timedOut
    /// The connection broke before the answer. The token may count as spent.
    case disconnected
    /// The server closed the connection without any answer, as one does that expects TLS. No token was spent.
    case unanswered
    /// Redis has no room for another token.
    case full
    /// Redis answered with an error; with its first word, for example `READONLY`, and the rest of its words.
    case refused(code: String, words: String = "")
    /// The user of Redis may not ask for `INFO`; with what Redis answered.
    ///
    /// Nothing else shows that Redis has restarted, so that a token could be granted twice.
    case restartsUnseen(String)
    /// The server is a Sentinel, which remembers nothing.
    case sentinel
    /// The server speaks HTTP.
    case httpServer
    /// The server speaks TLS, and the configuration does not.
    case encryptedServer
    /// Fewer replicas than required had the token in time.
    case notReplicated(count: Int)
    /// The memory of Redis was lost or replaced while the token was spent.
    case memoryLost
    /// No server reports itself as the primary, or no server of a cluster has the token's slot.
    case noPrimary
    /// The token's slot was moving from one server of a cluster to another all the time.
    case slotMoved
    /// More than one server reports itself as the primary, or the servers belong to several clusters.
    case severalPrimaries
    /// The `maxmemory-policy` of Redis evicts keys when it is full; a token could be granted twice.
    case evicts(policy: String)
    /// Redis is older than 6.2, which introduced `PXAT`.
    case tooOld(version: String)
    /// TLS could not be set up; with OpenSSL's message.
    case tls(String)
    /// The answer does not come from Redis.
    case unreadableAnswer
    /// Too many calls wait.
    case overloaded
    /// The memory was closed.
    case closed
}

extension RedisUsesError {
    /// One word for the kind of error: the label of a counter, or an attribute of a span.
    public var kind: String {
        switch self {
        case .unreachable: "unreachable"
        case .timedOut: "timed-out"
        case .disconnected: "disconnected"
        case .unanswered: "unanswered"
        case .full: "full"
        case .refused: "refused"
        case .restartsUnseen: "restarts-unseen"
        case .sentinel: "sentinel"
        case .httpServer: "http-server"
        case .encryptedServer: "encrypted-server"
        case .notReplicated: "not-replicated"
        case .memoryLost: "memory-lost"
        case .noPrimary: "no-primary"
        case .slotMoved: "slot-moved"
        case .severalPrimaries: "several-primaries"
        case .evicts: "evicts"
        case .tooOld: "too-old"
        case .tls: "tls"
        case .unreadableAnswer: "unreadable-answer"
        case .overloaded: "overloaded"
        case .closed: "closed"
        }
    }
}

extension RedisUsesError: CustomStringConvertible {
    /// One sentence about the error, without keys, passwords and tokens.
    public var description: String {
        switch self {
        case .unreachable(let reason): "Redis cannot be reached: \(reason)."
        case .timedOut: "Redis did not answer in time."
        case .disconnected: "The connection to Redis broke."
        case .unanswered:
            "The server closed the connection without an answer; if its port expects TLS, configure TLS for Redis."
        case .full: "Redis has no room for another token."
        case .refused(let code, let words):
            "Redis answered with the error \(code)\(words.isEmpty ? "" : " ")\(words)\(words.hasSuffix(".") ? "" : ".")"
        case .restartsUnseen(let answer):
            "Without INFO no restart of Redis can be seen, and a token could be granted twice: "
                + "allow it to the user of Redis (+info). Redis answered: \(answer)\(answer.hasSuffix(".") ? "" : ".")"
        case .sentinel: "The server is a Sentinel; name the Redis servers."
        case .httpServer: "An HTTP server answers in place of Redis; name the Redis servers."
        case .encryptedServer: "The server speaks TLS only; configure TLS for Redis, or name its port without TLS."
        case .notReplicated(let count): "Too few replicas had the token in time: \(count)."
        case .memoryLost: "Redis lost its memory of spent tokens."
        case .noPrimary: "None of the servers is a primary."
        case .slotMoved: "The token's slot moves from one server of the cluster to another."
        case .severalPrimaries: "The servers belong to several primaries or clusters."
        case .evicts(let policy):
            "The maxmemory-policy of Redis is \(policy), which forgets spent tokens; it must be noeviction."
        case .tooOld(let version): "Redis \(version) is too old; 6.2 or later is needed."
        case .tls(let reason): "TLS with Redis failed: \(reason)."
        case .unreadableAnswer: "The server does not answer as Redis does."
        case .overloaded: "Too many calls are waiting for Redis."
        case .closed: "The memory of spent tokens was closed."
        }
    }
}
