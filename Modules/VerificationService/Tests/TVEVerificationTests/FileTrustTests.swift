import Foundation
import TVEFleetFixture
import TVETestTraits
import Testing

@testable import TVEVerification

/// Whoever can change a key decides which tokens are genuine, so a file is read only while no other user can change it.
@Suite(.eightAtATime)
struct FileTrustTests {
    private static let other: uid_t = 4_242

    private static func set(_ mode: mode_t, _ file: URL) {
        // The path is copied for the call.
        _ = unsafe chmod(file.path, mode)
    }

    /// Changes the owner and group of a file, or of a link itself.
    private static func give(_ path: String, to user: uid_t, _ group: gid_t) {
        // The path is copied for the call.
        _ = unsafe lchown(path, user, group)
    }

    private static func makeFolder(_ path: String, in folder: URL, mode: mode_t = 0o755) throws -> URL {
        let made = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        set(mode, made)
        return made
    }

    /// Creates a file in two nested folders below a temporary one.
    private func file(_ mode: mode_t = 0o644, in folderMode: mode_t = 0o755, below upper: mode_t = 0o755) throws -> URL
    {
        let above = try temporaryFolder()
        let folder = try Self.makeFolder("folder", in: above)
        let file = folder.appendingPathComponent("file")
        try Data("text".utf8).write(to: file)
        Self.set(mode, file)
        Self.set(folderMode, folder)
        Self.set(upper, above)
        return file
    }

    private func problem(_ file: URL, _ purpose: FileTrust.Purpose = .anchor) -> String? {
        FileTrust.problem(of: file.path, as: purpose)?.description.replacingOccurrences(
            of: file.deletingLastPathComponent().deletingLastPathComponent().path, with: "D")
    }

    @Test(
        .row("SE7", "VP7"),
        arguments: [
            (
                0o644, 0o755, 0o755, nil,
                "D/folder/file contains a secret that everybody on this machine can read. Run chmod o= on it."
            ),
            (0o640, 0o755, 0o755, nil, nil),
            (0o600, 0o700, 0o700, nil, nil),
            (
                0o604, 0o700, 0o700, nil,
                "D/folder/file contains a secret that everybody on this machine can read. Run chmod o= on it."
            ),
            (
                0o646, 0o755, 0o755,
                "D/folder/file can be changed by everybody on this machine. Run chmod o-w on it.", nil
            ),
            (
                0o600, 0o757, 0o755, "D/folder can be changed by everybody on this machine. Run chmod o-w on it.", nil
            ),
            (0o600, 0o755, 0o757, "D can be changed by everybody on this machine. Run chmod o-w on it.", nil),
            // In sticky folders, such as the one for temporary files, nobody can replace the files of others.
            (0o600, 0o1777, 0o755, nil, nil),
            (0o600, 0o755, 0o1777, nil, nil),
        ] as [(mode_t, mode_t, mode_t, String?, String?)])
    func modes(file mode: mode_t, folder: mode_t, above: mode_t, asAnchor: String?, asSecret: String?) throws {
        let file = try self.file(mode, in: folder, below: above)
        #expect(problem(file) == asAnchor)
        #expect(problem(file, .secret) == asSecret ?? asAnchor)
    }

    /// Its mode is 0666, and with another mode the programs of other users would fail.
    @Test func theNullDevice_isTrusted() {
        for purpose in [FileTrust.Purpose.anchor, .secret] {
            #expect(FileTrust.problem(of: "/dev/null", as: purpose) == nil)
        }
    }

    /// Of the null device alone it is known that nobody changes what is read from it.
    @Test func anotherDevice_isAFileLikeAnyOther() {
        #expect(FileTrust.problem(of: "/dev/zero", as: .anchor) == .changeableByEverybody(path: "/dev/zero"))
    }

