import Foundation
import TVEFleetFixture
import TVETestTraits
import Testing

/// Thousands of connections at the same time.
@Suite(.fourAtATime)
struct ConnectionLoadTests {
    /// The connections belong to a separate process: a thousand descriptors in this one would affect other tests.
    @Test(.row("VW7"), .needs("python3")) func tenThousandConnections_leaveItServing() throws {
        let wanted = LongTests.areOn ? 10_000 : 1_000
        let fleet = try Fleet()
        // This verifier leaves the connections open.
        let verifier = try fleet.verifier("limits: { connections: 12000 }")
        let program = """
            import resource, socket, sys, time
            hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            sockets = [socket.create_connection(("127.0.0.1", \(verifier.port)), 60) for _ in range(\(wanted))]
            print("connected", flush=True)
            sockets[-1].sendall(b"GET /healthz HTTP/1.1\\r\\nhost: a\\r\\n\\r\\n")
            print(sockets[-1].recv(100).split()[1].decode(), flush=True)
            time.sleep(600)
            """
        let output = fleet.folder.appendingPathComponent("connections")
        let child = try Child("/usr/bin/env", ["python3", "-c", program], output: output)
        func said() -> String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }
        #expect(waitUntil { said().hasPrefix("connected\n200") || !child.isRunning })
        #expect(said() == "connected\n200\n")
        verifier.remembers()
        #expect(try verifier.verify(["token": fleet.mint.token()]).summary == "validToken first")
        child.signal(SIGKILL)
        _ = child.ended()
        #expect(try verifier.verify(["token": fleet.mint.token()]).summary == "validToken first")
    }
}
