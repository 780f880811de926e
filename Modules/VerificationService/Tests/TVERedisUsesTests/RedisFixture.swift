import Foundation
import TVEFleetFixture
import TVERedisUses
import TVETokenVerification

extension RedisServer {
    /// The server's address.
    var address: RedisAddress { .host("127.0.0.1", port: port) }

    /// A memory in this server, with one connection, that has begun to remember, or has failed to.
    ///
    /// With several, a call could be sent over a connection that broke and was not used since.
    func uses(
        _ change: (inout RedisUsesConfiguration) -> Void = { _ in },
        onChange: @escaping @Sendable (RedisConnectionChange) -> Void = { _ in }
    ) throws -> RedisMediaTokenUses {
        var configuration = RedisUsesConfiguration(servers: [address])
        // Long enough for a busy machine; tests that measure time set their own.
        configuration.timeout = 10
        configuration.connections = 1
        configuration.issuerClockSkew = 0
        change(&configuration)
        let uses = try RedisMediaTokenUses(configuration, onChange: onChange)
        uses.begin()
        return uses
    }
}

extension RedisMediaTokenUses {
    /// Waits until the memory grants what is issued now, or has failed to connect.
    func begin() {
        waitUntil(within: 30) { isConnected || failure != nil }
        // It begins at a whole millisecond, and grants only what was issued later.
        Date().addingTimeInterval(0.005).isOver()
    }
}

extension RedisReplication {
    /// A majority that a test knows to be one.
    static func majority(_ required: Int, of count: Int) -> RedisReplication {
        RedisReplication(required: required, of: count) ?? .primaryAlone
    }
}

extension MediaTokenUse {
    /// A token with a random digest that expires in some minutes, and that by default was issued a moment ago.
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
    /// The clock of Redis has whole milliseconds: in the same one, a token would have to wait.
    static var aMomentAgo: Date { Date().addingTimeInterval(-0.002) }

    /// A time at which a memory that has begun is older, and one that begins after ``isOver()`` is younger; Redis'
    /// memories begin at whole milliseconds.
    static var betweenMemories: Date { Date().addingTimeInterval(0.002) }

    /// Waits until a memory that begins now is younger.
    func isOver() { waitUntil { timeIntervalSinceNow < -0.01 } }
}

extension MediaTokenUses {
    /// Spends a token now, or as soon as the clock of the memory allows.
    ///
    /// - Returns: whether it was granted.
    func spend(_ use: MediaTokenUse) async throws -> Bool {
        for _ in 0..<10 {
            let outcome = try await spend(use, at: Date())
            guard let seconds = outcome.refusal?.retryAfter, seconds < 3 else { return outcome.isGranted }
            try await Task.sleep(for: .seconds(seconds))
        }
        return false
    }

    /// The error of spending a new token; nil when there is none.
    func failure() async -> RedisUsesError? {
        do {
            _ = try await spend(.random())
            return nil
        } catch {
            return error as? RedisUsesError
        }
    }

    /// Waits until a new token is granted again; in a cluster, one in the slot of another.
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
