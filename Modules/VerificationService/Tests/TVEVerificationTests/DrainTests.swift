import Foundation
import NIOConcurrencyHelpers
import TVEFleetFixture
import TVEModels
import TVETestTraits
import Testing

@Suite(.fourAtATime)
struct DrainTests {
    /// Clients send requests on open connections, and on new ones, while every answer tells them to leave.
    ///
    /// The service continues for five minutes, so that no client is late on a busy machine.
    @Test(.row("VP19")) func sigterm_losesNoRequest_whileClientsAreToldToGo() async throws {
        let fleet = try Fleet()
        let verifier = try fleet.verifier("drain: { delay: 300, limit: 600 }")
        let body = try JSONSerialization.data(withJSONObject: ["token": fleet.mint.token(), "spend": false])
        let answered = NIOLockedValueBox(0)
        let toldToGo = NIOLockedValueBox(0)
        let lost = NIOLockedValueBox<[String]>([])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await onThread {
                        do {
                            for _ in 0..<3 {
                                let socket = try verifier.connect()
                                var isLast = false
                                while !isLast {
                                    let answer = try socket.request("POST", "/v1/verify", body: body)
                                    guard answer.status == 200 else { throw FixtureError("status \(answer.status)") }
                                    answered.withLockedValue { $0 += 1 }
                                    isLast = answer.headers["connection"] == "close"
                                }
                                toldToGo.withLockedValue { $0 += 1 }
                            }
                        } catch {
                            lost.withLockedValue { $0.append("\(error)") }
                        }
                    }
                }
            }
            group.addTask {
                await onThread {
                    waitUntil { answered.withLockedValue { $0 } > 200 }
                    verifier.child.signal(SIGTERM)
                }
            }
        }
        #expect(lost.withLockedValue { $0 } == [])
        #expect(toldToGo.withLockedValue { $0 } == 24)
        #expect(verifier.becomes(ready: false))
        let other = try verifier.get("/healthz")
        #expect(other.status == 200)
        #expect(other.headers["connection"] == "close")
        #expect(verifier.child.isRunning)
    }

    @Test(.row("VP19")) func aRequestThatIsHalfSent_isAnswered() throws {
        let fleet = try Fleet()
        let verifier = try fleet.verifier(
            "limits: { bodySeconds: 600, idleSeconds: 3600 }\ndrain: { delay: 0, limit: 600 }")
        verifier.remembers()
        let body = try JSONSerialization.data(withJSONObject: ["token": fleet.mint.token()])
        let whole = RawSocket.bytes("POST", "/v1/verify", body: body, headers: ["expect": "100-continue"])
        let socket = try verifier.connect()
        try socket.send(whole.prefix(whole.count - 10))
        // The service has read the head of the request, so its connection is not an idle one.
        #expect(try HTTPAnswer(socket).status == 100)
        verifier.child.signal(SIGTERM)
        // The listening socket is closed; running exchanges continue.
        #expect(waitUntil { (try? verifier.connect()) == nil })
        try socket.send(whole.suffix(10))
        #expect(try HTTPAnswer(socket).summary == "validToken first")
        #expect(verifier.child.ended() == 0)
        #expect(verifier.logged.contains("The service has ended."))
    }

    /// systemd takes the end of a program by this signal for an intended one, and does not start it again.
    @Test(.timeLimit(.hanging)) func sighup_endsNothing_andIsInTheLog() throws {
        let fleet = try Fleet()
        let verifier = try fleet.verifier("drain: { delay: 0, limit: 600 }")
        // The signal is ignored before the service that logs it runs.
        #expect(
            waitUntil {
                verifier.child.signal(SIGHUP)
                return verifier.logged.contains("SIGHUP is ignored.")
            })
        #expect(try verifier.get("/healthz").status == 200)
        verifier.child.signal(SIGTERM)
        #expect(verifier.child.ended() == 0)
        // The fleet's folder contains the log, so it must exist up to this point.
        withExtendedLifetime(fleet) {}
    }

    @Test func aRequestThatNeverEnds_doesNotKeepItAlive() throws {
        let verifier = try Fleet().verifier("drain: { delay: 0, limit: 1 }")
        let socket = try verifier.connect()
        try socket.send(Data("POST /v1/verify HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{".utf8))
        #expect(try verifier.get("/healthz").status == 200)
        verifier.child.signal(SIGTERM)
        #expect(verifier.child.ended() != nil)
    }

    /// The program that collects the log may hang.
    @Test func aReaderOfTheLogThatStandsStill_holdsNothingUp_andLearnsWhatItMissed() throws {
        let fleet = try Fleet()
        let file = fleet.folder.appendingPathComponent("verifier.yaml")
        let configuration = """
            listen: 127.0.0.1:0
            requestors: [{ id: DEMO, keys: [demo.pem] }]
            callers: { anyone: true }
            drain: { delay: 0, limit: 600 }
            logLevel: debug
            """
        try Data(configuration.utf8).write(to: file)
        let log = Pipe()
        let child = try Child(Verifier.executable, ["--config", file.path], output: log.fileHandleForWriting)
        var logged = ""
        func readLog() -> Bool {
            let more = log.fileHandleForReading.availableData
            logged += String(decoding: more, as: UTF8.self)
            return !more.isEmpty
        }
        var port: Int?
        while port == nil, readLog() {
            port = logged.firstMatch(of: /"The service is listening.","address":"[^"]*:([0-9]+)"/).flatMap { Int($0.1) }
        }
        let found = try #require(port, "\(logged)")
        func ask(times: Int) throws {
            let socket = try RawSocket(port: found, seconds: 60)
            for _ in 0..<times {
                let answer = try socket.request("POST", "/v1/verify", body: Data(#"{"token":"none"}"#.utf8))
                #expect(answer.status == 200)
            }
        }
        // Each request has a line of more than 150 bytes, and a pipe holds 65,536.
        try ask(times: 600)
        // Every request leaves something to read, either its own line or earlier ones.
        let hasLearnt = try waitUntil {
            try ask(times: 1)
            return readLog() && logged.contains(#""droppedLines":"#)
        }
        #expect(hasLearnt)
        try ask(times: 600)
        child.signal(SIGTERM)
        #expect(child.ended() == 0)
    }
}

/// Runs a blocking body on its own thread.
func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            body()
            continuation.resume()
        }
    }
}
