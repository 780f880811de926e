import Foundation
import TVEFleetFixture
import TVEModels
import TVERedisUses
import TVETestTraits
import TVETokenVerification
import TVEVerification
import Testing

@testable import tve_verifier

/// Mistakes in configurations and their files that operators make.
@Suite(.fourAtATime, .needs("openssl"))
struct ConfigurationMistakesTests {
    private let fleet: Fleet
    private let file: URL
    private static let requestors = "requestors: [{ id: DEMO, keys: [demo.pem] }]\ncallers: { anyone: true }\n"

    init() throws {
        fleet = try Fleet()
        file = fleet.folder.appendingPathComponent("verifier.yaml")
    }

    private func path(_ name: String) -> URL { fleet.folder.appendingPathComponent(name) }

    private func mistakes(_ text: String, _ environment: [String: String] = [:]) throws -> [String] {
        try Data(text.utf8).write(to: file)
        do throws(ConfigurationErrors) {
            _ = try VerifierConfiguration(file: file.path, environment: environment)
            return []
        } catch {
            return error.all.map { $0.description.replacingOccurrences(of: fleet.folder.path + "/", with: "") }
        }
    }

    private func makePipe(_ name: String) throws {
        let child = try Child("/usr/bin/mkfifo", ["-m", "600", path(name).path], output: path("log"))
        guard child.ended() == 0 else { throw FixtureError("mkfifo") }
    }

    /// The line that begins a document is allowed, and so is the one that ends it.
    @Test(arguments: ["---", "---\n", "---\ncallers: { anyone: true }\n"])
    func aSecondDocument_isNamed_withItsLine(rest: String) throws {
        let found = try mistakes(Self.requestors + rest)
        #expect(found.count == 1 && found[0].hasPrefix("verifier.yaml:3: The file has a second document. "), "\(found)")
        #expect(try mistakes("---\n" + Self.requestors + "...\n") == [])
    }