    @Test(.row("SE7", "VP7"), .enabled(if: geteuid() == 0, "Only root can give a file to another user."))
    func groupsAndOwners() throws {
        let sentence =
            "belongs to neither root nor the user of this service, so its owner can change it. "
            + "Give it to one of these two with chown."
        let file = try file()
        let folder = file.deletingLastPathComponent()
        Self.give(file.path, to: Self.other, 0)
        #expect(problem(file) == "D/folder/file \(sentence)")
        // A file of another user in a sticky folder is not accepted either.
        Self.set(0o1777, folder)
        #expect(problem(file) == "D/folder/file \(sentence)")
        Self.give(file.path, to: 0, 0)
        #expect(problem(file) == nil)
        Self.give(folder.path, to: Self.other, 0)
        #expect(problem(file) == "D/folder \(sentence)")
        Self.give(folder.path, to: 0, 0)
        // Only the group of root has no other users.
        Self.set(0o664, file)
        #expect(problem(file) == nil)
        Self.give(file.path, to: 0, Self.other)
        #expect(problem(file) == "D/folder/file can be changed by every user of its group. Run chmod g-w on it.")
        Self.set(0o644, file)
        #expect(problem(file) == nil)
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can give a link to another user."))
    func aForeignLinkInAStickyFolder_isRefused() throws {
        let file = try file()
        let shared = try Self.makeFolder("shared", in: file.deletingLastPathComponent(), mode: 0o1777)
        let link = shared.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(FileTrust.problem(of: link.path, as: .anchor) == nil)
        Self.give(link.path, to: Self.other, Self.other)
        #expect(FileTrust.problem(of: link.path, as: .anchor) == .foreignOwner(path: link.path))
    }

    @Test(.row("VP7")) func everyFolderOnTheWay_isJudged_throughLinksAndDots() throws {
        let file = try file(0o644, in: 0o777)
        let folder = file.deletingLastPathComponent()
        let elsewhere = try temporaryFolder()
        let manager = FileManager.default
        func link(_ name: String, to target: String) throws -> String {
            let link = elsewhere.appendingPathComponent(name).path
            try manager.createSymbolicLink(atPath: link, withDestinationPath: target)
            return link
        }
        let expected = FileTrust.Problem.changeableByEverybody(path: folder.path)
        let relative = "../\(folder.deletingLastPathComponent().lastPathComponent)/folder"
        for path in [
            try link("file", to: file.path), try link("folder", to: folder.path) + "/file",
            try link("relative", to: relative) + "/./file", try link("chain", to: "relative") + "/file",
            elsewhere.path + "/../" + relative.dropFirst(3) + "/file",
        ] {
            #expect(FileTrust.problem(of: path, as: .anchor) == expected, "\(path)")
        }
        let round = try link("round", to: "round")
        #expect(FileTrust.problem(of: round, as: .anchor) == .tooManyLinks(path: round))
        // The reader of the file reports that there is none.
        #expect(FileTrust.problem(of: elsewhere.path + "/none", as: .secret) == nil)
    }

    /// The folder belongs to root, is sticky and open to everybody, and contains links through `..data`.
    ///
    /// Kubernetes lets `..data` point to another folder when the secret changes.
    @Test(.row("VP8")) func aSecretAsKubernetesMountsIt_isTrusted() throws {
        let mount = try Self.makeFolder("keys", in: try temporaryFolder(), mode: 0o1777)
        let data = try Self.makeFolder("..2026_11_26_11_27_00.1", in: mount)
        try Data("text".utf8).write(to: data.appendingPathComponent("key.pem"))
        Self.set(0o640, data.appendingPathComponent("key.pem"))
        let manager = FileManager.default
        try manager.createSymbolicLink(
            atPath: mount.appendingPathComponent("..data").path, withDestinationPath: data.lastPathComponent)
        let key = mount.appendingPathComponent("key.pem").path
        try manager.createSymbolicLink(atPath: key, withDestinationPath: "..data/key.pem")
        #expect(FileTrust.problem(of: mount.path, as: .anchor) == nil)
        #expect(FileTrust.problem(of: key, as: .secret) == nil)
        Self.set(0o777, mount)
        #expect(FileTrust.problem(of: key, as: .secret) == .changeableByEverybody(path: mount.path))
    }

    /// The service sees everything read-only if systemd protects it, and everybody else still writes.
    @Test(.row("VP7"), .enabled(if: FileTrustTests.canMount, "Only root of a machine can mount something."))
    func aFileOnAReadOnlyMount_isJudgedByItsMode() throws {
        for (mode, isTrusted) in [(mode_t(0o646), false), (0o644, true)] {
            let file = try file(mode, in: 0o777)
            let folder = file.deletingLastPathComponent()
            #expect(problem(file) != nil)
            try Self.mount(["--bind", folder.path, folder.path])
            defer { try? Self.mount(["--unmount", folder.path]) }
            try Self.mount(["-o", "remount,ro,bind", folder.path])
            // The folder is a mount of its own, as that of a ConfigMap is, and nobody can replace the file in it.
            #expect((problem(file) == nil) == isTrusted)
        }
    }

    @Test(.row("VP7"), .enabled(if: FileTrustTests.canMount, "Only root of a machine can mount something."))
    func aFileOnAReadOnlySystem_isTrusted_whateverItsMode() throws {
        let folder = try Self.makeFolder("folder", in: try temporaryFolder(), mode: 0o755)
        try Self.mount(["-t", "tmpfs", "tve", folder.path])
        defer { try? Self.mount(["--unmount", folder.path]) }
        let file = folder.appendingPathComponent("file")
        try Data("text".utf8).write(to: file)
        Self.set(0o646, file)
        #expect(problem(file) != nil)
        try Self.mount(["-o", "remount,ro", folder.path])
        #expect(problem(file) == nil)
        #expect(
            problem(file, .secret)
                == "D/folder/file contains a secret that everybody on this machine can read. Run chmod o= on it.")
    }

