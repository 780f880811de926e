import Logging
import TVEModels
import TVERedisUses
import TVETokenVerification
import TVEVerification

struct VerifierConfiguration: Sendable, Redacting {
    var listen = ListenAddress(host: "127.0.0.1", port: 8480)
    var requestors: [RequestorSettings] = []
    var callers: CallerSettings?
    /// How callers' connections are encrypted; nil means they are not.
    var tls: TLSSettings?
    var memory = MemorySettings.process(capacity: 1_000_000, issuerClockSkew: 2)
    /// Whether a valid token is granted when the memory is unavailable; `memory.whenAway` in the file.
    var memoryFailurePolicy = MemoryFailurePolicy.failClosed
    var limits = VerificationLimits()
    /// Most connections at a time.
    var connections = 16_384
    /// Seconds after which a connection without a request is closed.
    var idleSeconds = 60
    /// Seconds for which it continues to take requests after SIGTERM, so that clients can go elsewhere.
    var drainDelay = 1.0
    /// Seconds after SIGTERM by which it ends in any case.
    var drainLimit = 30.0
    var logLevel = Logger.Level.info

    struct RequestorSettings: Sendable {
        var id: RequestorID
        var keys: [MediaTokenKey] = []
        var keyDirectory: String?
        /// What is wrong with files of the directory; the service starts without them.
        var directoryProblems: [ConfigurationError] = []
        /// What is worth knowing about the directory, and no mistake.
        var directoryNotes: [ConfigurationError] = []
        var clockTolerance = 0.0
        var allows1024Bits = false
    }

    /// Which callers it serves.
    enum CallerSettings: Sendable, Hashable {
        /// Callers that send a key from a file.
        case bearerKeys(file: String)
        /// Callers with a certificate that `tls.clientAuthority` signed.
        case certificates
        /// Every program on this machine.
        case anyone
    }

    /// How callers' connections are encrypted.
    struct TLSSettings: Sendable, Hashable {
        var certificate: String
        var key: String
        var clientAuthority: String?
    }

    /// The memory of spent tokens.
    enum MemorySettings: Sendable {
        /// This process alone.
        case process(capacity: Int, issuerClockSkew: Double)
        /// A Redis that verifiers share.
        case redis(RedisUsesConfiguration)
    }

    /// The address and the requestors, without secrets.
    var redactedDescription: String {
        "VerifierConfiguration(\(listen.host):\(listen.port), \(requestors.map(\.id.text).joined(separator: ", ")))"
    }
}
