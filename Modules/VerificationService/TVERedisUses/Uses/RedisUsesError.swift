/// The reason for which it is unknown whether a token was spent.
///
/// The stream must not start.
public enum RedisUsesError: Error, Sendable, Hashable {
    /// No server could be reached; the value is the message of the operating system, after the address if it is known.
    case unreachable(String)
    /// No answer arrived in time, and no earlier answer named another reason.
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
    /// The answer of Redis to `INFO` lacks a field, without which a loss of spent tokens could not be seen.
    case incompleteInfo(field: String)
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
    ///
    /// The token may have been spent, because the limit can end before the answer to the last request.
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
    /// The words for all kinds, as ``kind`` returns them.
    package static let kinds = [
        "unreachable", "timed-out", "disconnected", "unanswered", "full", "refused", "restarts-unseen",
        "incomplete-info", "sentinel", "http-server", "encrypted-server", "not-replicated", "memory-lost", "no-primary",
        "slot-moved", "several-primaries", "evicts", "too-old", "tls", "unreadable-answer", "overloaded", "closed",
    ]

    /// A word for the kind of error, for the label of a counter.
    public var kind: String {
        switch self {
        case .unreachable: "unreachable"
        case .timedOut: "timed-out"
        case .disconnected: "disconnected"
        case .unanswered: "unanswered"
        case .full: "full"
        case .refused: "refused"
        case .restartsUnseen: "restarts-unseen"
        case .incompleteInfo: "incomplete-info"
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
    /// A sentence about what was found, and one about what to do; without keys, passwords or tokens.
    public var description: String {
        switch self {
        case .unreachable(RedisThread.noneLeft):
            "Redis cannot be reached: \(RedisThread.noneLeft). Raise the limit of threads for this program."
        case .unreachable(let reason):
            "Redis cannot be reached: \(reason). "
                + "Check that Redis runs at the configured address, and that the network allows the connection."
        case .timedOut:
            "Redis did not answer in time. Look at its load, and at slow commands of others with SLOWLOG GET."
        case .disconnected:
            "The connection to Redis broke, and is opened again. If it breaks often, look at the log of Redis."
        case .unanswered:
            "The server closed the connection without an answer. If its port expects TLS, configure TLS for Redis."
        case .full: "Redis has no room for another token. Raise its maxmemory, or remove the data of other programs."
        case .refused(let code, let words):
            "Redis answered with the error \([code, words].filter { !$0.isEmpty }.joined(separator: " ").asSentence) "
                + Self.advice(code, words)
        case .restartsUnseen(let answer):
            "Without the command INFO, a restart of Redis would not be noticed, and a token could be granted twice. "
                + "Allow INFO for the Redis user (+info). Redis answered: \(answer.asSentence)"
        case .incompleteInfo(let field):
            "INFO has no field \(field), so a loss of spent tokens would not be noticed, and a token could be granted "
                + "twice. Use a Redis or Valkey that reports this field, or ask the provider of a managed one for it."
        case .sentinel: "The server is a Sentinel, which stores nothing. Name the Redis servers in its place."
        case .httpServer: "An HTTP server answers in place of Redis. Name the Redis servers in its place."
        case .encryptedServer:
            "The server speaks TLS only. Configure TLS for Redis, or name its port without TLS."
        case .notReplicated(let count):
            "Too few replicas confirmed the token in time: \(count). Check that they run and follow the primary."
        case .memoryLost:
            "Redis lost its record of spent tokens. Tokens that were issued before are refused; new ones are granted."
        case .noPrimary: "None of the servers is a primary. Name all servers, or wait until a primary has been elected."
        case .slotMoved:
            "The token's slot is moving from one server of the cluster to another. Try again when the move has ended."
        case .severalPrimaries:
            "The servers belong to several primaries or clusters. Name only the servers of one primary or cluster."
        case .evicts(let policy):
            "The maxmemory-policy of Redis is \(policy), which can remove spent tokens. Set it to noeviction."
        case .tooOld(let version): "Redis \(version) is too old. Use 6.2 or later."
        case .tls(let reason): "TLS with Redis failed: \(reason). Check the certificates and the name of the server."
        case .unreadableAnswer: "The server does not answer as Redis does. Check the address and the port."
        case .overloaded: "Too many calls are waiting for Redis. Look at its load, or use more connections."
        case .closed: "The memory of spent tokens was closed. Create a new one, or close it only at the end."
        }
    }

    /// Returns what to do about an error that Redis has answered with.
    private static func advice(_ code: String, _ words: String) -> String {
        switch code {
        case "NOAUTH", "WRONGPASS": "Check the user name and the password that the configuration has for Redis."
        case "LOADING": "Wait until Redis has read its data."
        case "DENIED": "Set a password for Redis; without one, it accepts only connections from its own machine."
        case "MISCONF": "Check the space and the permissions on its disk, and look at the log of Redis."
        case _ where words.utf8.contains(limitInWords.utf8):
            "Raise its maxclients, or close the connections of others."
        case _ where words.utf8.contains(passwordInWords.utf8):
            "Remove the password from the configuration, or set one for Redis."
        case _ where databaseInWords.contains(where: { words.utf8.contains($0.utf8) }):
            "Choose a database that Redis has; most clusters have only database 0."
        // If Redis 7.0 ends a script because of a missing right, the code is ERR.
        case _ where code == "NOPERM" || rightsInWords.contains(where: { words.utf8.contains($0.utf8) }):
            "The page of the verification service lists the commands that its user needs."
        default: "Look at the log of Redis."
        }
    }

    /// A part of Redis's words about a client that is one too many.
    private static let limitInWords = "max number of clients"
    /// A part of Redis's words about a password where it has none.
    private static let passwordInWords = "without any password"
    /// Parts of Redis's words about the number of a database that it does not have.
    private static let databaseInWords = ["DB index", "SELECT is not allowed"]
    /// Parts of Redis's words about a command that it does not run for a user, or for nobody.
    private static let rightsInWords = ["user executing the script", "unknown command"]
}

extension String {
    /// The text with one full stop at its end, unless it is a question.
    fileprivate var asSentence: String { hasSuffix(".") || hasSuffix("?") ? self : "\(self)." }
}
