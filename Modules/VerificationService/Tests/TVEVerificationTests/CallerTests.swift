import Foundation
import TVEFleetFixture
import TVETestTraits
import Testing

@Suite(.eightAtATime)
struct CallerTests {
    private let key = "k3yk3yk3yk3yk3yk3yk3yk3y"

    @Test(.row("SE6", "VP14")) func bearerKeys_letThroughWhoHasOne_andAreReadAgain() throws {
        let fleet = try Fleet()
        let file = fleet.folder.appendingPathComponent("callers")
        try writeSecret("# back ends\nplayback \(key)\n", to: file)
        let verifier = try fleet.verifier(callers: "bearerKeys: callers")
        func status(_ header: String?) throws -> Int {
            try verifier.verify(["token": "x"], headers: header.map { ["authorization": $0] } ?? [:]).status
        }
        #expect(try status("Bearer \(key)") == 200)
        #expect(try status("bearer \(key)") == 200)
        #expect(try status("Bearer   \(key)") == 200)
        let wrong = [
            nil, "", "Bearer", "Bearer   ", "Bearer \(key)x", "Basic \(key)", key, "Bearer \(key) x", "Bearer #",
        ]
        for header in wrong as [String?] {
            #expect(try status(header) == 401, "\(header ?? "none")")
        }
        let refused = try verifier.verify(["token": "x"])
        #expect(refused.problem == "unauthorized")
        #expect(refused.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
        #expect(try verifier.get("/metrics").status == 401)
        #expect(try verifier.get("/metrics", headers: ["authorization": "Bearer \(key)"]).status == 200)
        #expect(try verifier.get("/readyz").status == 200)
        // A refusal of HEAD has no body, so the next answer follows its head immediately.
        let socket = try verifier.connect()
        try socket.send(RawSocket.bytes("HEAD", "/metrics", body: nil) + RawSocket.bytes("GET", "/healthz", body: nil))
        #expect(try socket.line().hasPrefix("HTTP/1.1 401"))
        while try !socket.line().isEmpty {}
        #expect(try socket.line().hasPrefix("HTTP/1.1 200"))
        // Only a change is news to the operator.
        let news = "The callers' keys were read."
        #expect(!verifier.logged.contains(news))
        let new = String(key.reversed())
        try writeSecret("playback \(new)\n", to: file)
        #expect(try waitUntil { try status("Bearer \(new)") == 200 })
        #expect(waitUntil { verifier.logged.contains(news) })
        #expect(try status("Bearer \(key)") == 401)
        // A line without a key admits nobody, and the other lines remain valid.
        let third = key.uppercased()
        try writeSecret("playback \(third)\nother short\n", to: file)
        #expect(try waitUntil { try status("Bearer \(third)") == 200 })
        #expect(try status("Bearer \(new)") == 401)
        #expect(waitUntil { verifier.logged.contains("Line 2 of the callers' file is not a name and a key") })
        let ready = try verifier.get("/readyz")
        #expect(ready.status == 200)
        #expect(ready.json["warning"] as? String == "The callers' file has problems; the log says which.")
        let page = try verifier.get("/metrics", headers: ["authorization": "Bearer \(third)"]).text
        #expect(page.contains("tve_caller_keys 1") && page.contains("tve_caller_problems 1"))
        #expect(!verifier.logged.contains(new) && !verifier.logged.contains(key) && !verifier.logged.contains(third))
    }

    @Test(.row("SE6", "VP14"), arguments: ["", "# nobody\n", "playback short\n", nil])
    func aCallersFileWithoutAKey_admitsNobody(content: String?) throws {
        let fleet = try Fleet()
        let file = fleet.folder.appendingPathComponent("callers")
        try writeSecret("playback \(key)\n", to: file)
        let verifier = try fleet.verifier(callers: "bearerKeys: callers")
        func status() throws -> Int {
            try verifier.verify(["token": "x"], headers: ["authorization": "Bearer \(key)"]).status
        }
        #expect(try status() == 200)
        if let content {
            try writeSecret(content, to: file)
        } else {
            try FileManager.default.removeItem(at: file)
        }
        #expect(try waitUntil { try status() == 401 })
        #expect(verifier.becomes(ready: false))
        try writeSecret("playback \(key)\n", to: file)
        #expect(try waitUntil { try status() == 200 })
        #expect(verifier.becomes(ready: true))
    }

    @Test(.row("VP15"), .needs("curl", "openssl")) func certificates_letThroughWhoHasOne() throws {
        let fleet = try Fleet()
        let own = try Certificates(in: fleet.folder)
        let other = try Certificates(in: try temporaryFolder())
        let verifier = try fleet.verifier(
            "tls: { certificate: server.pem, key: server.key, clientAuthority: ca.pem }", callers: "certificates: true")
        func curl(_ arguments: [String]) throws -> (Int32?, String) {
            let output = fleet.folder.appendingPathComponent("curl-\(UInt32.random(in: .min ... .max))")
            let child = try Child(
                "/usr/bin/curl",
                ["-sS", "--cacert", own.authority.path, "https://localhost:\(verifier.port)/readyz"] + arguments,
                output: output)
            return (child.ended(), try String(contentsOf: output, encoding: .utf8))
        }
        let (status, text) = try curl(["--cert", own.client.path, "--key", own.clientKey.path])
        #expect(status == 0)
        #expect(text == "{\"status\":\"ok\"}")
        #expect(try curl([]).0 != 0)
        #expect(try curl(["--cert", other.client.path, "--key", other.clientKey.path]).0 != 0)
        // The certificate is of the same authority, but for servers.
        #expect(try curl(["--cert", own.server.path, "--key", own.serverKey.path]).0 != 0)
        // Without TLS there is no answer at all.
        #expect((try? verifier.get("/healthz")) == nil)
    }
}
