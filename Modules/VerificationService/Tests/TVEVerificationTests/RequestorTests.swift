import Foundation
import TVEFleetFixture
import TVEModels
import TVETestTraits
import Testing

@Suite(.eightAtATime)
struct RequestorTests {
    private func folder(_ mints: [Mint]) throws -> URL {
        let folder = try temporaryFolder()
        for mint in mints {
            try Data(mint.publicKey.utf8).write(to: folder.appendingPathComponent("\(mint.requestor).pem"))
        }
        return folder
    }

    @Test(.row("SE4", "VP12")) func severalRequestors_areToldApart_byTheRequest() throws {
        let mints = [try Mint(requestor: "ONE"), try Mint(requestor: "TWO")]
        let verifier = try Verifier(
            """
            requestors: [{ id: ONE, keys: [ONE.pem] }, { id: TWO, keys: [TWO.pem], clockTolerance: 100 }]
            callers: { anyone: true }
            memory: { issuerClockSkew: 0 }
            """, in: folder(mints))
        verifier.remembers()
        func summary(_ token: String, _ requestor: String, spend: Bool = true) throws -> String {
            try verifier.verify(["token": token, "requestor": requestor, "spend": spend]).summary
        }
        let one = try mints[0].token()
        let two = try mints[1].token()
        #expect(try summary(one, "ONE") == "validToken first")
        #expect(try verifier.verify(["token": two, "requestor": "TWO"]).json["key"] as? String == "TWO")
        #expect(try summary(two, "ONE") == "invalidSignature")
        // One requestor's key has signed a token of the other.
        let foreign = try mints[0].token().replacingOccurrences(of: "ONE", with: "TWO")
        #expect(try summary(foreign, "TWO") == "invalidSignature")
        let late = Date().addingTimeInterval(-450)
        #expect(try summary(mints[0].token(issued: late), "ONE", spend: false) == "tokenExpired")
        #expect(try summary(mints[1].token(issued: late), "TWO", spend: false) == "validToken")
    }

    /// A token of one requestor must not start a stream of the other, although both have a resource of this name.
    @Test(.row("SE4", "VP12")) func aRequestWithoutRequestor_isRefused_whereSeveralAreConfigured() throws {
        let mints = [try Mint(requestor: "ONE"), try Mint(requestor: "TWO")]
        let verifier = try Verifier(
            """
            requestors: [{ id: ONE, keys: [ONE.pem] }, { id: TWO, keys: [TWO.pem] }]
            callers: { anyone: true }
            memory: { issuerClockSkew: 0 }
            """, in: folder(mints))
        verifier.remembers()
        let token = try mints[0].token()
        let refused = try verifier.verify(["token": token, "resource": "DEMO-1"])
        #expect(refused.status == 422)
        #expect(refused.problem == "requestor-missing")
        let batch: [String: Any] = ["tokens": [["token": token, "requestor": "ONE"], ["token": token]]]
        let body = try JSONSerialization.data(withJSONObject: batch)
        #expect(try verifier.connect().request("POST", "/v1/verify/batch", body: body).problem == "requestor-missing")
        // Neither request spent the token.
        #expect(try verifier.verify(["token": token, "requestor": "ONE"]).summary == "validToken first")
    }

    @Test(.row("SE5", "VP13")) func aCallersKey_isForItsRequestorsAlone() throws {
        let mints = [try Mint(requestor: "ONE"), try Mint(requestor: "TWO")]
        let folder = try folder(mints)
        func key(_ letter: Character) -> String { String(repeating: letter, count: 24) }
        let file = folder.appendingPathComponent("callers")
        try writeSecret("a \(key("a")) ONE\nb \(key("b")) TWO\nall \(key("c")) ONE TWO\n", to: file)
        let verifier = try Verifier(
            """
            requestors: [{ id: ONE, keys: [ONE.pem] }, { id: TWO, keys: [TWO.pem] }]
            callers: { bearerKeys: callers }
            memory: { issuerClockSkew: 0 }
            """, in: folder)
        verifier.remembers()
        func ask(_ token: String, for requestor: String, as caller: Character) throws -> HTTPAnswer {
            try verifier.verify(
                ["token": token, "requestor": requestor], headers: ["authorization": "Bearer \(key(caller))"])
        }
        let two = try mints[1].token()
        let refused = try ask(two, for: "TWO", as: "a")
        #expect(refused.status == 403)
        #expect(refused.problem == "forbidden-requestor")
        #expect(try ask(two, for: "ONE", as: "a").summary == "invalidSignature")
        #expect(try ask(two, for: "OTHER", as: "a").status == 422)
        // The token was not spent.
        #expect(try ask(two, for: "TWO", as: "b").summary == "validToken first")
        #expect(try ask(mints[0].token(), for: "ONE", as: "c").summary == "validToken first")
        #expect(try ask(mints[1].token(), for: "TWO", as: "c").summary == "validToken first")
    }

