#if VerificationService
/// Why it could not be found out whether a token was spent; the stream must not start then.
public enum RedisUsesError: Error, Sendable, Hashable {
    /// No server could be connected to; the system's text for it.
    case unreachable(String)
    /// There was no answer in time. The token may count as spent.
    case timedOut
    /// The connection broke before the answer. The token may count as spent.
    case disconnected
    /// Redis has no room for another token.
    case full
    /// Redis answered with an error; its first word, for example `READONLY`.
    case refused(code: String)
    /// Fewer replicas than demanded took the token over in time.
    case notReplicated(count: Int)
    /// What Redis remembered is gone or was replaced while the token was spent.
    case memoryLost
    /// None of the servers says that it is the primary.
    case noPrimary
    /// More than one of the servers says that it is the primary.
    case severalPrimaries
    /// Redis throws keys away when it is full (`maxmemory-policy`); a token could be granted twice.
    case evicts(policy: String)
    /// Redis is older than 6.2, which brought `PXAT`.
    case tooOld(version: String)
    /// TLS could not be set up; OpenSSL's text for it.
    case tls(String)
    /// The answer is none of Redis.
    case unreadableAnswer
    /// More calls wait than may.
    case overloaded
    /// The memory was closed.
    case closed
}

extension RedisUsesError: CustomStringConvertible {
    /// One sentence that says what is wrong; no key, no password and no token is in it.
    public var description: String {
        switch self {
        case .unreachable(let reason): "Redis cannot be reached: \(reason)."
        case .timedOut: "Redis did not answer in time."
        case .disconnected: "The connection to Redis broke."
        case .full: "Redis has no room for another token."
        case .refused(let code): "Redis refused with \(code)."
        case .notReplicated(let count): "Only \(count) replicas took the token over in time."
        case .memoryLost: "Redis lost its memory of spent tokens."
        case .noPrimary: "None of the servers is a primary."
        case .severalPrimaries: "More than one of the servers says that it is the primary."
        case .evicts(let policy):
            "Redis has maxmemory-policy \(policy), which forgets spent tokens; it must be noeviction."
        case .tooOld(let version): "Redis \(version) is too old; 6.2 or later is needed."
        case .tls(let reason): "TLS with Redis failed: \(reason)."
        case .unreadableAnswer: "The answer is none of Redis."
        case .overloaded: "Too many calls wait for Redis."
        case .closed: "The memory was closed."
        }
    }
}
#endif
