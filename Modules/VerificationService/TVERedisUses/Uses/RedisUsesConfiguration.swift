public import Foundation
public import TVEModels

/// Which Redis remembers spent tokens, and how to use it.
public struct RedisUsesConfiguration: Sendable, Redacting {
    /// The servers: one, a primary and its replicas in any order, or some servers of a cluster.
    ///
    /// The server that reports itself as the primary is used. A cluster's servers tell of all the others.
    public var servers: [RedisAddress]
    /// Name for `AUTH`; nil means the default user.
    public var username: String?
    /// Password for `AUTH`; nil means none is needed.
    public var password: String?
    /// Number of the database, from 0 on.
    public var database = 0
    /// How connections are encrypted; nil means they are not.
    public var tls: RedisTLS?
    /// Judges the files of ``tls`` before each attempt to connect.
    package var tlsFiles = RedisTLSFiles()
    /// Seconds within which a call has its answer, including the time to connect.
    public var timeout: TimeInterval = 0.25
    /// The number of connections, in a cluster to each primary.
    ///
    /// One carries many calls at once.
    public var connections = 2
    /// The prefix of all keys.
    ///
    /// Verifiers with the same prefix share one memory.
    public var prefix = "tve"
    /// The number of replicas that must have a token before it is granted.
    public var replication = RedisReplication.primaryAlone
    /// What happens to the memory when Redis restarts or another server takes over.
    public var restarts = Restarts.forget
    /// The number of seconds by which the clock of the service that issues tokens may be ahead of the clock of Redis.
    ///
    /// A token that was issued later than that, by the clock of Redis, is not granted and not spent before that clock has
    /// caught up. After a restart, and after another server took over, no token is granted that was issued before the
    /// new memory began plus this time.
    public var issuerClockSkew: TimeInterval = 2
    /// Seconds for which a token stays in Redis after it has expired for the verifier with the largest clock tolerance.
    ///
    /// If the clock of Redis steps back by less, no token is granted twice.
    public var keptAfterEnd: TimeInterval = 60

    /// The effect of a restart of Redis, or of a replica that takes over, on the memory.
    public enum Restarts: String, Sendable, CaseIterable {
        /// Some of it may be lost.
        ///
        /// A token that was issued before the restart is not granted: it may have been spent.
        case forget
        /// Nothing is lost (`appendfsync always`, or ``RedisUsesConfiguration/replication``).
        ///
        /// An emptied database, and keys that were evicted, still begin a new memory.
        case keep
    }

    /// Makes a configuration.
    ///
    /// - Parameter servers: one server, a primary and its replicas, or some servers of a cluster.
    public init(servers: [RedisAddress]) {
        self.servers = servers
    }

    /// The servers, without credentials.
    public var redactedDescription: String {
        "RedisUsesConfiguration(\(servers.map(\.description).joined(separator: ", ")))"
    }
}