    @Test(.row("SE6", "VP16")) func keys_rotateWithoutARestart() throws {
        let folder = try temporaryFolder()
        let keys = folder.appendingPathComponent("keys")
        try FileManager.default.createDirectory(at: keys, withIntermediateDirectories: true)
        let old = try Mint()
        let new = try Mint()
        try Data(old.publicKey.utf8).write(to: keys.appendingPathComponent("2026-05.pem"))
        let verifier = try Verifier(
            """
            requestors: [{ id: DEMO, keyDirectory: keys }]
            callers: { anyone: true }
            """, in: folder)
        func warning() throws -> Bool { try verifier.get("/readyz").json["warning"] != nil }
        func key(_ mint: Mint) throws -> String? { try verifier.verify(["token": mint.token()]).json["key"] as? String }
        #expect(try key(old) == "2026-05")
        #expect(try key(new) == nil)
        try Data(new.publicKey.utf8).write(to: keys.appendingPathComponent("2026-11.pem"))
        #expect(try waitUntil { try key(new) == "2026-11" })
        #expect(try key(old) == "2026-05")
        // The operator sees whether the old key still signs tokens.
        func uses(_ key: String) throws -> Int? {
            let line = try verifier.get("/metrics").text.split(separator: "\n").first {
                $0.hasPrefix("tve_key_uses_total{requestor=\"DEMO\",key=\"\(key)\"} ")
            }
            return line?.split(separator: " ").last.flatMap { Int($0) }
        }
        #expect(try uses("2026-05") == 2)
        #expect(try uses("2026-11") == 1)
        #expect(try verifier.get("/metrics").text.contains("# HELP tve_key_uses_total "))
        #expect(try !warning())
        // An incomplete file adds no key, and is reported.
        try Data(new.publicKey.utf8.prefix(100)).write(to: keys.appendingPathComponent("2027-05.pem"))
        #expect(waitUntil { verifier.logged.contains("2027-05.pem cannot be used as a key") })
        #expect(try key(old) == "2026-05")
        #expect(try warning() && verifier.get("/readyz").status == 200)
        #expect(try verifier.get("/metrics").text.contains("tve_key_problems{requestor=\"DEMO\"} 1"))
        // The key of a removed file is no longer used, whatever the state of the other files.
        try FileManager.default.removeItem(at: keys.appendingPathComponent("2026-05.pem"))
        #expect(try waitUntil { try key(old) == nil })
        #expect(try key(new) == "2026-11")
        try FileManager.default.removeItem(at: keys.appendingPathComponent("2027-05.pem"))
        #expect(try waitUntil { try !warning() })
        #expect(try verifier.get("/metrics").text.contains("tve_key_problems{requestor=\"DEMO\"} 0"))
        // The same is true for a key whose file has other content now.
        try Data("half".utf8).write(to: keys.appendingPathComponent("2026-11.pem"))
        #expect(try waitUntil { try key(new) == nil })
        try Data(new.publicKey.utf8).write(to: keys.appendingPathComponent("2026-11.pem"))
        #expect(try waitUntil { try key(new) == "2026-11" })
        // The same is true for a key whose directory is gone.
        try FileManager.default.moveItem(at: keys, to: folder.appendingPathComponent("away"))
        #expect(try waitUntil { try key(new) == nil })
        // The log has the reason a moment after the keys are gone.
        #expect(waitUntil { verifier.logged.contains("The directory does not exist.") })
        #expect(verifier.becomes(ready: false))
        #expect(try verifier.get("/readyz").json["reason"] as? String == "DEMO has no keys.")
        try FileManager.default.moveItem(at: folder.appendingPathComponent("away"), to: keys)
        #expect(try waitUntil { try key(new) == "2026-11" })
    }

    /// A new verifier whose keys are not mounted would otherwise replace one that has them.
    @Test func aRequestorWithoutKeysSinceTheStart_keepsTheServiceFromBeingReady_untilItHasSome() throws {
        let mints = [try Mint(requestor: "ONE"), try Mint(requestor: "TWO")]
        let folder = try folder([mints[0]])
        let keys = folder.appendingPathComponent("TWO")
        try FileManager.default.createDirectory(at: keys, withIntermediateDirectories: true)
        let verifier = try Verifier(
            """
            requestors: [{ id: ONE, keys: [ONE.pem] }, { id: TWO, keyDirectory: TWO }]
            callers: { anyone: true }
            """, in: folder)
        let started = try verifier.get("/readyz")
        #expect(started.status == 503)
        #expect(started.json["reason"] as? String == "TWO has no keys.")
        #expect(started.json["warning"] == nil)
        let file = keys.appendingPathComponent("key.pem")
        try Data(mints[1].publicKey.utf8).write(to: file)
        #expect(verifier.becomes(ready: true))
        try FileManager.default.removeItem(at: file)
        #expect(try waitUntil { try verifier.get("/readyz").json["warning"] as? String == "TWO has no keys." })
        #expect(try verifier.get("/readyz").status == 200)
    }

