#if VerificationService
public import Foundation
import TVEModels
public import TVETokenCodec

/// Remembers spent tokens in Redis (or Valkey), for any number of verifiers on any number of machines.
///
/// A token is spent by one command, `SET key 1 NX PXAT end`, which Redis carries out for one caller at a time; the key expires
/// after the token. Calls never wait on a thread of Swift's pool: each connection has a thread of its own, which sends
/// what has queued up in one write. Every call has an answer within ``RedisUsesConfiguration/timeout``, Redis or not, and connections are
/// made again by themselves.
///
/// No token is granted twice, also not when Redis starts again without its data, when a replica takes over that lacks the last
/// tokens, when the database is emptied, or when a clock is wrong; see `RedisUsesConfiguration.restarts`. What is
/// unclear is not granted.
public final class RedisMediaTokenUses: MediaTokenUses {
    private let configuration: RedisUsesConfiguration
    private let workers: [RedisWorker]
    private let turn = Guarded(0)

    /// Begins to connect; calls that come before wait for it, as long as they may.
    ///
    /// - Parameters:
    ///   - configuration: which Redis, and how it is asked.
    ///   - onChange: called when Redis comes and goes, on a thread of a connection, one call after the other. It must be quick and
    ///     must not call this object.
    /// - Throws: `.unreachable` when the process has no descriptor left; a server that is away is no error here.
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

    /// Ends all connections and their threads; calls that wait fail, later ones too.
    public func close() {
        for worker in workers { worker.close() }
    }

    /// Spends a token; see `MediaTokenUses`.
    ///
    /// - Parameters:
    ///   - use: the token.
    ///   - now: the back end's present time; Redis' own clock is looked at as well.
    /// - Returns: true for the first call with this token; false for every later one, for an expired token, and for one that may
    ///   have been spent before Redis began to remember.
    /// - Throws: `RedisUsesError`, within ``RedisUsesConfiguration/timeout``.
    public func spend(_ use: MediaTokenUse, at now: Date) async throws -> Bool {
        try await spend([use], at: now)[0].get()
    }

    /// Spends several tokens in one round trip; see `MediaTokenUses`.
    public func spend(_ uses: [MediaTokenUse], at now: Date) async -> [Result<Bool, any Error>] {
        // Written so that a date that is no number is refused too.
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

    /// The next in turn that is connected; the next in turn when none is.
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
