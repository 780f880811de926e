import Logging
import TVEModels
import TVERedisUses
import TVETokenVerification
import TVEVerification

/// The configuration of the verification service.
struct VerifierConfiguration: Sendable, Redacting {
    var listen = ListenAddress(host: "127.0.0.1", port: 8480)
    var requestors: [RequestorSettings] = []
    var callers: CallerSettings?
    /// The encryption of callers' connections; `nil` for connections without TLS.
    var tls: TLSSettings?
    var memory = MemorySettings.process(capacity: 1_000_000, issuerClockSkew: 2)
    /// The path of the file with the password of Redis, which each new connection reads; `nil` if there is none.
    var redisPasswordFile: String?
    /// The treatment of a valid token while the memory is unavailable (`memory.whenAway` in the file).
    var memoryFailurePolicy = MemoryFailurePolicy.failClosed
    var limits = VerificationLimits()
    /// The maximum number of connections at a time.
    var connections = 16_384
    /// The number of seconds after which a connection without a request is closed.
    var idleSeconds = 60
    /// The number of seconds after SIGTERM for which the service still accepts requests.
    ///
    /// During this time clients can switch to another machine, and load balancers notice that this one is leaving.
    var drainDelay = 5.0
    /// The number of seconds after SIGTERM by which the service ends in any case.
    ///
    /// Kubernetes kills after 30 seconds unless it is told otherwise.
    var drainLimit = 25.0
    var logLevel = Logger.Level.info
    /// Remarks about files outside of key directories that are not mistakes.
    var notes: [ConfigurationError] = []

    struct RequestorSettings: Sendable {
        var id: RequestorID
        var keys: [MediaTokenKey] = []
        var keyDirectory: String?
        /// The problems of files in the directory, without which the service starts.
        var directoryProblems: [ConfigurationError] = []
        /// Remarks about the directory that are not mistakes.
        var directoryNotes: [ConfigurationError] = []
        var clockTolerance = 0.0
        var allows1024Bits = false
    }

    /// The callers that the service admits.
    enum CallerSettings: Sendable, Hashable {
        /// Callers that send one of the keys in a file.
        case bearerKeys(file: String)
        /// Callers with a certificate that `tls.clientAuthority` signed.
        case certificates
        /// Every program on this machine.
        case anyone
    }

    /// The encryption of callers' connections.
    struct TLSSettings: Sendable, Hashable {
        var certificate: String
        var key: String
        var clientAuthority: String?
    }

    /// The memory of spent tokens.
    enum MemorySettings: Sendable {
        /// A memory in this process alone.
        case process(capacity: Int, issuerClockSkew: Double)
        /// A memory in Redis, which verifiers share.
        case redis(RedisUsesConfiguration)
    }

    /// A description with the address and the requestors, and without secrets.
    var redactedDescription: String {
        "VerifierConfiguration(\(listen.host):\(listen.port), \(requestors.map(\.id.text).joined(separator: ", ")))"
    }
}
