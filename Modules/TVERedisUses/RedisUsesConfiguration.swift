#if VerificationService
public import Foundation
public import TVEModels

/// Which Redis remembers spent tokens, and how it is asked.
public struct RedisUsesConfiguration: Sendable, Redacting {
    /// The servers: one, or a primary and its replicas in any order.
    ///
    /// The one that says it is the primary is used.
    public var servers: [RedisAddress]
    /// Name for `AUTH`; nil means the default user.
    public var username: String?
    /// Password for `AUTH`; nil means none is needed.
    public var password: String?
    /// Number of the database, from 0 on.
    public var database = 0
    /// How connections are encrypted; nil means they are not.
    public var tls: RedisTLS?
    /// Seconds within which a call has its answer, connecting included.
    public var timeout: TimeInterval = 0.25
    /// How many connections there are.
    ///
    /// One carries many calls at once.
    public var connections = 2
    /// What the names of all keys begin with.
    ///
    /// Verifiers that share a memory share it.
    public var prefix = "tve"
    /// How many replicas must have taken a token over before it is granted; 0 means the primary alone.
    public var replicas = 0
    /// What becomes of the memory when Redis starts again or another server takes over.
    public var restarts = Restarts.forget
    /// Seconds by which the clock of the service that issues tokens may be ahead of Redis; matters only after a restart.
    public var issuerClockSkew: TimeInterval = 2
    /// Seconds for which a token stays in Redis after its end.
    ///
    /// A clock of Redis that steps back by less grants nothing twice.
    public var keptAfterEnd: TimeInterval = 60

    /// What a restart of Redis, or a replica that takes over, does to the memory.
    public enum Restarts: String, Sendable, CaseIterable {
        /// Some of it may be lost.
        ///
        /// A token that was issued before the restart is not granted: it may have been spent.
        case forget
        /// Nothing is lost (`appendfsync always`, or ``RedisUsesConfiguration/replicas``).
        case keep
    }

    /// Describes a memory.
    ///
    /// - Parameter servers: one server, or a primary and its replicas.
    public init(servers: [RedisAddress]) {
        self.servers = servers
    }

    /// The servers, nothing that opens them.
    public var redactedDescription: String {
        "RedisUsesConfiguration(\(servers.map(\.description).joined(separator: ", ")))"
    }
}
#endif
