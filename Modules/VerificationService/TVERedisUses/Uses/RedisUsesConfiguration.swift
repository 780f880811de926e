public import Foundation
public import TVEModels

/// The Redis servers that remember spent tokens, and the rules for using them.
public struct RedisUsesConfiguration: Sendable, Redacting {
    /// The addresses of one server, of a primary and its replicas in any order, or of some servers of a cluster.
    ///
    /// The server that reports itself as the primary is used. The servers of a cluster report all the others.
    public var servers: [RedisAddress]
    /// The user name for `AUTH`; `nil` selects the default user.
    public var username: String?
    /// The password for `AUTH`; `nil` if Redis needs none.
    public var password: String?
    /// A closure that returns the present password for each attempt to connect; `nil` for ``password`` alone.
    ///
    /// It is called on the thread of a connection. If it returns `nil`, ``password`` is used.
    package var presentPassword: (@Sendable () -> String?)?
    /// The number of the database, from 0 on.
    public var database = 0
    /// The encryption of connections; `nil` for connections without TLS.
    public var tls: RedisTLS?
    /// The reader of the files of ``tls``, which checks them before each attempt to connect.
    package var tlsFiles = RedisTLSFiles()
    /// The number of seconds within which a call is answered, including the time to connect.
    public var timeout: TimeInterval = 0.25
    /// The number of connections; in a cluster, the number of connections to each primary.
    ///
    /// One connection carries many calls at once.
    public var connections = 2
    /// The prefix of all keys.
    ///
    /// Verifiers with the same prefix share one memory.
    public var prefix = "tve"
    /// The number of replicas that must confirm a token before it is granted.
    public var replication = RedisReplication.primaryAlone
    /// The effect on the memory of a restart of Redis, or of another server that takes over.
    public var restarts = Restarts.forget
    /// The number of seconds by which the clock of the service that issues tokens may be ahead of the clock of Redis.
    ///
    /// A token that was issued further in the future of the clock of Redis is neither granted nor spent until that
    /// clock has caught up. After a restart, or after another server has taken over, a token is not granted if it was
    /// issued before the beginning of the new memory plus this time.
    public var issuerClockSkew: TimeInterval = 2
    /// The number of seconds for which a token stays in Redis after it has expired for every verifier.
    ///
    /// It has expired for every verifier when it has for the one with the largest clock tolerance. As long as the clock
    /// of Redis is set back by less than this time, no token is granted twice.
    public var keptAfterEnd: TimeInterval = 60
    /// The number of seconds after which a connection without a call is checked.
    var idleLimit: TimeInterval = 5
    /// The number of seconds between two readings of the assignment of slots, unless a token needs one sooner.
    ///
    /// A failover takes longer than this interval.
    var slotsInterval: TimeInterval = 1
    /// The numeric addresses of hosts that are given by name.
    var names = RedisNames()
    /// A closure that starts the threads of connections.
    var startThread: RedisThread.Starter = RedisThread.starter
    /// The number of seconds for which an attempt to connect waits for names; a later answer is for the next attempt.
    ///
    /// A server whose name is unknown cannot be seen as a second primary, so the names get as long as the servers.
    var namePatience: TimeInterval { max(1, timeout * 4) }

    /// The effect of a restart of Redis, or of a replica that takes over, on the memory.
    public enum Restarts: String, Sendable, CaseIterable {
        /// Part of the memory may be lost.
        ///
        /// A token that was issued before the restart is not granted, because it may have been spent.
        case forget
        /// Nothing is lost, because of `appendfsync always` or ``RedisUsesConfiguration/replication``.
        ///
        /// A new memory still begins when the database was emptied or when keys were evicted.
        case keep
    }

    /// Creates a configuration.
    ///
    /// - Parameter servers: the addresses of one server, of a primary and its replicas, or of some servers of a
    ///   cluster.
    public init(servers: [RedisAddress]) {
        self.servers = servers
    }

    /// A description that lists the servers and omits all credentials.
    public var redactedDescription: String {
        "RedisUsesConfiguration(\(servers.map(\.description).joined(separator: ", ")))"
    }
}
