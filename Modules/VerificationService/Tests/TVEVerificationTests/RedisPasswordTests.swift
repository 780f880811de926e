import Foundation
import TVEFleetFixture
import TVETestTraits
import Testing

/// A password of Redis that is replaced while the service runs.
@Suite(.fourAtATime, .needs("redis-server"))
struct RedisPasswordTests {
    @Test(.row("VP7"), .timeLimit(.hanging)) func aNewPassword_needsNoRestart_andIsNotReadWhereOthersReadIt() throws {
        let fleet = try Fleet()
        let user = "--user verifier on >first ~tve:* +get +set +time +eval +info"
        let redis = try RedisServer(user.split(separator: " ").map(String.init))
        let file = fleet.folder.appendingPathComponent("redis-password")
        try writeSecret("first\n", to: file)
        let verifier = try fleet.verifier(Fleet.redis(redis, "username: verifier, passwordFile: redis-password"))
        #expect(verifier.becomes(ready: true))
        try redis.ask("ACL", "SETUSER", "verifier", "resetpass", ">second")
        try redis.ask("CLIENT", "KILL", "USER", "verifier")
        #expect(waitUntil { verifier.logged.contains("WRONGPASS") })
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        let problem =
            "New connections to Redis still use the earlier contents of the files. "
            + "\(file.path) contains a secret that everybody"
        #expect(waitUntil { verifier.logged.contains(problem) })
        #expect(try verifier.get("/metrics").text.contains("tve_memory_file_problems 1"))
        try Data("second\n".utf8).write(to: file)
        #expect(try verifier.get("/readyz").status == 503)
        try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        #expect(verifier.becomes(ready: true))
        #expect(try verifier.get("/metrics").text.contains("tve_memory_file_problems 0"))
        // The fleet's folder contains the verifier's files, so it must exist up to this point.
        withExtendedLifetime(fleet) {}
    }
}
