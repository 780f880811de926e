import Foundation
import HTTPTypes
import TVESandboxConsole
import TVETestTraits
import Testing

@testable import TVESandbox

/// Tests of the requests that a browser on the same machine may send to the sandbox.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct LocalGateTests {
    /// The requests and the expected statuses.
    ///
    /// The test replaces `HOST` by the sandbox's own host and port, and `TOKEN` by its token.
    private static let requests: [(HTTPRequest.Method, String, [String: String], Int)] = [
        (.get, "/sandbox/info", [:], 200), (.get, "/", [:], 200),
        (.get, "/sandbox/info", ["Origin": "http://HOST"], 200),
        (.get, "/sandbox/info", ["Origin": "https://evil.example"], 403),
        (.get, "/sandbox/info", ["Origin": "null"], 403),
        (.get, "/sandbox/info", ["Origin": "http://localhost:1"], 403),
        (.get, "/%73andbox//info", ["Origin": "https://evil.example"], 403),
        (.get, "/sandbox/info", ["Sec-Fetch-Site": "cross-site"], 403),
        (.get, "/sandbox/info", ["Sec-Fetch-Site": "same-site"], 403),
        (.get, "/sandbox/info", ["Sec-Fetch-Site": "none"], 200),
        (.get, "/", ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"], 200),
        (.get, "/", ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"], 403),
        (.get, "/", ["Origin": "https://evil.example"], 403),
        // A proxy on this machine, which may have replaced the host, forwards requests of this machine or of another.
        (.get, "/", ["X-Forwarded-For": "127.0.0.1"], 200), (.get, "/", ["X-Forwarded-For": "::1, 127.0.0.1"], 200),
        (.get, "/", ["X-Forwarded-For": "::ffff:127.0.0.1", "X-Real-IP": "localhost"], 200),
        (.get, "/", ["Forwarded": "for=\"[::1]:5001\";proto=https, For=127.0.0.1"], 200),
        (.get, "/", ["Forwarded": "proto=https"], 200),
        (.get, "/", ["X-Forwarded-For": "192.0.2.7"], 403),
        (.get, "/console/api/exchanges", ["X-Forwarded-For": "127.0.0.1, 192.0.2.7"], 403),
        (.get, "/sandbox/info", ["X-Forwarded-For": "[2001:db8::7]:5001"], 403),
        (.get, "/sandbox/info", ["X-Real-IP": "192.0.2.7"], 403),
        (.get, "/sandbox/info", ["Forwarded": "proto=https;for=192.0.2.7"], 403),
        (.get, "/", ["Forwarded": "for=127.0.0.1, for=unknown"], 403), (.get, "/", ["X-Forwarded-For": "unknown"], 403),
        (.get, "/sandbox/info", ["Forwarded": "for=127.0.0.1, for=_hidden"], 403),
        (.get, "/", ["X-Forwarded-For": "0:0:0:0:0:0:0:1, ,[0::0001]:80, 127.9.9.9:80"], 200),
        (.get, "/", ["X-Forwarded-For": "0:0:0:0:0:FFFF:7f00:1"], 200),
        (.get, "/", ["X-Forwarded-For": "127.evil.example"], 403), (.get, "/", ["X-Forwarded-For": "::12"], 403),
        (.get, "/", ["X-Forwarded-For": "::1:2:3:4:5:6:7:8"], 403), (.get, "/", ["X-Forwarded-For": "::ffff"], 403),
        (.get, "/", ["X-Forwarded-For": "::ffff:192.0.2.7"], 403), (.get, "/", ["X-Forwarded-For": "1::1::1"], 403),
        (.get, "/", ["CF-Connecting-IP": "192.0.2.7"], 403), (.get, "/", ["True-Client-IP": "2001:db8::7"], 403),
        (.get, "/", ["CF-Connecting-IP": "127.0.0.1"], 200),
        (.get, "/", ["X-Forwarded-Host": "console.example", "X-Forwarded-Proto": "https"], 403),
        (.get, "/", ["X-Forwarded-Host": "localhost:3000, [::1]:3000"], 200),
        (.get, "/", ["Forwarded": "for=127.0.0.1;host=console.example"], 403),
        (.get, "/", ["Forwarded": "for=127.0.0.1;host=\"localhost:3000\""], 200),
        (.delete, "/sandbox/clients", ["X-Sandbox-Token": "TOKEN", "X-Forwarded-For": "192.0.2.7"], 403),
        (.get, "/console/api/exchanges", ["Origin": "https://evil.example"], 403),
        (.delete, "/sandbox/clients", [:], 403), (.delete, "/sandbox/clients", ["X-Sandbox-Token": "TOKEN"], 204),
        (.delete, "/sandbox/clients", ["X-Sandbox-Token": "TOKENx"], 403),
        (.delete, "/sandbox/clients", ["X-Sandbox-Token": "TOKEN", "Origin": "https://evil.example"], 403),
        (.delete, "/console/api/exchanges", ["Origin": "http://HOST"], 403),
        (.options, "/sandbox/clients", ["Origin": "https://evil.example"], 403),
        (.options, "/console/api/exchanges", ["Origin": "https://evil.example"], 403),
    ]

    @Test(arguments: requests)
    func answersOnlyItsOwnPages(
        method: HTTPRequest.Method, path: String, headers: [String: String], status: Int
    ) async throws {
        let client = try await SandboxClient(pages: .console)
        let host = "127.0.0.1:\(client.sandbox.baseURL.port ?? 0)"
        let sent = headers.mapValues {
            $0.replacing("HOST", with: host).replacing("TOKEN", with: client.sandbox.changeToken)
        }
        let answer = try await client.send(method, path, headers: sent)
        #expect(answer.status == status, "\(answer.text)")
        // No answer allows other origins, whatever its status.
        #expect(answer.headers.allSatisfy { !$0.name.canonicalName.hasPrefix("access-control-") })
        #expect(answer.header("Content-Security-Policy")?.contains("unsafe-inline") == false)
    }

    @Test(arguments: [
        ("localhost", 200), ("localhost:80", 200), ("127.0.0.1", 200), ("LOCALHOST", 200), ("evil.example", 421),
        ("evil.example:8080", 421), ("127.0.0.1.evil.example", 421), ("localhost.", 421), ("localhost:x", 421),
        ("", 421),
    ])
    func answersOnlyToTheNamesOfItsMachine(host: String, status: Int) async throws {
        let sandbox = try await Sandbox(world: .demo.strict, pages: .console)
        for path in ["/", "/sandbox/info", "/console/api/exchanges"] {
            let raw = try await RawConnection(to: sandbox)
            try await raw.write("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
            let answer = await raw.readToEnd()
            let wanted = path == "/console/api/exchanges" && status == 200 ? ["200", "404"] : ["\(status)"]
            #expect(wanted.contains { answer.hasPrefix("HTTP/1.1 \($0) ") }, "\(path): \(answer.prefix(80))")
        }
        await sandbox.stop()
    }

    @Test(arguments: [
        (true, "0.0.0.0", "localhost:8080", true), (false, "0.0.0.0", "localhost:8080", false),
        (false, "192.0.2.1", "192.0.2.1", false), (true, "192.0.2.1", "192.0.2.1", true),
        (true, "0.0.0.0", "0.0.0.0:8080", false),
    ])
    func answersItsOwnMachine_whereverItListens(isNear: Bool, listensAt: String, host: String, passes: Bool) throws {
        let gate = LocalGate(token: "t", host: listensAt)
        var parser = RequestHeadParser()
        let bytes = Array("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)
        #expect(try parser.end(in: bytes) == bytes.count)
        let head = try parser.head(of: bytes, peer: "192.0.2.7", isFromThisMachine: isNear)
        #expect((gate.refusal(head) == nil) == passes)
    }

    /// A client cannot send an empty header through every transport.
    @Test(arguments: ["X-Forwarded-For:", "X-Forwarded-For: ,", "X-Real-IP: ", "X-Forwarded-Host:", "Forwarded: for="])
    func takesAnEmptyHeader_forNoSender(field: String) throws {
        var parser = RequestHeadParser()
        let bytes = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n\r\n".utf8)
        #expect(try parser.end(in: bytes) == bytes.count)
        let head = try parser.head(of: bytes, peer: "127.0.0.1", isFromThisMachine: true)
        #expect(LocalGate(token: "t", host: "127.0.0.1").refusal(head) == nil)
    }

    @Test func leavesCrossOriginRequestsAlone_onTheRoutesThatWebClientsNeed() async throws {
        let client = try await SandboxClient()
        for path in ["/adobe-services/config/DEMO", "/o/client/register", "/api/v2/DEMO/profiles", "/openapi.json"] {
            let answer = try await client.send(.get, path, headers: ["Origin": "https://a.example"])
            #expect(answer.header("Access-Control-Allow-Origin") == "https://a.example", "\(path)")
        }
    }
}