    /// The table of a machine with a system that is read-only, a folder that is mounted read-only, and a line that
    /// cannot be read.
    private static let mounts = """
        22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,discard
        30 22 0:40 / /image ro,relatime - squashfs /dev/loop0 ro
        31 30 0:41 / /image/data rw,relatime shared:2 master:3 - tmpfs tmpfs rw
        32 22 8:1 /keys /etc/keys ro,relatime - ext4 /dev/sda1 rw,discard
        33 22 0:42 / /with\\040blank ro - iso9660 /dev/sr0 ro,norock
        34 22 0:43 / /twice ro - tmpfs tmpfs ro
        35 22 0:44 / /twice rw - tmpfs tmpfs rw
        36 22 0:45 / /names rw - tmpfs tmpfs rw,errors=remount-ro
        37 22 0:46 / /short ro - tmpfs

        """

    @Test(
        .row("VP7"),
        arguments: [
            ("/", true, false), ("/etc/file", false, false), ("/image", true, true), ("/image/bin/tool", false, true),
            ("/imagery", false, false), ("/image/data/file", false, false),
            // The mount itself is read-only, and its file system can be changed at another place.
            ("/etc/keys", true, true), ("/etc/keys", false, false), ("/etc/keys/a.pem", false, false),
            ("/etc/keys/folder", true, false),
            ("/with blank/file", false, true), ("/with", true, false), ("/twice/file", false, false),
            ("/names/file", false, false), ("/short/file", false, false),
        ])
    func aMount_isUnchangeable_ifItsSystemIsReadOnly(path: String, isFolder: Bool, isUnchangeable: Bool) {
        let table = Data(Self.mounts.utf8)
        #expect(FileTrust.isUnchangeable(path, isFolder: isFolder, in: table) == isUnchangeable)
    }

    private static func mount(_ arguments: [String]) throws {
        let isUnmount = arguments[0] == "--unmount"
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(
            "mount-\(UInt32.random(in: .min ... .max))")
        defer { try? FileManager.default.removeItem(at: output) }
        let child = try Child(
            isUnmount ? "/bin/umount" : "/bin/mount", isUnmount ? Array(arguments.dropFirst()) : arguments,
            output: output)
        guard child.ended() == 0 else { throw FixtureError("mount \(arguments)") }
    }

    private static var canMount: Bool {
        guard geteuid() == 0, let folder = try? temporaryFolder() else { return false }
        guard (try? mount(["--bind", folder.path, folder.path])) != nil else { return false }
        try? mount(["--unmount", folder.path])
        return true
    }

    // MARK: The service

    private static let configuration =
        "requestors: [{ id: DEMO, keyDirectory: keys }]\ncallers: { bearerKeys: callers }\n"
    private static let key = "k3yk3yk3yk3yk3yk3yk3yk3y"

