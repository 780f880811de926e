#if VerificationService
import FleetFixture
import Foundation
import TestTraits
import Testing

@Suite(.oneAtATime)
struct CallerTests {
    private let key = "k3yk3yk3yk3yk3yk3yk3yk3y"

    @Test func bearerKeys_letThroughWhoHasOne_andAreReadAgain() throws {
        let fleet = try Fleet()
        let file = fleet.folder.appendingPathComponent("callers")
        try Data("# back ends\nplayback \(key)\n".utf8).write(to: file)
        let verifier = try fleet.verifier(callers: "bearerKeys: callers")
        func status(_ header: String?) throws -> Int {
            try verifier.verify(["token": "x"], headers: header.map { ["authorization": $0] } ?? [:]).status
        }
        #expect(try status("Bearer \(key)") == 200)
        #expect(try status("bearer \(key)") == 200)
        let wrong = [
            nil, "", "Bearer", "Bearer ", "Bearer \(key)x", "Basic \(key)", key, "Bearer \(key) x", "Bearer #",
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
        let new = String(key.reversed())
        try Data("playback \(new)\n".utf8).write(to: file)
        #expect(try waitUntil { try status("Bearer \(new)") == 200 })
        #expect(try status("Bearer \(key)") == 401)
        // An invalid file changes nothing.
        try Data("playback short\n".utf8).write(to: file)
        #expect(waitUntil { verifier.logged.contains("The callers' keys stay as they were") })
        #expect(try status("Bearer \(new)") == 200)
        #expect(!verifier.logged.contains(new) && !verifier.logged.contains(key))
    }

    @Test func certificates_letThroughWhoHasOne() throws {
        let fleet = try Fleet()
        let (own, other) = (try Certificates(in: fleet.folder), try Certificates(in: try temporaryFolder()))
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
        // Without TLS there is no answer at all.
        #expect((try? verifier.get("/healthz")) == nil)
    }
}
#endif
