import Foundation
import NIOConcurrencyHelpers
import TVEFleetFixture
import TVETestTraits
import TVETokenVerification
import Testing

@testable import TVERedisUses

/// A cluster whose servers report what a script says, and whose slots move between them.
@Suite(.eightAtATime)
struct RedisTopologyPollerTests {
    /// A token of the first part of the keys, which has the first 16 slots.
    private static var token: MediaTokenUse {
        MediaTokenUse(
            digest: Data(repeating: 0, count: 32), expires: .distantFuture, issued: Date().addingTimeInterval(-60))
    }

    private static func configuration(_ server: ScriptedRedis) -> RedisUsesConfiguration {
        var configuration = RedisUsesConfiguration(servers: [server.address])
        configuration.timeout = 10
        configuration.connections = 1
        return configuration
    }

    /// The removed server keeps its id, and knows of no other server.
    @Test func aServerThatWasRemoved_doesNotTakeTheSlotsAway() async throws {
        let wasAsked = NIOLockedValueBox(false)
        let removed = try ScriptedRedis { command in
            if command == "CLUSTER SLOTS" { wasAsked.withLockedValue { $0 = true } }
            guard command == "CLUSTER NODES" else { return ScriptedRedis.primary(command, mode: "cluster") }
            return ScriptedRedis.text("bb :1@1 myself,master - 0 0 0 connected\n")
        }
        let place = "127.0.0.1:\(removed.port)@1"
        let server = try ScriptedRedis { command in
            if command.hasPrefix("SET ") { return "+OK\r\n" }
            guard command == "CLUSTER NODES" else { return ScriptedRedis.primary(command, mode: "cluster") }
            return ScriptedRedis.text(
                "aa :1@1 myself,master - 0 0 1 connected 0-15\nbb \(place) master - 0 0 2 connected\n")
        }
        let uses = try RedisMediaTokenUses(Self.configuration(server))
        // The observer begins with the second server of the list.
        #expect(await soon { wasAsked.withLockedValue { $0 } })
        for _ in 0..<100 { #expect(try await uses.spend(Self.token, at: Date()) == .granted) }
        uses.close()
        #expect(server.connections > 0 && removed.connections > 0)
    }

    /// An administrator may then stop the server, which must not be reported as a loss.
    @Test func aServerWhoseSlotsMovedAway_isLeft_andNotMissed() async throws {
        let haveMoved = NIOLockedValueBox(false)
        let old = try ScriptedRedis { command in
            switch command {
            case "CLUSTER MYID": ScriptedRedis.text("bb")
            // The other server alone reports the assignment of slots.
            case "CLUSTER NODES": nil
            default: ScriptedRedis.primary(command, mode: "cluster")
            }
        }
        let place = "127.0.0.1:\(old.port)@1"
        let server = try ScriptedRedis { command in
            guard command == "CLUSTER NODES" else { return ScriptedRedis.primary(command, mode: "cluster") }
            let slots = haveMoved.withLockedValue { $0 } ? ["0-31", ""] : ["0-15", "16-31"]
            return ScriptedRedis.text(
                """
                aa :1@1 myself,master - 0 0 1 connected \(slots[0])
                bb \(place) master - 0 0 2 connected \(slots[1])

                """)
        }
        let changes = NIOLockedValueBox<[RedisConnectionChange]>([])
        let uses = try RedisMediaTokenUses(Self.configuration(server)) { change in
            changes.withLockedValue { $0.append(change) }
        }
        #expect(await soon { changes.withLockedValue { $0 }.contains(.primaryConnected(old.address)) })
        #expect(old.openConnections > 0)
        haveMoved.withLockedValue { $0 = true }
        #expect(await soon { old.openConnections == 0 })
        #expect(await soon { uses.isConnected })
        #expect(
            !changes.withLockedValue { $0 }.contains { change in
                switch change {
                case .lost, .primaryLost: true
                default: false
                }
            })
        uses.close()
        #expect(server.connections > 0)
    }

    /// The next regular reading is an hour away, so only the redirected token can cause the one that it waits for.
    @Test(.row("VC2")) func aRedirectedToken_causesAReading_andIsThenSpent() async throws {
        let script = NIOLockedValueBox((wasRedirected: false, wasReadSince: false))
        let server = try ScriptedRedis { command in
            if command == "CLUSTER NODES" { script.withLockedValue { $0.wasReadSince = $0.wasRedirected } }
            guard command.hasPrefix("SET ") else { return ScriptedRedis.primary(command, mode: "cluster") }
            return script.withLockedValue { script in
                script.wasRedirected = true
                return script.wasReadSince ? "+OK\r\n" : "-MOVED 3 127.0.0.1:1\r\n"
            }
        }
        var configuration = Self.configuration(server)
        configuration.slotsInterval = 3_600
        // Only a call without a reading takes as long as this.
        configuration.timeout = 60
        let uses = try RedisMediaTokenUses(configuration)
        #expect(try await uses.spend(Self.token, at: Date()) == .granted)
        #expect(script.withLockedValue { $0.wasReadSince })
        uses.close()
        #expect(server.connections > 0)
    }

