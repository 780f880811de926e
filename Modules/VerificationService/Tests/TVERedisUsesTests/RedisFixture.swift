import Foundation
import TVEFleetFixture
import TVERedisUses
import TVETokenVerification

extension RedisServer {
    /// The address of the server.
    var address: RedisAddress { .host("127.0.0.1", port: port) }

    /// Returns a memory in this server that has begun to remember, or has failed to connect.
    ///
    /// The memory has one connection. With several, a call could be sent over a connection that broke unnoticed.
    func uses(
        _ change: (inout RedisUsesConfiguration) -> Void = { _ in },
        onChange: @escaping @Sendable (RedisConnectionChange) -> Void = { _ in }
    ) throws -> RedisMediaTokenUses {
        var configuration = RedisUsesConfiguration(servers: [address])
        // The time limit is long enough for a busy machine. Tests that measure time set their own.
        configuration.timeout = 10
        configuration.connections = 1
        configuration.issuerClockSkew = 0
        change(&configuration)
        let uses = try RedisMediaTokenUses(configuration, onChange: onChange)
        uses.begin()
        return uses
    }
}

extension ScriptedRedis {
    /// The address of the server.
    var address: RedisAddress { .host("127.0.0.1", port: port) }
}

extension RedisMediaTokenUses {
    /// Waits until the memory grants tokens that are issued now, or has failed to connect.
    func begin() {
        waitUntil(within: 30) { isConnected || failure != nil }
        // A memory begins at a whole millisecond, and grants only tokens that were issued later.
        Date().addingTimeInterval(0.005).isOver()
    }
}

extension RedisReplication {
    /// Returns a setting that the test knows to be a majority.
    static func majority(_ required: Int, of count: Int) -> RedisReplication {
        RedisReplication(required: required, of: count) ?? .primaryAlone
    }
}

extension MediaTokenUse {
    /// Returns a token with a random digest, which by default was issued a moment ago and expires in seven minutes.
    static func random(
        issued: Date = .aMomentAgo, seconds: TimeInterval = 420, remembered: TimeInterval = 0
    ) -> MediaTokenUse {
        let expires = Date().addingTimeInterval(seconds)
        return MediaTokenUse(
            digest: Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }), expires: expires, issued: issued,
            rememberedUntil: expires.addingTimeInterval(remembered))
    }
}

extension Date {
    /// The time two milliseconds ago.
    ///
    /// The clock of Redis has whole milliseconds, and a token of the current one would have to wait.
    static var aMomentAgo: Date { Date().addingTimeInterval(-0.002) }

    /// A time after the beginning of an existing memory, and before that of a memory that begins after ``isOver()``.
    ///
    /// Memories in Redis begin at whole milliseconds.
    static var betweenMemories: Date { Date().addingTimeInterval(0.002) }

    /// Waits until a memory that begins now would begin after this time.
    func isOver() { waitUntil { timeIntervalSinceNow < -0.01 } }
}

extension MediaTokenUses {
    /// Spends a token now, or as soon as the clock of the memory permits.
    ///
    /// - Returns: `true` if the token was granted.
    func spend(_ use: MediaTokenUse) async throws -> Bool {
        for _ in 0..<10 {
            let outcome = try await spend(use, at: Date())
            guard let seconds = outcome.refusal?.retryAfter, seconds < 3 else { return outcome.isGranted }
            try await Task.sleep(for: .seconds(seconds))
        }
        return false
    }

    /// Spends a new token and returns the error, or `nil` if there is none.
    func failure() async -> RedisUsesError? {
        do {
            _ = try await spend(.random())
            return nil
        } catch {
            return error as? RedisUsesError
        }
    }

    /// Waits until a new token is granted again.
    ///
    /// - Parameter use: a token of a cluster, whose slot the new token shares; `nil` for any slot.
    /// - Returns: `true` if a token was granted in time.
    func recovers(like use: MediaTokenUse? = nil) async -> Bool {
        for _ in 0..<30_000 {
            if (try? await spend(use.map { .random(like: $0) } ?? .random())) == true { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }
}

extension Task where Success == Never, Failure == Never {
    /// Waits a millisecond, for a test that polls until something has happened.
    static func shortPause() async { try? await sleep(for: .milliseconds(1)) }
}
