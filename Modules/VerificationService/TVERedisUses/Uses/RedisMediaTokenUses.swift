public import Foundation
import TVEModels
public import TVETokenVerification
public import Tracing

/// Remembers spent tokens in Redis (or Valkey), for any number of verifiers on any number of machines.
///
/// One script spends a token: it reads the clock of Redis and sends `SET key 1 NX PXAT end`. Redis executes it for one
/// caller at a time; the key expires after the token. Calls never block a thread of Swift's pool: each connection has its
/// own thread, which sends all queued commands in one write. Every call has an answer within
/// ``RedisUsesConfiguration/timeout``, with or without Redis, and broken connections are reopened automatically.
///
/// The servers may be a Redis Cluster: then tokens are spread over its primaries, and each slot is proved by itself.
///
/// No token is granted twice, not even when Redis restarts without its data, when a replica takes over that lacks the
/// last tokens, when the database is emptied, or when the clock of Redis is behind that of the service that issues
/// tokens; see `RedisUsesConfiguration.restarts`. In doubt, a token is not granted. Documentation/VerificationService.md
/// lists what is not covered.
public final class RedisMediaTokenUses: MediaTokenUses {
    private let configuration: RedisUsesConfiguration
    private let servers: RedisServers
    private let trace: RedisTrace

    /// Begins to connect; until then, calls wait for the connection within their time limit.
    ///
    /// - Parameters:
    ///   - configuration: which Redis, and how to use it.
    ///   - tracer: gets a span `tve.redis` for each round trip, without anything of a token. By default the one that the
    ///     program has installed before; if there is none, no span is made.
    ///   - onChange: called when Redis becomes available or unavailable, on a thread of a connection, one call after
    ///     the other. It must be quick and must not call this object.
    /// - Throws: `.unreachable` when the process has no descriptor left; an unavailable server is not an error here.
    public init(
        _ configuration: RedisUsesConfiguration, tracer: any Tracer = InstrumentationSystem.tracer,
        onChange: @escaping @Sendable (RedisConnectionChange) -> Void = { _ in }
    ) throws(RedisUsesError) {
        self.configuration = configuration
        trace = RedisTrace(tracer)
        servers = try RedisServers(configuration, trace, RedisConnectionCount(onChange))
    }

    deinit {
        close()
    }

    /// Whether a token could be spent now, as far as is known; in a cluster, whether any could.
    public var isConnected: Bool { servers.isConnected }

    /// The share of all tokens, from 0 to 1, that could not be spent now, as far as is known.
    ///
    /// In a cluster, that of the primaries without a connection and of the slots without a primary.
    public var unavailableShare: Double { servers.unavailableShare }

    /// Why the last attempt to connect failed; nil while there is a connection, and before the first attempt ended.
    public var failure: RedisUsesError? { isConnected ? nil : servers.failure }

    /// The number of seconds by which the clock of Redis is ahead of this machine's, negative if it is behind; nil without
    /// a connection.
    ///
    /// In a cluster, that of the primary whose clock differs most. Known from the time at which a connection opens, and
    /// read again with every round trip.
    public var clockLead: TimeInterval? {
        servers.observations.map(\.clockLead).max { abs($0) < abs($1) }
    }

    /// The number of replicas by which a primary has more than ``RedisUsesConfiguration/replication`` says; 0 if none has.
    public var excessReplicas: Int {
        guard configuration.replication != .primaryAlone else { return 0 }
        return max(0, (servers.observations.map(\.replicas).max() ?? 0) - configuration.replication.count)
    }

    /// Ends all connections and their threads; waiting calls fail, and so do later ones.
    public func close() {
        servers.close()
    }

    /// Spends a token; see `MediaTokenUses`.
    ///
    /// - Parameters:
    ///   - use: the token.
    ///   - now: the back end's current time; Redis' own clock is checked as well.
    /// - Returns: `.granted` for the first call with this token; otherwise the reason for which it was refused.
    /// - Throws: `RedisUsesError`, within ``RedisUsesConfiguration/timeout``.
    public func spend(_ use: MediaTokenUse, at now: Date) async throws -> MediaTokenUseOutcome {
        try await spend([use], at: now)[0].get()
    }

    /// Spends several tokens, in one round trip to each server that has some of them; see `MediaTokenUses`.
    public func spend(_ uses: [MediaTokenUse], at now: Date) async -> [Result<MediaTokenUseOutcome, any Error>] {
        // Written so that NaN is refused too.
        var places = uses.indices.filter { uses[$0].expires > now }
        var results: [Result<MediaTokenUseOutcome, any Error>] = uses.map { _ in .success(.refused(.expired)) }
        let deadline = RedisDeadline.now.advanced(by: configuration.timeout)
        while !places.isEmpty {
            let spends = places.map { RedisSpend(uses[$0], keptAfterEnd: configuration.keptAfterEnd) }
            let found = await spend(spends, until: deadline)
            for (place, result) in zip(places, found) { results[place] = result.mapError { $0 } }
            // They were written nowhere, and can be sent again.
            places = zip(places, found).filter { $1 == .failure(.slotMoved) }.map(\.0)
            // A call that comes so late is not sent any more.
            let latest = RedisDeadline.now.advanced(by: configuration.timeout / 5 + 0.01)
            guard !places.isEmpty, !Task.isCancelled, latest < deadline else { break }
            servers.refresh()
            // A slot moves within milliseconds.
            try? await Task.sleep(for: .milliseconds(5))
        }
        return results
    }

    /// Sends each token to the server that has it.
    private func spend(
        _ spends: [RedisSpend], until deadline: RedisDeadline
    ) async -> [Result<MediaTokenUseOutcome, RedisUsesError>] {
        let groups = servers.route(spends)
        if groups.count == 1 { return await spend(spends, groups[0].worker, deadline) }
        return await withTaskGroup { tasks in
            for (worker, places) in groups {
                tasks.addTask { (places, await self.spend(places.map { spends[$0] }, worker, deadline)) }
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
        _ spends: [RedisSpend], _ worker: RedisWorker?, _ deadline: RedisDeadline
    ) async -> [Result<MediaTokenUseOutcome, RedisUsesError>] {
        guard let worker else { return spends.map { _ in .failure(.noPrimary) } }
        return await withCheckedContinuation { continuation in
            let call = RedisCall(spends: spends, deadline: deadline, context: trace.context) {
                continuation.resume(returning: $0)
            }
            worker.submit(call)
        }
    }
}