    @Test(.timeLimit(.hanging)) func aPipe_isReadWhileSomebodyWrites_andNotWaitedForLong() throws {
        try makePipe("pipe")
        #expect {
            _ = try ConfigurationField(file: path("pipe").path, patience: .milliseconds(50))
        } throws: {
            ($0 as? ConfigurationError)?.problem == .unreadable
        }
        try Data(Self.requestors.utf8).write(to: file)
        let command = ["-c", "cat \"$0\" >\"$1\"", file.path, path("pipe").path]
        let writer = try Child("/bin/sh", command, output: path("log"))
        let found = try ConfigurationField(file: path("pipe").path, patience: .hanging)
        #expect(try found.fields(["requestors", "callers"]).count == 2)
        #expect(writer.ended() == 0)
    }

    /// The names come from whoever may write to the directory, and the check prints them on a terminal.
    @Test func namesOfFilesAndFields_arePrinted_withoutControlCharacters() throws {
        try FileManager.default.createDirectory(at: path("keys"), withIntermediateDirectories: true)
        for name in ["a\u{1B}[31m\n.pem", "b\u{9B}\r\n.jks"] {
            try Data("text".utf8).write(to: path("keys").appendingPathComponent(name))
        }
        let text = "requestors: [{ id: DEMO, keys: [demo.pem], keyDirectory: keys }]\ncallers: { anyone: true }\n"
        #expect(try mistakes(text) == [])
        let requestor = try VerifierConfiguration(file: file.path, environment: [:]).requestors[0]
        #expect(requestor.directoryProblems.first?.description.contains(": a?[31m?.pem cannot be used") == true)
        #expect(requestor.directoryNotes.first?.description.contains("The file b???.jks is ignored.") == true)
        #expect(try mistakes(text + "\"c\\u001b\": 1\n").first?.contains(": c?: This field is unknown.") == true)
    }

    @Test func aKeyBesideAnEmptyDirectory_isEnough() throws {
        try FileManager.default.createDirectory(at: path("keys"), withIntermediateDirectories: true)
        let text = "requestors: [{ id: DEMO, keys: [demo.pem], keyDirectory: keys }]\ncallers: { anyone: true }\n"
        #expect(try mistakes(text).isEmpty)
        let found = try VerifierConfiguration(file: file.path, environment: [:])
        #expect(found.requestors[0].directoryProblems.isEmpty)
    }

    @Test(.row("VP17")) func saysEveryMistake_atOnce() throws {
        let found = try mistakes(
            """
            lisen: 1
            listen: nowhere
            requestors:
            - { id: A, keys: [none.pem, demo.pem], clockTolerance: 301 }
            - { id: B, keys: [demo.pem], allow: true }
            - { keys: [demo.pem] }
            callers: { anyone: maybe }
            memory: { whenAway: ignore, redis: { servers: ["a:b"], timeout: 0, prefix: a b, servers2: [] } }
            limits: { bodyBytes: 0, batchTokens: 0 }
            drain: { delay: soon, limit: 0 }
            logLevel: loud
            """, ["TVE_VERIFIER_LISTEN": "1"])
        let fields = [
            "lisen", "listen", "requestors[0].clockTolerance", "requestors[0].keys[0]", "requestors[1].allow",
            "requestors[2]", "callers.anyone", "memory.whenAway", "memory.redis.servers2", "memory.redis.servers[0]",
            "memory.redis.timeout", "memory.redis.prefix", "limits.bodyBytes", "limits.batchTokens", "drain.delay",
            "drain.limit", "logLevel",
        ]
        #expect(found.count == fields.count + 1, "\(found)")
        for (sentence, field) in zip(found, fields) { #expect(sentence.contains(": \(field): "), "\(sentence)") }
        #expect(found.last?.hasPrefix("TVE_VERIFIER_LISTEN: This is not an address") == true)
    }

    /// Kubernetes lets `..data` lead to another folder when a secret changes, and removes the old one.
    @Test(arguments: ["D/mount/callers", "D/other/../mount/callers", "other/../mount/callers", "./mount//callers"])
    func linksOnAPath_areFollowedAtEachReading(text: String) throws {
        let manager = FileManager.default
        for folder in ["other", "mount/..old", "mount/..new"] {
            try manager.createDirectory(at: path(folder), withIntermediateDirectories: true)
        }
        for folder in ["mount/..old", "mount/..new"] {
            try writeSecret("player \(String(repeating: "k", count: 22))\n", to: path("\(folder)/callers"))
        }
        try manager.createSymbolicLink(atPath: path("mount/..data").path, withDestinationPath: "..old")
        try manager.createSymbolicLink(atPath: path("mount/callers").path, withDestinationPath: "..data/callers")
        let place = text.hasPrefix("D/") ? fleet.folder.path + text.dropFirst(1) : text
        try Data(
            "requestors: [{ id: DEMO, keys: [demo.pem] }]\ncallers: { bearerKeys: \"\(place)\" }\n".utf8
        ).write(to: file)
        guard case .bearerKeys(let callers)? = try VerifierConfiguration(file: file.path, environment: [:]).callers
        else { throw FixtureError("other callers") }
        try manager.removeItem(at: path("mount/..data"))
        try manager.createSymbolicLink(atPath: path("mount/..data").path, withDestinationPath: "..new")
        try manager.removeItem(at: path("mount/..old"))
        #expect(CallerKeyFile.problems(path: callers, ["DEMO"]) == [])
    }

    /// The link `current` leads to the directory `releases/5`, in which the configuration is.
    @Test(arguments: [
        ("current/verifier.yaml", "../shared/callers", "shared"),
        ("current/verifier.yaml", "callers/../../shared/./callers", "shared"),
        ("current/verifier.yaml", "D/current/../shared/callers", "releases/shared"),
        ("current/../5/verifier.yaml", "callers", "releases/5"),
        ("current/../5/verifier.yaml", "../shared/callers", "releases/shared"),
    ])
    func parentFolders_areThoseOfTheTextInARelativePath(file: String, text: String, folder: String) throws {
        let manager = FileManager.default
        for folder in ["shared", "releases/5", "releases/shared"] {
            try manager.createDirectory(at: path(folder), withIntermediateDirectories: true)
        }
        try manager.createSymbolicLink(atPath: path("current").path, withDestinationPath: "releases/5")
        try writeSecret("player \(String(repeating: "k", count: 22))\n", to: path("\(folder)/callers"))
        func whole(_ text: String) -> String { text.hasPrefix("D/") ? fleet.folder.path + text.dropFirst(1) : text }
        let requestors = "requestors: [{ id: DEMO, keys: [\"\(path("demo.pem").path)\"] }]"
        try Data("\(requestors)\ncallers: { bearerKeys: \"\(whole(text))\" }\n".utf8)
            .write(to: path("releases/5/verifier.yaml"))
        let found = try VerifierConfiguration(file: whole("D/\(file)"), environment: [:]).callers
        guard case .bearerKeys(let callers)? = found else { throw FixtureError("other callers") }
        #expect(CallerKeyFile.problems(path: callers, ["DEMO"]) == [])
    }

    /// Read as a text, a null would be the prefix of a second memory, or the home directory.
    @Test(.row("VP17"), arguments: ["null", "~", "Null", "NULL", ""])
    func aNull_isNoText(null: String) throws {
        let redis = "memory:\n  redis:\n    servers: [a]\n    "
        let callers = "callers: { anyone: true }\n"
        for (text, field) in [
            (Self.requestors + redis + "prefix: \(null)\n", "memory.redis.prefix"),
            (Self.requestors + redis + "username: \(null)\n", "memory.redis.username"),
            ("requestors:\n- keys: [demo.pem]\n  id: \(null)\n" + callers, "requestors[0].id"),
            ("requestors:\n- id: DEMO\n  keyDirectory: \(null)\n" + callers, "requestors[0].keyDirectory"),
        ] {
            let mistakes = try mistakes(text)
            let start = ": \(field): This value is empty or null, or it is a list or a map. "
            #expect(mistakes.count == 1 && mistakes[0].contains(start), "\(mistakes)")
        }
    }

    @Test(.row("VP17"))
    func aNullInJSON_isNoText_andTheSameWordInQuotationMarksIsOne() throws {
        func mistakes(prefix: String) throws -> [String] {
            let requestors = #"{"requestors":[{"id":"DEMO","keys":["demo.pem"]}],"callers":{"anyone":true},"#
            return try self.mistakes(requestors + #""memory":{"redis":{"servers":["a"],"prefix":\#(prefix)}}}"#)
        }
        let found = try mistakes(prefix: "null")
        #expect(found.count == 1 && found[0].contains(": memory.redis.prefix: This value is empty or null"))
        #expect(try mistakes(prefix: "\"null\"") == [])
        let configuration = try VerifierConfiguration(file: file.path, environment: [:])
        guard case .redis(let redis) = configuration.memory else {
            Issue.record("It is another memory.")
            return
        }
        #expect(redis.prefix == "null")
    }

    /// Such a file would promise a majority, and one server would grant tokens alone.
    @Test(
        .row("VP4", "VP17"),
        arguments: [
            ("replicaCount: 3", "replicaCount", 2), ("replicas: 0, replicaCount: 1", "replicas", 1),
            ("replicas: 0, replicaCount: 0", nil, 0), ("replicas: 0", nil, 0), ("replicaCount: 0", nil, 0),
        ] as [(String, String?, Int)])
    func replicasWithoutAMajority_areAMistake(fields: String, field: String?, least: Int) throws {
        let found = try mistakes(Self.requestors + "memory: { redis: { servers: [a], \(fields) } }")
        #expect(found.count == (field == nil ? 0 : 1), "\(found)")
        guard let field else { return }
        #expect(found.first?.contains(": memory.redis.\(field): With so few replicas, ") == true, "\(found)")
        #expect(found.first?.contains("Set replicas to at least \(least) for a replicaCount of ") == true, "\(found)")
    }

    @Test(
        .row("VP17"),
        arguments: [
            ("memory: { issuerClockSkew: 0x1p1 }", "memory.issuerClockSkew: This value is not a number of seconds"),
            ("memory: { issuerClockSkew: nan }", "memory.issuerClockSkew: This value is not a number of seconds"),
            ("memory: { issuerClockSkew: 2.5e0 }", nil), ("memory: { issuerClockSkew: .5 }", nil),
            ("listen: 127.0.0.1:+80", "listen: This is not an address to listen on."),
            ("listen: 127.0.0.1:-0", "listen: This is not an address to listen on."), ("listen: 127.0.0.1:080", nil),
        ] as [(String, String?)])
    func aNumber_isWrittenInDecimal(field: String, sentence: String?) throws {
        let found = try mistakes(Self.requestors + field)
        #expect(found.count == (sentence == nil ? 0 : 1), "\(found)")
        if let sentence { #expect(found.first?.contains(":3: \(sentence)") == true, "\(found)") }
    }

    @Test(
        .row("VP17"),
        arguments: [
            ("delay: 60", "delay"), ("delay: 25", "delay"), ("delay: 5, limit: 5", "delay"), ("limit: 5", "limit"),
            ("delay: 24.9", nil), ("limit: 5.1", nil), ("delay: 60, limit: 61", nil), ("delay: 0, limit: 1", nil),
        ] as [(String, String?)])
    func aDelayBeyondTheLimitOfAShutdown_isAMistake(fields: String, field: String?) throws {
        let found = try mistakes(Self.requestors + "drain: { \(fields) }")
        #expect(found.count == (field == nil ? 0 : 1), "\(found)")
        guard let field else { return }
        let sentence = ":3: drain.\(field): The field drain.delay is not less than drain.limit, "
        #expect(found.first?.contains(sentence) == true, "\(found)")
    }

    @Test func aTilde_isThatInTheFoldersName_andNotTheHomeDirectory() throws {
        let keys = path("~")
        try FileManager.default.createDirectory(at: keys, withIntermediateDirectories: true)
        let text = "requestors: [{ id: DEMO, keys: [demo.pem], keyDirectory: \"~\" }]\ncallers: { anyone: true }\n"
        #expect(try mistakes(text) == [])
        let found = try VerifierConfiguration(file: file.path, environment: [:])
        #expect(found.requestors[0].keyDirectory?.hasSuffix("/\(fleet.folder.lastPathComponent)/~") == true)
    }

    @Test(.row("VP17"), arguments: ["tls", "memory: { redis: { servers: [a], tls"])
    func understandsFilesForTLS(section: String) throws {
        _ = try Certificates(in: fleet.folder)
        let isService = section == "tls"
        for command in [
            "pkcs8 -topk8 -in server.key -passout pass:x -out encrypted.key",
            "x509 -in server.pem -outform DER -out server.der", "pkey -in server.key -outform DER -out key.der",
            "pkcs12 -export -in server.pem -inkey server.key -passout pass:x -out server.p12",
            "crl2pkcs7 -nocrl -certfile server.pem -out server.p7b",
            "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:brainpoolP256r1 -out curve.key",
            "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.key",
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:secp224r1 -nodes -subj /CN=a -keyout odd.key -out odd.pem",
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -pkeyopt ec_param_enc:explicit -nodes "
                + "-subj /CN=a -keyout explicit.key -out explicit.pem",
        ] {
            let words = command.split(separator: " ").map { $0.contains(".") ? path(String($0)).path : String($0) }
            #expect(try Child("/usr/bin/openssl", words, output: path("log")).ended() == 0, "\(command)")
        }
        try Data([0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2]).write(to: path("store.jks"))
        let whole = try String(contentsOf: path("server.pem"), encoding: .utf8)
        try Data(whole.dropLast(60).utf8).write(to: path("cut.pem"))
        try Data([0xFF, 0xFE] + whole.utf8.flatMap { [$0, 0x00] as [UInt8] }).write(to: path("wide.pem"))
        try Data((whole.prefix(100) + "!" + whole.dropFirst(101)).utf8).write(to: path("damaged.pem"))
        try Data("\u{FEFF}\(whole)".utf8).write(to: path("mark.pem"))
        try Data("\u{FEFF}\(whole)\(whole)".utf8).write(to: path("marks.pem"))
        try Data("  \(whole.replacing("\n", with: "\n  "))".utf8).write(to: path("indented.pem"))
        try Data(whole.replacing(" CERTIFICATE", with: " X509 CERTIFICATE").utf8).write(to: path("old.pem"))
        let key = try String(contentsOf: path("server.key"), encoding: .utf8)
        try writeSecret(key.replacing("\n", with: "\\n"), to: path("escaped.key"))
        try writeSecret(key.replacing("BEGIN PRIVATE", with: "BEGIN OPENSSH PRIVATE"), to: path("openssh.key"))
        try writeSecret(String(key.dropLast(60)), to: path("cut.key"))
        var lines = try String(contentsOf: path("rsa.key"), encoding: .utf8).split(separator: "\n").map(String.init)
        lines[8] = String(repeating: "A", count: lines[8].count)
        try writeSecret(lines.joined(separator: "\n"), to: path("rsa.key"))
        // PKCS#8 begins with 26 bytes before the key in the older form.
        let older = try #require(Data(base64Encoded: lines[1..<(lines.count - 1)].joined())).dropFirst(26)
        try writeSecret(
            "-----BEGIN RSA PRIVATE KEY-----\n\(older.base64EncodedString(options: .lineLength64Characters))\n"
                + "-----END RSA PRIVATE KEY-----\n", to: path("older.key"))
        try writeSecret("nothing", to: path("nothing"))
        try makePipe("pipe")
        try writeSecret(whole, to: path("secret.pem"))
        let both = whole + key
        try Data(both.utf8).write(to: path("both.pem"))
        try writeSecret(both, to: path("secret-both.pem"))
        for name in [
            "encrypted.key", "server.key", "client.key", "key.der", "server.der", "server.p12", "server.p7b",
            "store.jks", "curve.key", "odd.key", "explicit.key",
        ] {
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path(name).path)
        }
        let authority = isService ? "clientAuthority" : "authority"
        let field = isService ? "tls" : "memory.redis.tls"
        func found(certificate: String, key: String, signer: String = "ca.pem") throws -> [String] {
            try mistakes(
                Self.requestors + section + ": { certificate: \(certificate), key: \(key), \(authority): \(signer) }"
                    + (isService ? "" : " } }"))
        }
        #expect(try found(certificate: "server.pem", key: "server.key") == [])
        #expect(try found(certificate: "secret-both.pem", key: "server.key", signer: "secret-both.pem") == [])
        #expect(try found(certificate: "old.pem", key: "server.key", signer: "old.pem") == [])
        for (certificate, key, signer, place, text) in [
            ("server.pem", "client.key", "ca.pem", "key", "does not belong to the first certificate"),
            ("server.pem", "encrypted.key", "ca.pem", "key", "is encrypted with a pass phrase"),
            ("server.pem", "openssh.key", "ca.pem", "key", "ssh-keygen -p -m PEM -N '' -f FILE"),
            ("server.pem", "cut.key", "ca.pem", "key", "a damaged private key"),
            ("server.pem", "curve.key", "ca.pem", "key", "it is damaged, or of an unsupported kind"),
            ("server.pem", "rsa.key", "ca.pem", "key", "a damaged private key"),
            ("server.pem", "older.key", "ca.pem", "key", "a damaged private key"),
            ("odd.pem", "odd.key", "ca.pem", "certificate", "a key of an unsupported kind"),
            ("explicit.pem", "explicit.key", "ca.pem", "certificate", "a key of an unsupported kind"),
            ("server.pem", "secret.pem", "ca.pem", "key", "a certificate and no private key"),
            ("server.pem", "server.pem", "ca.pem", "key", "a certificate and no private key"),
            ("server.pem", "both.pem", "ca.pem", "key", "contains a secret that everybody"),
            ("server.key", "server.key", "ca.pem", "certificate", "a private key and no certificate"),
            ("cut.pem", "server.key", "ca.pem", "certificate", "damaged"),
            ("damaged.pem", "server.key", "ca.pem", "certificate", "damaged"),
            ("nothing", "server.key", "ca.pem", "certificate", "no certificate in PEM"),
            ("server.pem", "nothing", "ca.pem", "key", "no private key in PEM"),
            ("mark.pem", "server.key", "ca.pem", "certificate", "such as a blank, a byte order mark or"),
            ("indented.pem", "server.key", "ca.pem", "certificate", "such as a blank, a byte order mark or"),
            ("server.pem", "escaped.key", "ca.pem", "key", "such as a blank, a byte order mark or"),
            ("server.pem", "server.key", "marks.pem", authority, "such as a blank, a byte order mark or"),
            ("pipe", "server.key", "ca.pem", "certificate", "no certificate in PEM"),
            ("server.pem", "pipe", "ca.pem", "key", "no private key in PEM"),
            ("server.pem", "server.key", "nothing", authority, "no certificate in PEM"),
            ("server.der", "server.key", "ca.pem", "certificate", "openssl x509 -inform DER -in FILE"),
            ("store.jks", "server.key", "ca.pem", "certificate", "keytool -list -rfc -keystore FILE"),
            ("server.p12", "server.key", "ca.pem", "certificate", "openssl pkcs12 -in FILE -nokeys"),
            ("server.p7b", "server.key", "ca.pem", "certificate", "openssl pkcs7 -print_certs"),
            ("wide.pem", "server.key", "ca.pem", "certificate", "text in UTF-16"),
            ("server.pem", "server.key", "server.der", authority, "openssl x509 -inform DER -in FILE"),
            ("server.pem", "key.der", "ca.pem", "key", "openssl pkey -inform DER -in FILE"),
            ("server.pem", "store.jks", "ca.pem", "key", "keytool -importkeystore -srckeystore FILE"),
            ("server.pem", "server.p12", "ca.pem", "key", "openssl pkcs12 -in FILE -nocerts"),
            ("server.pem", "server.p7b", "ca.pem", "key", "A bundle contains no private key"),
            ("server.pem", "server.der", "ca.pem", "key", "a certificate and no private key"),
            ("key.der", "server.key", "ca.pem", "certificate", "a private key and no certificate"),
            ("server.pem", "server.key", "cut.pem", authority, "damaged"),
            ("both.pem", "server.key", "ca.pem", "certificate", "contains a secret that everybody"),
            ("server.pem", "server.key", "both.pem", authority, "contains a secret that everybody"),
        ] as [(certificate: String, key: String, signer: String, place: String, text: String)] {
            let mistakes = try found(certificate: certificate, key: key, signer: signer)
            #expect(mistakes.count == 1 && mistakes[0].contains("verifier.yaml:3: \(field).\(place): "), "\(mistakes)")
            #expect(mistakes.first?.contains(text) == true, "\(mistakes)")
        }
        // If the files are swapped, both are reported.
        let swapped = try found(certificate: "server.key", key: "server.pem")
        #expect(swapped.count == 2 && swapped.allSatisfy { $0.contains("Exchange the two files") }, "\(swapped)")
    }

    @Test(
        .row("VP17"),
        arguments: [
            ("key: server.key", ": memory.redis.tls: The field certificate or the field key is missing. Add both."),
            ("certificate: server.pem", "server.pem contains no private key in PEM"),
            ("certificate: open.pem", ": memory.redis.tls.certificate: open.pem contains a secret that everybody"),
            ("certificate: both.pem", nil), ("authority: ca.pem", nil),
        ] as [(String, String?)])
    func aCertificateForRedis_needsItsKey(fields: String, sentence: String?) throws {
        _ = try Certificates(in: fleet.folder)
        let both = try ["server.pem", "server.key"].map { try String(contentsOf: path($0), encoding: .utf8) }.joined()
        try Data(both.utf8).write(to: path("open.pem"))
        try writeSecret(both, to: path("both.pem"))
        try writeSecret(String(contentsOf: path("server.key"), encoding: .utf8), to: path("server.key"))
        let found = try mistakes(Self.requestors + "memory: { redis: { servers: [a], tls: { \(fields) } } }")
        #expect(found.count == (sentence == nil ? 0 : 1), "\(found)")
        if let sentence { #expect(found.first?.contains(sentence) == true, "\(found)") }
    }

    @Test func readsAByteOrderMark_andBlanksAroundCommas() throws {
        let text = "\u{FEFF}" + Self.requestors + "memory: { redis: { servers: [a] } }"
        try Data(text.utf8).write(to: file)
        let configuration = try VerifierConfiguration(
            file: file.path, environment: ["TVE_VERIFIER_REDIS_SERVERS": " a , b:7000,\tc "])
        guard case .redis(let redis) = configuration.memory else {
            Issue.record("It is another memory.")
            return
        }
        #expect(redis.servers.map(\.description) == ["a:6379", "b:7000", "c:6379"])
        let callers = path("callers")
        try writeSecret("\u{FEFF}a \(String(repeating: "k", count: 22))\n", to: callers)
        #expect(CallerKeyFile.problems(path: callers.path, ["DEMO"]).isEmpty)
        for (servers, count) in [("a,", 0), ("a,b,\r\n", 0), ("a\n", 0), ("a,,b", 1), ("a,,", 1), (",", 1), ("", 1)] {
            #expect(try mistakes(text, ["TVE_VERIFIER_REDIS_SERVERS": servers]).count == count, "\(servers)")
        }
    }

    @Test(.row("VP17")) func checkConfig_namesWhatADirectoryHas_whenThereIsNoKey() throws {
        let keys = path("keys")
        try FileManager.default.createDirectory(at: keys, withIntermediateDirectories: true)
        for name in ["media_token_keystore.jks", "old.pem.bak", ".hidden"] {
            try Data([0xFE, 0xED, 0xFE, 0xED]).write(to: keys.appendingPathComponent(name))
        }
        try Data("requestors: [{ id: DEMO, keyDirectory: keys }]\ncallers: { anyone: true }".utf8).write(to: file)
        func check() throws -> (status: Int32?, text: String) {
            let child = try Child(
                Verifier.executable, ["--config", file.path, "--check-config"], output: path("output"))
            return (child.ended(), try String(contentsOf: path("output"), encoding: .utf8))
        }
        let empty = try check()
        #expect(empty.status == 78)
        #expect(empty.text.contains("media_token_keystore.jks, old.pem.bak are ignored. "), "\(empty.text)")
        #expect(empty.text.contains("There is no key in the directory."))
        #expect(!empty.text.contains("hidden") && !empty.text.contains("is valid"))
        try Data(fleet.mint.publicKey.utf8).write(to: keys.appendingPathComponent("demo.pem"))
        let good = try check()
        #expect(good.status == 0 && good.text.contains("ignored") && good.text.contains("is valid."))
        try FileManager.default.moveItem(
            at: keys.appendingPathComponent("media_token_keystore.jks"), to: keys.appendingPathComponent("store.pem"))
        let store = try check()
        #expect(store.status == 78 && store.text.contains("keytool -exportcert"), "\(store.text)")
    }

    @Test func unknownFields_areNamed() throws {
        let verifier = try fleet.verifier()
        for (name, isNamed) in [
            ("resourse", true), ("to\u{7}ken", false), (String(repeating: "n", count: 64), true), ("", false),
        ] {
            let detail = try verifier.verify(["token": "x", name: "y"]).json["detail"] as? String
            let start = "There is an unknown field\(isNamed ? ", \(name);" : ".")"
            #expect(detail?.hasPrefix(start) == true, "\(detail ?? "")")
        }
    }

    /// The service needs 64 files beside the connections.
    @Test(.timeLimit(.hanging), arguments: [(449, true), (448, false)])
    func fewerOpenFilesThanConnections_areInTheLog(connections: Int, areFew: Bool) throws {
        let limits = "limits: { connections: \(connections) }\ndrain: { delay: 0, limit: 600 }\n"
        let text = Self.requestors + "listen: 127.0.0.1:0\n" + limits
        try Data(text.utf8).write(to: file)
        let command = "ulimit -n 512; exec \"$0\" --config \"$1\""
        let child = try Child("/bin/sh", ["-c", command, Verifier.executable, file.path], output: path("log"))
        func log() -> String { (try? String(contentsOf: path("log"), encoding: .utf8)) ?? "" }
        #expect(waitUntil { log().contains("The service is listening.") })
        #expect(log().contains("fewer open files than limits.connections needs") == areFew)
        child.signal(SIGTERM)
        #expect(child.ended() == 0)
    }

    @Test func withoutAConfiguration_itSaysHowToNameOne() throws {
        for (arguments, environment) in [
            ([], [:]), (["--config", ""], [:]), ([], ["TVE_VERIFIER_CONFIG": ""]),
            ([], ["TVE_VERIFIER_CONFIG": " \r\n"]),
        ] as [([String], [String: String])] {
            let child = try Child(Verifier.executable, arguments, environment: environment, output: path("output"))
            #expect(child.ended() == 64)
            let text = try String(contentsOf: path("output"), encoding: .utf8)
            #expect(
                text.contains("No configuration is named. Name its file with --config FILE or TVE_VERIFIER_CONFIG."))
        }
    }

    /// A file of variables with the line ends of Windows adds one to each value.
    @Test func aNameInTheVariable_mayHaveALineEnd() throws {
        try Data(Self.requestors.utf8).write(to: file)
        let environment = ["TVE_VERIFIER_CONFIG": "\(file.path)\r\n"]
        let child = try Child(
            Verifier.executable, ["--check-config"], environment: environment, output: path("output"))
        #expect(child.ended() == 0)
        #expect(try String(contentsOf: path("output"), encoding: .utf8).contains("\(file.path) is valid."))
    }

    @Test func version_isPrinted() throws {
        let child = try Child(Verifier.executable, ["--version"], output: path("output"))
        #expect(child.ended() == 0)
        #expect(try String(contentsOf: path("output"), encoding: .utf8) == "\(VerifierCommand.version)\n")
    }
}
