#if VerificationService
public import Foundation
import TVEModels
public import TVETokenCodec

/// Remembers spent tokens in Redis (or Valkey), for any number of verifiers on any number of machines.
///
/// One command spends a token, `SET key 1 NX PXAT end`, which Redis executes for one caller at a time; the key expires
/// after the token. Calls never block a thread of Swift's pool: each connection has its own thread, which sends all
/// queued commands in one write. Every call has an answer within ``RedisUsesConfiguration/timeout``, with or without
/// Redis, and broken connections are reopened automatically.
///
/// No token is granted twice, not even when Redis restarts without its data, when a replica takes over that lacks the
/// last tokens, when the database is emptied, or when a clock is wrong; see `RedisUsesConfiguration.restarts`. In
/// doubt, a token is not granted.
public final class RedisMediaTokenUses: MediaTokenUses {
    private let configuration: RedisUsesConfiguration
    private let workers: [RedisWorker]
    private let turn = Guarded(0)

    /// Begins to connect; until then, calls wait for the connection within their time limit.
    ///
    /// - Parameters:
    ///   - configuration: which Redis, and how to use it.
    ///   - onChange: called when Redis becomes available or unavailable, on a thread of a connection, one call after
    ///     the other. It must be quick and must not call this object.
    /// - Throws: `.unreachable` when the process has no descriptor left; an unavailable server is not an error here.
    public init(
        _ configuration: RedisUsesConfiguration,
        onChange: @escaping @Sendable (RedisConnectionChange) -> Void = { _ in }
    ) throws(RedisUsesError) {
        self.configuration = configuration
        let count = RedisConnectionCount(onChange)
        var workers: [RedisWorker] = []
        for _ in 0..<min(max(1, configuration.connections), 64) {
            workers.append(try RedisWorker(configuration, count))
        }
        self.workers = workers
    }

    deinit {
        close()
    }

    /// Whether a token could be spent now, as far as is known.
    public var isConnected: Bool { workers.contains(where: \.isConnected) }

    /// Why the last attempt to connect failed; nil while there is a connection, and before the first attempt ended.
    public var failure: RedisUsesError? { isConnected ? nil : workers.lazy.compactMap(\.failure).first }

    /// Ends all connections and their threads; waiting calls fail, and so do later ones.
    public func close() {
        for worker in workers { worker.close() }
    }

    /// Spends a token; see `MediaTokenUses`.
    ///
    /// - Parameters:
    ///   - use: the token.
    ///   - now: the back end's current time; Redis' own clock is checked as well.
    /// - Returns: true for the first call with this token; false for every later one, for an expired token, and for one
    ///   that may have been spent before Redis began to remember.
    /// - Throws: `RedisUsesError`, within ``RedisUsesConfiguration/timeout``.
    public func spend(_ use: MediaTokenUse, at now: Date) async throws -> Bool {
        try await spend([use], at: now)[0].get()
    }

    /// Spends several tokens in one round trip; see `MediaTokenUses`.
    public func spend(_ uses: [MediaTokenUse], at now: Date) async -> [Result<Bool, any Error>] {
        // Written so that NaN is refused too.
        let places = uses.indices.filter { uses[$0].expires > now }
        var results: [Result<Bool, any Error>] = uses.map { _ in .success(false) }
        guard !places.isEmpty else { return results }
        let spends = places.map {
            RedisSpend(uses[$0], prefix: configuration.prefix, keptAfterEnd: configuration.keptAfterEnd)
        }
        let deadline = RedisDeadline.now.advanced(by: configuration.timeout)
        let worker = nextWorker()
        let found = await withCheckedContinuation { continuation in
            worker.submit(RedisCall(spends: spends, deadline: deadline) { continuation.resume(returning: $0) })
        }
        for (place, result) in zip(places, found) { results[place] = result.mapError { $0 } }
        return results
    }

    /// The next connected worker in turn; the next in turn when none is connected.
    private func nextWorker() -> RedisWorker {
        let first = turn.withLock { turn in
            turn = (turn + 1) % workers.count
            return turn
        }
        for step in workers.indices {
            let worker = workers[(first + step) % workers.count]
            if worker.isConnected { return worker }
        }
        return workers[first]
    }
}
#endif
