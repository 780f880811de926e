public import Foundation
import TVEModels
public import TVETokenVerification

/// A memory of spent tokens in Redis (or Valkey), shared by any number of verifiers on any number of machines.
///
/// A token is spent by `SET key 1 NX PXAT end`, which Redis executes for one caller at a time; the key expires after
/// the token. A token that is newer than the last known time of Redis goes through a script that reads the clock first.
/// Calls never block a thread of Swift's pool: each connection has its own thread, which sends all queued commands in
/// one write. Every call is answered within ``RedisUsesConfiguration/timeout``, whether or not Redis is available, and
/// broken connections are reopened automatically.
///
/// The servers may form a Redis Cluster. Tokens are then spread over its primaries, and the memory of each slot is
/// verified separately.
///
/// No token is granted twice, not even when Redis restarts without its data, when a replica without the latest tokens
/// takes over, when the database is emptied, or when the clock of Redis is behind that of the service that issues
/// tokens; see `RedisUsesConfiguration.restarts`. In doubt, a token is refused. Documentation/VerificationService.md
/// lists what is not covered.
public final class RedisMediaTokenUses: MediaTokenUses {
    private let configuration: RedisUsesConfiguration
    private let servers: RedisServers

    /// Creates a memory and begins to connect.
    ///
    /// Calls that are made before a connection is open wait for it within their time limit.
    ///
    /// - Parameters:
    ///   - configuration: the servers and the rules for using them.
    ///   - onChange: a closure that is called when Redis becomes available or unavailable. It runs on a thread of its
    ///     own, never twice at the same time. If it takes long, it delays the next reports and nothing else.
    /// - Throws: `.unreachable` when the process has no file descriptor or thread left. An unavailable server is not an
    ///   error here.
    public init(
        _ configuration: RedisUsesConfiguration,
        onChange: @escaping @Sendable (RedisConnectionChange) -> Void = { _ in }
    ) throws(RedisUsesError) {
        self.configuration = configuration
        let count = RedisConnectionCount(startThread: configuration.startThread, onChange)
        servers = try RedisServers(configuration, count: count)
    }

    deinit {
        close()
    }

    /// A Boolean value that indicates whether a token could be spent now, as far as is known.
    ///
    /// In a cluster, the value is `true` as soon as one primary is connected.
    public var isConnected: Bool { servers.isConnected }

    /// The share of all tokens, from 0 to 1, that could not be spent now, as far as is known.
    ///
    /// In a cluster, these are the tokens of primaries without a connection and of slots without a primary.
    public var unavailableShare: Double { servers.unavailableShare }

    /// The reason for which the last attempt to connect failed.
    ///
    /// The value is `nil` while there is a connection, and before the first attempt has ended.
    package var failure: RedisUsesError? { isConnected ? nil : servers.failure }

    /// The number of seconds by which the clock of Redis is ahead of this machine's clock; negative if it is behind.
    ///
    /// The clock is read when a connection opens, again with every round trip, and every few seconds without one. In a
    /// cluster, the value is that of the primary whose clock differs most. Without a connection, it is `nil`.
    public var clockLead: TimeInterval? {
        servers.observations.map(\.clockLead).max { abs($0) < abs($1) }
    }

    /// The number of replicas that a primary has beyond those that ``RedisUsesConfiguration/replication`` states.
    ///
    /// In a cluster, the value is that of the primary with the most replicas. It is 0 if there are no more than stated.
    public var excessReplicas: Int {
        guard configuration.replication != .primaryAlone else { return 0 }
        return max(0, (servers.observations.map(\.replicas).max() ?? 0) - configuration.replication.count)
    }

    /// Ends all connections and their threads.
    ///
    /// Waiting calls and later ones fail with `RedisUsesError.closed`.
    public func close() {
        servers.close()
    }

    /// Spends a token; see `MediaTokenUses`.
    ///
    /// - Parameters:
    ///   - use: the token.
    ///   - now: the current time of the back end. The clock of Redis is checked as well.
    /// - Returns: `.granted` for the first call with this token; otherwise the reason for which the token was refused.
    /// - Throws: `RedisUsesError`, within ``RedisUsesConfiguration/timeout``.
    public func spend(_ use: MediaTokenUse, at now: Date) async throws -> MediaTokenUseOutcome {
        try await spend([use], at: now)[0].get()
    }

    /// Spends several tokens, in one round trip to each server that stores some of them; see `MediaTokenUses`.
    public func spend(_ uses: [MediaTokenUse], at now: Date) async -> [Result<MediaTokenUseOutcome, any Error>] {
        // The comparison is written so that an expiry of NaN is refused too.
        var places = uses.indices.filter { uses[$0].expires > now }
        var results: [Result<MediaTokenUseOutcome, any Error>] = uses.map { _ in .success(.refused(.expired)) }
        let deadline = RedisDeadline.now.advanced(by: configuration.timeout)
        // `true` if all tokens that are sent again are known to be in slots that move.
        var isMoving = false
        while !places.isEmpty {
            let spends = places.map { RedisSpend(uses[$0], keptAfterEnd: configuration.keptAfterEnd) }
            // Before a cluster is known, the same error only passes a token on to the connections to its primaries.
            let isCluster = servers.isCluster
            let found = await spend(spends, until: deadline)
            for (place, result) in zip(places, found) {
                results[place] = result.mapError { error in
                    switch error {
                    // The earlier answer explains more than the end of the time limit within this request.
                    case .timedOut where isMoving: RedisUsesError.slotMoved
                    // If there is no time left for the connections to the primaries, no slot has moved.
                    case .slotMoved where !isCluster: RedisUsesError.timedOut
                    default: error
                    }
                }
            }
            // A token to which a worker answers so was written nowhere, so it can be sent again. After a time-out it
            // may have been written.
            places = zip(places, found).filter { $1 == .failure(.slotMoved) }.map(\.0)
            isMoving = isMoving || isCluster
            // Workers time out a call that is this close to its deadline, so another round would be useless.
            let latest = RedisDeadline.now.advanced(by: configuration.timeout / 5 + 0.01)
            guard !places.isEmpty, !Task.isCancelled, latest < deadline else { break }
            servers.refresh()
            // Servers hand over a slot within milliseconds.
            try? await Task.sleep(for: .milliseconds(5))
        }
        return results
    }

    /// Sends each token to the server that stores it, and returns the results in the order of the tokens.
    private func spend(
        _ spends: [RedisSpend], until deadline: RedisDeadline
    ) async -> [Result<MediaTokenUseOutcome, RedisUsesError>] {
        let groups = servers.route(spends)
        if groups.count == 1 { return await spend(spends, with: groups[0].worker, until: deadline) }
        return await withTaskGroup { tasks in
            for (worker, places) in groups {
                tasks.addTask {
                    (places, await self.spend(places.map { spends[$0] }, with: worker, until: deadline))
                }
            }
            var results = [Result<MediaTokenUseOutcome, RedisUsesError>](
                repeating: .failure(.closed), count: spends.count)
            for await (places, found) in tasks {
                for (place, result) in zip(places, found) { results[place] = result }
            }
            return results
        }
    }

    private func spend(
        _ spends: [RedisSpend], with worker: RedisWorker?, until deadline: RedisDeadline
    ) async -> [Result<MediaTokenUseOutcome, RedisUsesError>] {
        guard let worker else { return spends.map { _ in .failure(.noPrimary) } }
        return await withCheckedContinuation { continuation in
            worker.submit(RedisCall(spends: spends, deadline: deadline) { continuation.resume(returning: $0) })
        }
    }
}