    /// Creates a folder with a key directory and a callers' file.
    private func fleet() throws -> Fleet {
        let fleet = try Fleet()
        let keys = try Self.makeFolder("keys", in: fleet.folder)
        try Data(fleet.mint.publicKey.utf8).write(to: keys.appendingPathComponent("demo.pem"))
        try writeSecret("playback \(Self.key)\n", to: fleet.folder.appendingPathComponent("callers"))
        return fleet
    }

    @Test(
        .row("SE7", "VP7"),
        arguments: [
            ("keys", 0o777, "v.yaml:1: requestors[0].keyDirectory: D/keys can be changed by everybody"),
            (
                "keys/demo.pem", 0o666,
                "v.yaml:1: requestors[0].keyDirectory: demo.pem is not read: D/keys/demo.pem can be changed"
            ),
            ("v.yaml", 0o666, "v.yaml: D/v.yaml can be changed by everybody"),
            ("callers", 0o644, "v.yaml:2: callers.bearerKeys: D/callers contains a secret that everybody"),
            ("callers", 0o602, "v.yaml:2: callers.bearerKeys: D/callers can be changed by everybody"),
            ("", 0o777, "v.yaml: D can be changed by everybody"),
            ("server.pem", 0o646, "v.yaml:3: tls.certificate: D/server.pem can be changed by everybody"),
            ("ca.pem", 0o666, "v.yaml:3: tls.clientAuthority: D/ca.pem can be changed by everybody"),
        ] as [(String, mode_t, String)])
    func checkConfig_namesWhatOthersCanChange(name: String, mode: mode_t, sentence: String) throws {
        let fleet = try fleet()
        let folder = fleet.folder
        _ = try Certificates(in: folder)
        let file = folder.appendingPathComponent("v.yaml")
        let tls = "tls: { certificate: server.pem, key: server.key, clientAuthority: ca.pem }\n"
        try Data((Self.configuration + tls).utf8).write(to: file)
        func check() throws -> (Int32?, String) {
            let output = try temporaryFolder().appendingPathComponent("output")
            let child = try Child(Verifier.executable, ["--config", file.path, "--check-config"], output: output)
            let status = child.ended()
            return (
                status, try String(contentsOf: output, encoding: .utf8).replacingOccurrences(of: folder.path, with: "D")
            )
        }
        #expect(try check().0 == 0)
        Self.set(mode, name.isEmpty ? folder : folder.appendingPathComponent(name))
        let (status, text) = try check()
        #expect(status == 78)
        #expect(text.hasPrefix("D/\(sentence)"), "\(text)")
    }

