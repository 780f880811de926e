/// The reason for which it is unknown whether a token was spent.
///
/// The stream must not start.
public enum RedisUsesError: Error, Sendable, Hashable {
    /// No server could be reached; the value is the message of the operating system.
    case unreachable(String)
    /// No answer arrived in time.
    ///
    /// The token may have been spent.
    case timedOut
    /// The connection broke before the answer.
    ///
    /// The token may have been spent.
    case disconnected
    /// The server closed the connection without any answer, as a server that expects TLS does.
    ///
    /// No token was spent.
    case unanswered
    /// Redis has no memory left for another token.
    case full
    /// Redis answered with an error, whose code is its first word, for example `READONLY`.
    case refused(code: String, words: String = "")
    /// The user of Redis has no permission for `INFO`; the value is the answer of Redis.
    ///
    /// Nothing else reveals that Redis has restarted, so a token could be granted twice.
    case restartsUnseen(String)
    /// The server is a Sentinel, which stores no tokens.
    case sentinel
    /// The server is an HTTP server.
    case httpServer
    /// The server requires TLS, and the configuration has none.
    case encryptedServer
    /// Fewer replicas than required confirmed the token in time; `count` is their number.
    case notReplicated(count: Int)
    /// The memory of Redis was lost or replaced while the token was being spent.
    case memoryLost
    /// No server reports itself as the primary, or no server of a cluster has the slot of the token.
    case noPrimary
    /// The slot of the token was moving from one server of a cluster to another until the time limit.
    case slotMoved
    /// More than one server reports itself as the primary, or the servers belong to several clusters.
    case severalPrimaries
    /// The `maxmemory-policy` of Redis evicts keys when its memory is full, so a token could be granted twice.
    case evicts(policy: String)
    /// Redis is older than 6.2, which introduced `PXAT`.
    case tooOld(version: String)
    /// TLS could not be set up; the value is the message of OpenSSL.
    case tls(String)
    /// The answer does not come from Redis.
    case unreadableAnswer
    /// Too many calls are waiting.
    case overloaded
    /// The memory of spent tokens was closed.
    case closed
}

extension RedisUsesError {
    /// A word for the kind of error, for the label of a counter or an attribute of a span.
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
    /// A sentence about the error that contains no keys, passwords or tokens.
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
