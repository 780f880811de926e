import Foundation
import TVEFleetFixture
import TVEModels
import TVETestTraits
import Testing

/// Verifiers whose Redis fails, or whose issuer has another clock.
@Suite(.fourAtATime, .needs("redis-server", "redis-cli"))
struct FleetTests {
    @Test(.row("VP9"), arguments: ["refuse", "accept"])
    func redisUnavailable_getsTheConfiguredAnswerInTime_andNeedsNoRestart(whenAway: String) throws {
        let fleet = try Fleet()
        let server = try RedisServer()
        let verifier = try fleet.verifier(Fleet.redis(server, "timeout: 0.25", whenAway: whenAway))
        #expect(verifier.becomes(ready: true))
        let answer = whenAway == "accept" ? "validToken first away" : "validToken unavailable away"
        func becomes(connected value: Int) throws -> Bool {
            try waitUntil { try verifier.get("/metrics").text.contains("\ntve_memory_connected \(value)\n") }
        }
        #expect(try becomes(connected: 1))
        for how in ["killed", "paused"] {
            if how == "killed" { server.kill() } else { server.pause() }
            // The call that detects the loss may wait as long as configured, and a busy machine takes longer.
            for _ in 0..<3 {
                let start = ContinuousClock.now
                #expect(try verifier.verify(["token": fleet.mint.token()]).summary == answer)
                let taken = start.duration(to: .now)
                #expect(taken < .seconds(20), "\(how): \(taken)")
            }
            if whenAway == "accept" {
                let warning = "Redis is not connected, so every valid token is granted; the log says why."
                #expect(
                    try waitUntil {
                        let found = try verifier.get("/readyz").json["warning"] as? String
                        return found?.contains(warning) == true
                    })
            } else {
                #expect(verifier.becomes(ready: false))
            }
            #expect(try becomes(connected: 0))
            // Requests without the memory are answered as usual.
            #expect(try verifier.verify(["token": fleet.mint.token(), "spend": false]).summary == "validToken")
            if how == "killed" { try server.restart() } else { server.resume() }
            #expect(
                waitUntil {
                    let token = try? fleet.mint.token()
                    return (try? verifier.verify(["token": token ?? ""]).summary) == "validToken first"
                })
            #expect(verifier.becomes(ready: true))
            #expect(try becomes(connected: 1))
        }
        // There are three calls each time, and perhaps one more that detects the return of the server.
        let page = try verifier.get("/metrics").text
        #expect(Self.sum(of: "tve_spends_total{result=\"unavailable\"}", in: page) >= 6)
        #expect(Self.sum(of: "tve_spend_failures_total{", in: page) >= 6)
        #expect(Self.sum(of: "tve_spends_total{result=\"spent\"}", in: page) == 0)
        #expect(waitUntil { verifier.logged.contains("Redis is unavailable.") })
    }

    /// The connection stands, so no other line of the log says why nothing is granted.
    @Test(.row("VR8")) func aFullRedis_isInTheLogOnce_becauseTheServiceStaysReady() throws {
        let fleet = try Fleet()
        let server = try RedisServer()
        let verifier = try fleet.verifier(Fleet.redis(server, "timeout: 10"))
        verifier.remembers()
        // Prometheus needs the 0 to see the first burst as an increase.
        for reason in ["full", "timed-out"] {
            #expect(try verifier.get("/metrics").text.contains("tve_spend_failures_total{reason=\"\(reason)\"} 0\n"))
        }
        try server.ask("CONFIG", "SET", "maxmemory", "1")
        for _ in 0..<3 {
            let token = try fleet.mint.token()
            #expect(try verifier.verify(["token": token]).summary == "validToken unavailable away")
        }
        #expect(try verifier.get("/readyz").status == 200)
        #expect(try verifier.get("/metrics").text.contains("tve_spend_failures_total{reason=\"full\"} 3"))
        let line = "A token could not be spent. Redis has no room for another token."
        #expect(waitUntil { verifier.logged.contains(line) })
        #expect(verifier.logged.components(separatedBy: line).count == 2)
    }

    /// The replicas that must confirm a token are then no majority.
    @Test(.row("VP5")) func moreReplicasThanConfigured_areAWarning_andInTheMetrics() throws {
        let fleet = try Fleet()
        let server = try ScriptedRedis { command in
            switch command {
            case "INFO replication":
                ScriptedRedis.primary(command)?.replacingOccurrences(
                    of: "connected_slaves:0", with: "connected_slaves:3")
            case _ where command.hasPrefix("GET "): ScriptedRedis.text("4 1f 7 0 1 1")
            default: ScriptedRedis.primary(command)
            }
        }
        let verifier = try fleet.verifier(
            "memory: { redis: { servers: [\"127.0.0.1:\(server.port)\"], replicas: 1, replicaCount: 1 } }")
        #expect(verifier.becomes(ready: true))
        #expect(try verifier.get("/metrics").text.contains("tve_memory_excess_replicas 2\n"))
        let sentence = "A primary has more replicas than memory.redis.replicaCount says"
        let warning = try verifier.get("/readyz").json["warning"] as? String
        #expect(warning?.contains(sentence) == true)
        #expect(waitUntil { verifier.logged.contains(sentence) })
        // The script ends with the server.
        #expect(server.connections > 0)
    }

    /// Returns the sum of the samples on a page whose lines begin with a text.
    private static func sum(of text: String, in page: String) -> Int {
        page.split(separator: "\n").filter { $0.hasPrefix(text) }.compactMap { line in
            line.split(separator: " ").last.flatMap { Int($0) }
        }.reduce(0, +)
    }

    @Test(.row("VC6")) func aPrimaryOfAClusterThatIsGone_isSeen_andDoesNotEndTheService() throws {
        let fleet = try Fleet()
        // The other primaries continue.
        let cluster = try RedisCluster(arguments: ["--cluster-require-full-coverage", "no"])
        let verifier = try fleet.verifier(Fleet.redis(cluster.servers[1], "timeout: 1"))
        #expect(try verifier.becomes(whole: true))
        verifier.remembers()
        let victim = cluster.servers[0]
        victim.kill()
        #expect(try verifier.becomes(whole: false))
        let ready = try verifier.get("/readyz")
        #expect(ready.status == 200)
        #expect(
            ready.json["warning"] as? String == "A part of the Redis Cluster is not connected; the log says which.")
        #expect(try verifier.get("/metrics").text.contains("tve_memory_unavailable_share 0.33"))
        #expect(waitUntil { verifier.logged.contains("\"address\":\"127.0.0.1:\(victim.port)\"") })
        var summaries: Set<String> = []
        for _ in 0..<60 { summaries.insert(try verifier.verify(["token": fleet.mint.token()]).summary) }
        #expect(summaries == ["validToken first", "validToken unavailable away"])
        try victim.restart()
        #expect(try verifier.becomes(whole: true))
        #expect(try verifier.get("/readyz").json["warning"] == nil)
    }

    /// The clock of the issuer is ahead of that of Redis, or of the memory of one process.
    @Test(.row("VP6", "VR11"), arguments: ["process", "redis, refuse", "redis, accept"])
    func anIssuerWhoseClockIsAhead_isSeen_andItsTokensWait(memory: String) throws {
        let fleet = try Fleet()
        let server = try RedisServer()
        let whenAway = memory.hasSuffix("accept") ? "accept" : "refuse"
        let verifier = try fleet.verifier(
            memory == "process"
                ? "memory: { issuerClockSkew: 2 }"
                : Fleet.redis(server, "timeout: 10", whenAway: whenAway, clockSkew: 2))
        // Where every token is granted while Redis is away, a warning says so until it is connected.
        #expect(try waitUntil { try verifier.get("/readyz").json["warning"] == nil })
        let place = memory == "process" ? "in this process only." : "in Redis."
        #expect(verifier.logged.contains("Used tokens are stored \(place)"))
        // A hundred seconds are more than a busy machine needs for the answers.
        let early = try fleet.mint.token(issued: Date().addingTimeInterval(100))
        for _ in 0..<2 {
            let answer = try verifier.verify(["token": early])
            #expect(answer.summary == "validToken clock-behind")
            #expect((60...99).contains(answer.json["retryAfter"] as? Int ?? 0))
        }
        // The readiness and the metrics report the difference before viewers are refused.
        let ready = try verifier.get("/readyz")
        #expect(ready.status == 200)
        let warning = try #require(ready.json["warning"] as? String)
        #expect(warning.contains("The clock of the service that issues tokens is"))
        #expect(warning.contains(memory == "process" ? "ahead of this machine's clock" : "ahead of the clock of Redis"))
        let page = try verifier.get("/metrics").text
        #expect(page.contains("tve_spends_total{result=\"clock-behind\"} 2"))
        #expect(page.firstMatch(of: /tve_issuer_clock_lead_seconds [6-9][0-9]/) != nil)
        #expect(page.contains("tve_memory_clock_lead_seconds") == (memory != "process"))
        #expect(page.contains("tve_issuer_clock_skew_seconds 2\n"))
        guard memory == "redis, refuse" else { return }
        // On a busy machine, the clock may have caught up with the shorter leads before the new memory answers.
        let hasWaited = try ([8, 16, 32, 64, 128] as [TimeInterval]).contains { lead in
            let issued = Date().addingTimeInterval(lead)
            let token = try fleet.mint.token(issued: issued)
            guard try verifier.verify(["token": token]).summary == "validToken clock-behind" else { return false }
            try server.killAndRestart()
            var summaries: [String] = []
            // The wait is a little longer than the clock needs to catch up.
            while issued.timeIntervalSinceNow > -2.5 {
                summaries.append(try verifier.verify(["token": token]).summary)
            }
            // No memory has granted the token before, so the new one may grant it once.
            #expect(summaries.filter { $0 == "validToken first" }.count <= 1)
            return summaries.contains("validToken clock-behind")
        }
        #expect(hasWaited)
    }
}

extension Verifier {
    /// Waits until the memory of a verifier can spend every token, or only some of them.
    func becomes(whole: Bool) throws -> Bool {
        let socket = try connect()
        return try waitUntil {
            let name = "tve_memory_unavailable_share "
            let lines = try socket.request("GET", "/metrics").text.split(separator: "\n")
            guard let line = lines.first(where: { $0.hasPrefix(name) }), let share = Double(line.dropFirst(name.count))
            else { return false }
            return whole ? share == 0 : share > 0 && share < 1
        }
    }
}