    /// Tokens of a slot that has moved wait for the next reading.
    @Test func aNameThatIsNotResolved_doesNotHoldUpAReadingForLong() async throws {
        let named = try ScriptedRedis { ScriptedRedis.primary($0, mode: "cluster") }
        let server = try ScriptedRedis { ScriptedRedis.primary($0, mode: "cluster") }
        let known = try #require(
            RedisTopology(
                """
                aa :1@1 myself,master - 0 0 1 connected 0-15
                bb slow.test:\(named.port)@1 master - 0 0 2 connected

                """, askedAt: server.address, prefersNames: false))
        // The number of connections to the server with the name, at each reading.
        let readings = NIOLockedValueBox<[Int]>([])
        var configuration = Self.configuration(server)
        configuration.timeout = 1
        configuration.names = RedisNames { _ in
            waitUntil(within: 60) { !readings.withLockedValue { $0 }.isEmpty }
            return .success("127.0.0.1")
        }
        // The observer begins with the second server of the list.
        let poller = try RedisTopologyPoller(configuration, known) { _ in
            readings.withLockedValue { $0.append(named.connections) }
        }
        poller.poll()
        #expect(await soon { !readings.withLockedValue { $0 }.isEmpty })
        #expect(readings.withLockedValue { $0.first } == 0)
        poller.close()
        #expect(server.connections > 0)
    }

    /// Returns the ids of the primaries of the first slot in at least six readings of a cluster.
    private static func owners(_ server: ScriptedRedis, _ known: RedisTopology) async throws -> [String?] {
        let owners = NIOLockedValueBox<[String?]>([])
        let poller = try RedisTopologyPoller(configuration(server), known) { found in
            owners.withLockedValue { $0.append(found.primary(of: 0)?.id) }
        }
        defer { poller.close() }
        let areEnough = await soon {
            poller.poll()
            return owners.withLockedValue { $0.count } >= 6
        }
        #expect(areEnough)
        return owners.withLockedValue { $0 }
    }

    /// The primary `aa` was cut off, and `bb` has taken over.
    @Test func aServerThatWasCutOff_doesNotTakeItsSlotsBack() async throws {
        let old = try ScriptedRedis { command in
            guard command == "CLUSTER NODES" else { return ScriptedRedis.primary(command, mode: "cluster") }
            return ScriptedRedis.text(
                "aa :1@1 myself,master - 0 0 1 connected 0-15\nbb 127.0.0.1:1@1 slave,fail aa 0 0 1 connected\n")
        }
        let text = """
            aa 127.0.0.1:\(old.port)@1 slave bb 0 0 2 connected
            bb :1@1 myself,master - 0 0 2 connected 0-15

            """
        let server = try ScriptedRedis { command in
            command == "CLUSTER NODES" ? ScriptedRedis.text(text) : ScriptedRedis.primary(command, mode: "cluster")
        }
        let known = try #require(RedisTopology(text, askedAt: server.address, prefersNames: false))
        let owners = try await Self.owners(server, known)
        #expect(owners.allSatisfy { $0 == "bb" })
        #expect(server.connections > 0 && old.connections > 0)
    }

    /// The server `dd` was removed, and does not know that; its slots were assigned to `aa`.
    @Test func aRemovedServerWithTheHighestEpoch_doesNotKeepTheSlots() async throws {
        let server = try ScriptedRedis { command in
            guard command == "CLUSTER NODES" else { return ScriptedRedis.primary(command, mode: "cluster") }
            return ScriptedRedis.text("aa :1@1 myself,master - 0 0 1 connected 0-15\n")
        }
        let place = "127.0.0.1:\(server.port)@1"
        let text = "aa \(place) master - 0 0 1 connected\ndd :1@1 myself,master - 0 0 2 connected 0-15\n"
        let removed = try ScriptedRedis { command in
            command == "CLUSTER NODES" ? ScriptedRedis.text(text) : ScriptedRedis.primary(command, mode: "cluster")
        }
        let known = try #require(RedisTopology(text, askedAt: removed.address, prefersNames: false))
        let owners = try await Self.owners(server, known)
        // The first reading begins with the removed server.
        #expect(owners.dropFirst().allSatisfy { $0 == "aa" })
        #expect(server.connections > 0 && removed.connections > 0)
    }

    /// Each of the calls that wait for a slot requests a reading.
    @Test func readings_areAtLeast20MillisecondsApart() async throws {
        let server = try ScriptedRedis { ScriptedRedis.primary($0, mode: "cluster") }
        let known = try #require(
            RedisTopology(
                "aa :1@1 myself,master - 0 0 1 connected 0-15\n", askedAt: server.address, prefersNames: false))
        let readings = NIOLockedValueBox(0)
        let start = ContinuousClock.now
        let poller = try RedisTopologyPoller(Self.configuration(server), known) { _ in
            readings.withLockedValue { $0 += 1 }
        }
        let areEnough = await soon {
            poller.poll()
            return readings.withLockedValue { $0 } > 10
        }
        #expect(areEnough)
        let taken = start.duration(to: .now)
        #expect(taken > .milliseconds(190), "\(taken)")
        poller.close()
        #expect(server.connections > 0)
    }
}