    @Test(.row("SE7", "VP7")) func whatOthersCanChange_isNotReadAgain_andIsSaid() throws {
        let fleet = try fleet()
        let keys = fleet.folder.appendingPathComponent("keys")
        let callers = fleet.folder.appendingPathComponent("callers")
        let verifier = try Verifier(Self.configuration, in: fleet.folder)
        let mint = fleet.mint
        let foreign = try Mint()
        func verdict(_ mint: Mint, caller: String = Self.key) throws -> String? {
            let answer = try verifier.verify(["token": mint.token()], headers: ["authorization": "Bearer \(caller)"])
            return answer.status == 200 ? answer.json["verdict"] as? String : "\(answer.status)"
        }
        func warning() throws -> String? { try verifier.get("/readyz").json["warning"] as? String }
        func metrics() throws -> String {
            try verifier.get("/metrics", headers: ["authorization": "Bearer \(Self.key)"]).text
        }
        #expect(try verdict(mint) == "validToken")
        // Everybody can write to the directory. A key that somebody adds is not used, and a key that somebody removes
        // remains in use.
        Self.set(0o777, keys)
        try Data(foreign.publicKey.utf8).write(to: keys.appendingPathComponent("foreign.pem"))
        try FileManager.default.removeItem(at: keys.appendingPathComponent("demo.pem"))
        #expect(
            waitUntil {
                verifier.logged.contains("The directory is not read: \(keys.path) can be changed by everybody")
            })
        #expect(try verdict(foreign) == "invalidSignature")
        #expect(try verdict(mint) == "validToken")
        #expect(try warning() == "The key directory of DEMO has problems; the log says which.")
        #expect(try metrics().contains("tve_key_problems{requestor=\"DEMO\"} 1"))
        // Everybody can write to the file.
        try FileManager.default.removeItem(at: keys.appendingPathComponent("foreign.pem"))
        let key = keys.appendingPathComponent("demo.pem")
        try Data(foreign.publicKey.utf8).write(to: key)
        Self.set(0o666, key)
        Self.set(0o755, keys)
        #expect(waitUntil { verifier.logged.contains("demo.pem is not read: \(key.path) can be changed by everybody") })
        #expect(try verdict(foreign) == "invalidSignature")
        #expect(try verdict(mint) == "validToken")
        try Data(mint.publicKey.utf8).write(to: key)
        Self.set(0o644, key)
        #expect(try waitUntil { try warning() == nil })
        #expect(try metrics().contains("tve_key_problems{requestor=\"DEMO\"} 0"))
        // Everybody can read the callers' file and knows the keys in it, so new keys are not admitted.
        Self.set(0o644, callers)
        #expect(try waitUntil { try warning() == "The callers' file has problems; the log says which." })
        #expect(
            verifier.logged.contains("The callers' file is not read: \(callers.path) contains a secret that everybody"))
        #expect(try metrics().contains("tve_caller_problems 1"))
        let new = String(Self.key.reversed())
        try Data("playback \(new)\n".utf8).write(to: callers)
        Self.set(0o644, callers)
        #expect(try verdict(mint, caller: new) == "401")
        #expect(try verdict(mint) == "validToken")
        Self.set(0o600, callers)
        #expect(try waitUntil { try verdict(mint, caller: new) == "validToken" })
        #expect(try verdict(mint) == "401")
        #expect(try warning() == nil)
    }

    @Test(.row("SE7", "VP7"), .needs("redis-server", "openssl"))
    func filesForRedisThatOthersCanChange_areNotReadAgain_andAreSaid() throws {
        let fleet = try Fleet()
        let certificates = try Certificates(in: fleet.folder)
        Self.set(0o600, certificates.clientKey)
        // The Redis server has its own copy.
        let authority = try Data(contentsOf: certificates.authority)
        let copy = fleet.folder.appendingPathComponent("server-ca.pem")
        try authority.write(to: copy)
        let server = try RedisServer(
            [
                "--port", "0", "--tls-port", String(try freePort()), "--tls-cert-file", certificates.server.path,
                "--tls-key-file", certificates.serverKey.path, "--tls-ca-cert-file", copy.path,
                "--tls-auth-clients", "yes",
            ], folder: fleet.folder)
        let verifier = try fleet.verifier(
            """
            memory:
              redis:
                servers: ["127.0.0.1:\(server.tlsPort)"]
                issuerClockSkew: 0
                tls: { authority: ca.pem, certificate: client.pem, key: client.key, serverName: localhost }
            """)
        func summary() throws -> String { try verifier.verify(["token": fleet.mint.token()]).summary }
        #expect(try waitUntil { try summary() == "validToken first" })
        // The file contains the certificate of another authority, and everybody can change it. A connection that is
        // opened now uses the content that was read before.
        let other = try Certificates(in: try temporaryFolder())
        try Data(contentsOf: other.authority).write(to: certificates.authority)
        Self.set(0o666, certificates.authority)
        let warning = "The files for the connection to Redis have problems; the log says which."
        #expect(try verifier.get("/readyz").json["warning"] as? String == warning)
        #expect(try verifier.get("/metrics").text.contains("tve_memory_file_problems 1"))
        try server.killAndRestart()
        verifier.remembers()
        #expect(try waitUntil { try summary() == "validToken first" })
        #expect(
            verifier.logged.contains(
                "New connections to Redis still use the earlier contents of the files. "
                    + "\(certificates.authority.path) can be changed"
            ))
        try authority.write(to: certificates.authority)
        Self.set(0o644, certificates.authority)
        #expect(try verifier.get("/readyz").json["warning"] == nil)
        #expect(try verifier.get("/metrics").text.contains("tve_memory_file_problems 0"))
    }
}
