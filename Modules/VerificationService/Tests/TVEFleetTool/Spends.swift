import Foundation
import TVEFleetFixture
import TVEModels
import TVERedisUses
import TVETokenVerification

/// A measurement of how many tokens per second one Redis and clusters on this machine can spend, and at what cost.
///
/// Only the processor time per token can be transferred to other machines, because here all servers and this program
/// share the same cores.
enum Spends {
    static func run(seconds: Double, rounds: Int) async throws {
        for round in 1...rounds {
            for primaries in [0, 1, 3] {
                let cluster = primaries > 0 ? try RedisCluster(primaries: primaries) : nil
                let servers = try cluster?.servers ?? [RedisServer()]
                let name = cluster == nil ? "no cluster" : "\(primaries) in a cluster"
                // Callers spend one token at a time, or a hundred at once.
                for size in [1, 100] {
                    try await measure(
                        "round \(round), \(name)", servers: servers, tokensAtOnce: size, seconds: seconds)
                }
            }
        }
    }

    private static func measure(
        _ name: String, servers: [RedisServer], tokensAtOnce size: Int, seconds: Double
    ) async throws {
        var configuration = RedisUsesConfiguration(servers: [.host("127.0.0.1", port: servers[0].port)])
        configuration.timeout = 10
        let uses = try RedisMediaTokenUses(configuration)
        defer { uses.close() }
        // The memory of each part begins with its first token.
        while await !granted(4_096, by: uses) {}
        let before = try servers.map(processorSeconds)
        let ownBefore = ownProcessorSeconds
        let start = ContinuousClock.now
        let spent = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<(size > 1 ? 16 : 256) {
                group.addTask {
                    var count = 0
                    while start.duration(to: .now) < .seconds(seconds) {
                        guard await granted(size, by: uses) else { continue }
                        count += size
                    }
                    return count
                }
            }
            return await group.reduce(0, +)
        }
        let taken = start.duration(to: .now) / .seconds(1)
        let own = (ownProcessorSeconds - ownBefore) / Double(spent) * 1e6
        let costs = try zip(servers, before).map { try (processorSeconds(of: $0) - $1) / Double(spent) * 1e6 }
        let all = costs.reduce(0, +)
        let line = String(
            format:
                "%d at once: %.0f spends a second; processor time a spend: all servers %.1f us, the busiest %.1f us, ",
            size, Double(spent) / taken, all, costs.max() ?? 0)
        print("\(name), \(line)this program \(String(format: "%.1f", own)) us")
    }

    private static func granted(_ count: Int, by uses: RedisMediaTokenUses) async -> Bool {
        let now = Date()
        let issued = now.addingTimeInterval(-0.002)
        let expires = now.addingTimeInterval(60)
        let tokens = (0..<count).map { _ in
            var words = (0..<4).map { _ in UInt64.random(in: .min ... .max) }
            return MediaTokenUse(digest: unsafe Data(bytes: &words, count: 32), expires: expires, issued: issued)
        }
        return await uses.spend(tokens, at: now).allSatisfy { (try? $0.get()) == .granted }
    }

    private static var ownProcessorSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Returns the processor time that a server has used, in seconds.
    private static func processorSeconds(of server: RedisServer) throws -> Double {
        let socket = try RawSocket(path: server.folder.appendingPathComponent("redis.sock").path)
        try socket.send(Data("INFO cpu\r\n".utf8))
        var sum = 0.0
        for name in ["used_cpu_sys:", "used_cpu_user:"] {
            while true {
                let line = try socket.line()
                guard line.hasPrefix(name) else { continue }
                sum += Double(line.dropFirst(name.count)) ?? 0
                break
            }
        }
        return sum
    }
}
