import Foundation
import NIOConcurrencyHelpers
import TVEFleetFixture
import TVEModels
import TVETestTraits
import Testing

/// Several verifiers with one Redis or one cluster, under a load that keeps the machine busy.
@Suite(.oneAtATime, .needs("redis-server", "redis-cli"))
struct FleetLoadTests {
    @Test(.row("VW9"), arguments: [1, 3])
    func threeVerifiers_grantEachTokenOnce(primaries: Int) async throws {
        let count = LongTests.areOn ? 100_000 : 1_500
        let fleet = try Fleet(bits: 1_024)
        let cluster = primaries > 1 ? try RedisCluster(primaries: primaries) : nil
        let servers = try cluster?.servers ?? [RedisServer()]
        // A busy machine may be slow. Another test checks how long an answer may take.
        let verifiers = try (0..<3).map { number in
            try fleet.verifier(Fleet.redis(servers[number % servers.count], "timeout: 20"), bits: 1_024)
        }
        for verifier in verifiers { #expect(try verifier.becomes(whole: true)) }
        verifiers[0].remembers()
        let tokens = try await fleet.mint.tokens(count, issued: Date(), seconds: 3_600)
        let firsts = NIOLockedValueBox([Int](repeating: 0, count: count))
        let answers = NIOLockedValueBox(0)
        let odd = NIOLockedValueBox<[String]>([])
        let clients = 12
        await withTaskGroup(of: Void.self) { group in
            for client in 0..<clients {
                group.addTask {
                    await onThread {
                        do {
                            let socket = try verifiers[client % 3].connect()
                            // Each token is sent twice, by two clients of different verifiers. Every other client sends
                            // batches.
                            let mine = tokens.indices.filter { $0 % clients == client || ($0 + 1) % clients == client }
                            let size = client.isMultiple(of: 2) ? 1 : 50
                            for start in stride(from: 0, to: mine.count, by: size) {
                                let places = Array(mine[start..<min(start + size, mine.count)])
                                let results = try Self.send(places.map { tokens[$0] }, isBatch: size > 1, socket)
                                for (place, result) in zip(places, results) {
                                    answers.withLockedValue { $0 += 1 }
                                    if result.verdict != "validToken" {
                                        odd.withLockedValue { $0.append(result.verdict) }
                                    }
                                    if result.isFirst { firsts.withLockedValue { $0[place] += 1 } }
                                }
                            }
                        } catch {
                            odd.withLockedValue { $0.append("\(error)") }
                        }
                    }
                }
            }
        }
        #expect(odd.withLockedValue { $0 } == [])
        #expect(answers.withLockedValue { $0 } == 2 * count)
        #expect(firsts.withLockedValue { $0 }.allSatisfy { $0 == 1 })
        #expect(firsts.withLockedValue { $0.reduce(0, +) } == count)
    }

    private static func send(
        _ tokens: [String], isBatch: Bool, _ socket: RawSocket
    ) throws -> [(verdict: String, isFirst: Bool)] {
        func fields(_ token: String) -> String { "{\"token\":\"\(Data(token.utf8).base64EncodedString())\"}" }
        let results: [[String: Any]]
        if isBatch {
            let body = "{\"tokens\":[\(tokens.map(fields).joined(separator: ","))]}"
            let answer = try socket.request("POST", "/v1/verify/batch", body: Data(body.utf8))
            results = answer.json["results"] as? [[String: Any]] ?? []
        } else {
            results = [try socket.request("POST", "/v1/verify", body: Data(fields(tokens[0]).utf8)).json]
        }
        guard results.count == tokens.count else { throw FixtureError("there are \(results.count) results") }
        return results.map { ($0["verdict"] as? String ?? "none", $0["firstUse"] as? Bool ?? false) }
    }

    /// Redis is killed and restarted empty, repeatedly, while clients send every token to two verifiers.
    @Test(.row("VR1")) func redisThatLosesItsMemory_underLoad_grantsNothingTwice() async throws {
        let fleet = try Fleet(bits: 1_024)
        let server = try RedisServer()
        let verifiers = try (0..<2).map { _ in
            try fleet.verifier(Fleet.redis(server, "timeout: 1", clockSkew: 1), bits: 1_024)
        }
        for verifier in verifiers { verifier.remembers() }
        let rounds = LongTests.areOn ? 20 : 3
        let hasEnded = NIOLockedValueBox(false)
        let firsts = NIOLockedValueBox<[String: Int]>([:])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    await onThread {
                        var mine: [String] = []
                        while !hasEnded.withLockedValue({ $0 }) {
                            guard let sockets = try? verifiers.map({ try $0.connect() }),
                                let token = try? fleet.mint.token()
                            else { continue }
                            mine.append(token)
                            // The new token, and an old one that Redis may have lost since, are sent to both verifiers.
                            for token in [token, mine.randomElement() ?? token] {
                                for socket in sockets {
                                    let body = Data("{\"token\":\"\(Data(token.utf8).base64EncodedString())\"}".utf8)
                                    guard let answer = try? socket.request("POST", "/v1/verify", body: body) else {
                                        continue
                                    }
                                    if answer.summary == "validToken first" {
                                        firsts.withLockedValue { $0[token, default: 0] += 1 }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            group.addTask {
                await onThread {
                    // A new memory grants tokens that were issued a second after it began, so each round takes a
                    // second.
                    for round in 0...rounds {
                        let before = firsts.withLockedValue { $0.count }
                        waitUntil { firsts.withLockedValue { $0.count } > before + 20 }
                        guard round < rounds else { break }
                        server.kill()
                        try? server.restart()
                    }
                    hasEnded.withLockedValue { $0 = true }
                }
            }
            await group.waitForAll()
        }
        #expect(firsts.withLockedValue { $0.values.allSatisfy { $0 == 1 } })
        #expect(firsts.withLockedValue { $0.count } > 20 * rounds)
    }
}