    /// A load balancer would otherwise turn away from every verifier because of one folder.
    @Test func aRequestorThatLosesItsKeys_isAWarning_untilNoOtherHasAKeyEither() throws {
        let mints = [try Mint(requestor: "ONE"), try Mint(requestor: "TWO")]
        let folder = try temporaryFolder()
        let files = try mints.map { mint in
            let keys = folder.appendingPathComponent("\(mint.requestor)")
            try FileManager.default.createDirectory(at: keys, withIntermediateDirectories: true)
            let file = keys.appendingPathComponent("key.pem")
            try Data(mint.publicKey.utf8).write(to: file)
            return file
        }
        let verifier = try Verifier(
            """
            requestors: [{ id: ONE, keyDirectory: ONE }, { id: TWO, keyDirectory: TWO }]
            callers: { anyone: true }
            memory: { issuerClockSkew: 0 }
            """, in: folder)
        verifier.remembers()
        func warning() throws -> String? { try verifier.get("/readyz").json["warning"] as? String }
        func summary(_ mint: Mint) throws -> String {
            try verifier.verify(["token": mint.token(), "requestor": "\(mint.requestor)"]).summary
        }
        #expect(try warning() == nil)
        try FileManager.default.removeItem(at: files[0])
        #expect(try waitUntil { try warning() == "ONE has no keys." })
        #expect(try verifier.get("/readyz").status == 200)
        #expect(try verifier.get("/metrics").text.contains("tve_keys{requestor=\"ONE\"} 0\n"))
        #expect(try summary(mints[0]) == "invalidSignature")
        #expect(try summary(mints[1]) == "validToken first")
        try FileManager.default.removeItem(at: files[1])
        #expect(verifier.becomes(ready: false))
        #expect(try verifier.get("/readyz").json["reason"] as? String == "ONE has no keys. TWO has no keys.")
        #expect(try warning() == nil)
    }

    /// As VerificationService.md recommends, a hidden file is renamed over the old one.
    @Test func aKeyThatAnotherOneReplaces_isRevoked_andAHiddenFileIsNoKey() throws {
        let folder = try temporaryFolder()
        let keys = folder.appendingPathComponent("keys")
        let manager = FileManager.default
        try manager.createDirectory(at: keys, withIntermediateDirectories: true)
        let old = try Mint()
        let new = try Mint()
        let other = try Mint()
        func write(_ mint: Mint, _ name: String) throws {
            try Data(mint.publicKey.utf8).write(to: keys.appendingPathComponent(name))
        }
        func rename(_ name: String, over other: String) throws {
            let from = keys.appendingPathComponent(name).path
            let to = keys.appendingPathComponent(other).path
            // The paths are copied for the call.
            guard unsafe Foundation.rename(from, to) == 0 else { throw FixtureError("rename: \(errno)") }
        }
        try write(old, "key.pem")
        let verifier = try Verifier(
            """
            requestors: [{ id: DEMO, keyDirectory: keys }]
            callers: { anyone: true }
            """, in: folder)
        func key(_ mint: Mint) throws -> String? { try verifier.verify(["token": mint.token()]).json["key"] as? String }
        try write(new, ".new.pem")
        try write(other, "other.pem")
        #expect(try waitUntil { try key(other) == "other" })
        #expect(try key(new) == nil)
        #expect(try key(old) == "key")
        try rename(".new.pem", over: "key.pem")
        #expect(try waitUntil { try key(new) == "key" })
        #expect(try key(old) == nil)
        #expect(try verifier.get("/readyz").json["warning"] == nil)
        // A file that cannot be read, here a link to a folder, removes no key.
        try manager.createSymbolicLink(
            atPath: keys.appendingPathComponent(".link.pem").path, withDestinationPath: folder.path)
        try rename(".link.pem", over: "key.pem")
        #expect(waitUntil { verifier.logged.contains("key.pem cannot be read.") })
        #expect(try key(new) == "key")
        #expect(try verifier.get("/readyz").json["warning"] != nil)
    }

    @Test(.row("VP16")) func keysWhoseFilesDifferInTheirEndings_areBothUsed_andToldOf() throws {
        let folder = try temporaryFolder()
        let keys = folder.appendingPathComponent("keys")
        try FileManager.default.createDirectory(at: keys, withIntermediateDirectories: true)
        let old = try Mint()
        let new = try Mint()
        try Data(old.publicKey.utf8).write(to: keys.appendingPathComponent("key.crt"))
        let verifier = try Verifier(
            """
            requestors: [{ id: DEMO, keyDirectory: keys }]
            callers: { anyone: true }
            """, in: folder)
        func key(_ mint: Mint) throws -> String? { try verifier.verify(["token": mint.token()]).json["key"] as? String }
        #expect(try key(old) == "key")
        try Data(new.publicKey.utf8).write(to: keys.appendingPathComponent("key.pem"))
        #expect(try waitUntil { try key(new) == "key.pem" })
        #expect(try key(old) == "key.crt")
        #expect(waitUntil { verifier.logged.contains("key.crt and key.pem have the same name, key.") })
        #expect(try verifier.get("/readyz").json["warning"] != nil)
        try FileManager.default.removeItem(at: keys.appendingPathComponent("key.crt"))
        #expect(try waitUntil { try key(new) == "key" })
        #expect(try key(old) == nil)
    }
}
