import Foundation
import InMemoryTracing
import TVEFleetFixture
import TVERedisUses
import TVETestTraits
import TVETokenVerification
import Testing
import Tracing

@Suite(.fourAtATime, .needs("redis-server"))
struct RedisTraceTests {
    private func uses(_ server: RedisServer, _ tracer: some Tracer) throws -> RedisMediaTokenUses {
        var configuration = RedisUsesConfiguration(servers: [server.address])
        configuration.timeout = 10
        configuration.connections = 1
        configuration.issuerClockSkew = 0
        let uses = try RedisMediaTokenUses(configuration, tracer: tracer)
        uses.begin()
        return uses
    }

    @Test(.row("VP18")) func aRoundTrip_isASpanOfTheCall_andSaysNothingOfTheToken() async throws {
        let server = try RedisServer()
        let tracer = InMemoryTracer()
        let uses = try uses(server, tracer)
        let token = MediaTokenUse.random()
        let isGranted = try await tracer.withSpan("call") { _ in try await uses.spend(token) }
        #expect(isGranted)
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["tve.redis", "call"])
        let trip = spans[0]
        let call = spans[1]
        #expect(trip.parentSpanID == call.spanID && trip.traceID == call.traceID)
        #expect(trip.kind == .client && trip.links.isEmpty && trip.status == nil)
        #expect(
            trip.attributes == [
                "db.system.name": "redis", "server.address": "127.0.0.1", "server.port": .int64(Int64(server.port)),
                "tve.calls": 1, "tve.tokens": 1,
            ])
        let text = "\(trip)"
        let digest = token.digest.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
        #expect(!text.contains(digest.prefix(20)) && !text.contains(token.digest.base64EncodedString().prefix(20)))
    }

    @Test func callsThatShareARoundTrip_areLinkedToIt() async throws {
        let server = try RedisServer()
        let tracer = InMemoryTracer()
        let uses = try uses(server, tracer)
        #expect(try await uses.spend(.random()))
        tracer.clearFinishedSpans()
        // The pause lets calls wait for each other.
        server.pause()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask { await tracer.withSpan("call") { _ in _ = try? await uses.spend(.random()) } }
            }
            while tracer.activeSpans.count(where: { $0.operationName == "call" }) < 50 { await Task.shortPause() }
            server.resume()
        }
        let spans = tracer.finishedSpans
        let calls = Set(spans.filter { $0.operationName == "call" }.map(\.spanID))
        let trips = spans.filter { $0.operationName == "tve.redis" }
        #expect(calls.count == 50 && (1..<50).contains(trips.count))
        var reached: [String] = []
        for trip in trips {
            let linked = trip.links.compactMap { $0.context.inMemorySpanContext?.spanID }
            reached += [trip.parentSpanID ?? "none"] + linked
            #expect(trip.attributes["tve.calls"]?.toSpanAttribute() == .int64(Int64(linked.count + 1)))
        }
        // Each call appears once.
        #expect(reached.count == 50 && Set(reached) == calls)
    }

    @Test func aRoundTripThatFails_saysWhy() async throws {
        let server = try RedisServer()
        let tracer = InMemoryTracer()
        let uses = try uses(server, tracer)
        #expect(try await uses.spend(.random()))
        tracer.clearFinishedSpans()
        try server.ask("CONFIG", "SET", "maxmemory", "1")
        #expect(await uses.failure() == .full)
        let trip = try #require(tracer.finishedSpans.first)
        #expect(trip.status?.code == .error)
        #expect(trip.attributes["error.type"]?.toSpanAttribute() == .string("full"))
    }
}
