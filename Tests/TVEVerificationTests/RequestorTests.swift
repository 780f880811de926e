#if VerificationService
import FleetFixture
import Foundation
import TVEModels
import TestTraits
import Testing

@Suite(.oneAtATime)
struct RequestorTests {
    @Test func severalRequestors_areToldApart_byTheirTokens() throws {
        let folder = try temporaryFolder()
        let mints = [try Mint(requestor: "ONE"), try Mint(requestor: "TWO")]
        for mint in mints {
            try Data(mint.publicKey.utf8).write(to: folder.appendingPathComponent("\(mint.requestor).pem"))
        }
        let verifier = try Verifier(
            """
            requestors: [{ id: ONE, keys: [ONE.pem] }, { id: TWO, keys: [TWO.pem], clockTolerance: 100 }]
            callers: { anyone: true }
            """, in: folder)
        let one = try mints[0].token()
        let two = try mints[1].token()
        #expect(try verifier.verify(["token": one]).summary == "validToken first")
        #expect(try verifier.verify(["token": two]).json["key"] as? String == "TWO")
        #expect(try verifier.verify(["token": two, "requestor": "ONE"]).summary == "invalidSignature")
        // Signed by one, for the other.
        let foreign = try mints[0].token().replacingOccurrences(of: "ONE", with: "TWO")
        #expect(try verifier.verify(["token": foreign]).summary == "invalidSignature")
        let late = Date().addingTimeInterval(-450)
        #expect(try verifier.verify(["token": mints[0].token(issued: late)]).summary == "tokenExpired")
        #expect(try verifier.verify(["token": mints[1].token(issued: late)]).summary == "validToken first")
    }

    @Test func keys_rotateWithoutARestart() throws {
        let folder = try temporaryFolder()
        let keys = folder.appendingPathComponent("keys")
        try FileManager.default.createDirectory(at: keys, withIntermediateDirectories: true)
        let (old, new) = (try Mint(), try Mint())
        try Data(old.publicKey.utf8).write(to: keys.appendingPathComponent("2026-05.pem"))
        let verifier = try Verifier(
            """
            requestors: [{ id: DEMO, keyDirectory: keys }]
            callers: { anyone: true }
            """, in: folder)
        func key(_ mint: Mint) throws -> String? { try verifier.verify(["token": mint.token()]).json["key"] as? String }
        #expect(try key(old) == "2026-05")
        #expect(try key(new) == nil)
        try Data(new.publicKey.utf8).write(to: keys.appendingPathComponent("2026-11.pem"))
        #expect(try waitUntil { try key(new) == "2026-11" })
        #expect(try key(old) == "2026-05")
        // Half a file changes nothing.
        try Data(new.publicKey.utf8.prefix(100)).write(to: keys.appendingPathComponent("2027-05.pem"))
        #expect(waitUntil { verifier.logged.contains("2027-05.pem is not an RSA key") })
        #expect(try key(old) == "2026-05")
        try FileManager.default.removeItem(at: keys.appendingPathComponent("2027-05.pem"))
        try FileManager.default.removeItem(at: keys.appendingPathComponent("2026-05.pem"))
        #expect(try waitUntil { try key(old) == nil })
        #expect(try key(new) == "2026-11")
        // A volume that is unavailable for a moment changes nothing; an empty directory means no keys.
        let away = folder.appendingPathComponent("away")
        try FileManager.default.moveItem(at: keys, to: away)
        #expect(waitUntil { verifier.logged.contains("The directory cannot be read") })
        #expect(try key(new) == "2026-11")
        try FileManager.default.removeItem(at: away.appendingPathComponent("2026-11.pem"))
        try FileManager.default.moveItem(at: away, to: keys)
        #expect(try waitUntil { try key(new) == nil })
        #expect(verifier.becomes(ready: false))
        #expect(try verifier.get("/readyz").json["reason"] as? String == "DEMO has no keys.")
    }
}
#endif
