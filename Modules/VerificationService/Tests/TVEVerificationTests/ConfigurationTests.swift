import Foundation
import Logging
import TVEFleetFixture
import TVERedisUses
import TVETestTraits
import TVETokenVerification
import TVEVerification
import Testing

@testable import tve_verifier

@Suite(.fourAtATime)
struct ConfigurationTests {
    /// The replacement for `@` at the beginning of a text.
    private static let requestors = "requestors: [{ id: DEMO, keys: [demo.pem] }]\n"
    /// The middle of a sentence about replicas.
    private static let cut = "both sides of a network that is cut could grant the same token. Set replicas"

    /// The mistakes in a configuration `F`, in the folder `D`.
    private struct Mistakes: Error, CustomStringConvertible {
        let description: String
    }

    private func read(_ text: String, _ environment: [String: String] = [:]) throws -> VerifierConfiguration {
        let fleet = try Fleet()
        let file = fleet.folder.appendingPathComponent("verifier.yaml")
        try Data(text.utf8).write(to: file)
        let callers = "a \(String(repeating: "k", count: 22))\n"
        try writeSecret(callers, to: fleet.folder.appendingPathComponent("callers"))
        try Data(callers.utf8).write(to: fleet.folder.appendingPathComponent("open"))
        try writeSecret("a short\n", to: fleet.folder.appendingPathComponent("short"))
        let key = String(repeating: "k", count: 22)
        try writeSecret("a, \(key),\n", to: fleet.folder.appendingPathComponent("comma"))
        try writeSecret("a \"\(key)\"\n", to: fleet.folder.appendingPathComponent("quoted"))
        try writeSecret("secret\n", to: fleet.folder.appendingPathComponent("password"))
        let other = fleet.folder.appendingPathComponent("other")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        try Data(fleet.mint.publicKey.utf8).write(to: other.appendingPathComponent("demo.crt"))
        try writeSecret(
            "a \(String(repeating: "k", count: 22)) DEMO X\n", to: fleet.folder.appendingPathComponent("foreign"))
        if text.contains("tls") { _ = try Certificates(in: fleet.folder) }
        do throws(ConfigurationErrors) {
            return try VerifierConfiguration(file: file.path, environment: environment)
        } catch {
            let text = error.description.replacingOccurrences(of: file.path, with: "F")
            throw Mistakes(description: text.replacingOccurrences(of: fleet.folder.path, with: "D"))
        }
    }

    @Test(
        .row("VP17"),
        arguments: [
            ("bodyBytes", 1_024, 16 << 20), ("batchBytes", 1_024, 64 << 20), ("batchTokens", 1, 1_000),
            ("bodySeconds", 1, 600), ("connections", 1, 1_000_000), ("idleSeconds", 1, 3_600),
        ])
    func aLimit_hasExactlyTheseEnds(name: String, least: Int, most: Int) throws {
        func read(_ number: Int) throws {
            _ = try self.read(Self.requestors + "callers: { anyone: true }\nlimits: { \(name): \(number) }\n")
        }
        for number in [least, most] { try read(number) }
        for number in [least - 1, most + 1] { #expect(throws: Mistakes.self) { try read(number) } }
    }

    @Test(
        .row("VP17"),
        arguments: [
            ("", "F: The file is empty."), ("a: [", "F:1: This is neither YAML nor JSON."),
            ("a:\n\tb: 1", "F:2: A tab indents this line"), ("a:\n  - b\n  \t c: 1", "F:3: A tab indents this line"),
            ("{\n\t\"a\": }]", "F:2: This is neither YAML nor JSON."),
            ("a: 1\na: 2", "F:1: A field occurs more than once: a."), ("- 1", "F:1: This value is not a map."),
            ("callers: { anyone: true }", "F:1: The field requestors is missing."),
            ("lisen: 1", "F:1: lisen: This field is unknown. Correct its name, or remove it; the known fields are "),
            ("requestors: []", "F:1: requestors: The list of requestors is empty."),
            ("requestors: {}", "F:1: requestors: This value is not a list."),
            ("requestors:\n- id: A", "F:2: requestors[0]: The requestor has no keys. Add keys, keyDirectory"),
            ("requestors:\n- keys: []", "F:2: requestors[0]: The requestor has no id."),
            ("requestors:\n- {id: A B, keys: [demo.pem]}", "F:2: requestors[0].id: The id contains a blank"),
            ("requestors:\n- {id: \"A\\n\", keys: [demo.pem]}", "F:2: requestors[0].id: The id contains a blank"),
            ("requestors:\n- {id: A\u{A0}, keys: [demo.pem]}", "F:2: requestors[0].id: The id contains a blank"),
            ("requestors:\n- {id: \u{200B}A, keys: [demo.pem]}", "F:2: requestors[0].id: The id contains a blank"),
            ("requestors:\n- {id: A\u{FE0F}, keys: [demo.pem]}", "F:2: requestors[0].id: The id contains a blank"),
            ("requestors:\n- {id: \u{201C}A\u{201D}, keys: [demo.pem]}", "F:2: requestors[0].id: The quotation"),
            ("requestors:\n- {id: '\"A\"', keys: [demo.pem]}", "F:2: requestors[0].id: The quotation"),
            ("requestors:\n- id: A\n  keys: [none.pem]", "F:3: requestors[0].keys[0]: D/none.pem cannot be read."),
            ("requestors:\n- id: A\n  keys: [password]", "F:3: requestors[0].keys[0]: D/password cannot be used"),
            (
                "requestors:\n- id: A\n  keyDirectory: demo.pem",
                "F:3: requestors[0].keyDirectory: This is not a directory."
            ),
            (
                "requestors:\n- {id: A, keys: [demo.pem]}\n- {id: A, keys: [demo.pem]}",
                "F:3: requestors[1].id: Another requestor has the same id."
            ),
            (
                "requestors:\n- id: A\n  keys:\n  - demo.pem\n  - other/demo.crt",
                "F:5: requestors[0].keys[1]: D/demo.pem and D/other/demo.crt have the same name, demo"
            ),
            (
                "requestors:\n- {id: A, keys: [demo.pem], clockTolerance: 301}",
                "F:2: requestors[0].clockTolerance: This value is not a number of seconds"
            ),
            ("@", "F:1: The field callers is missing."),
            ("@callers: {}", "F:2: callers: This section does not have exactly one field."),
            ("@callers: { anyone: false }", "F:2: callers.anyone: This way to admit callers is switched off"),
            (
                "@callers: { anyone: true }\nlisten: 0.0.0.0:80",
                "F:2: callers: The field callers admits anyone who can reach this service"
            ),
            (
                "@callers: { anyone: true }\nlisten: 127.0.0.1.example:80",
                "F:2: callers: The field callers admits anyone "
            ),
            ("@callers: { anyone: true }\nlisten: \"[::]:80\"", "F:2: callers: The field callers admits anyone "),
            ("@callers: { certificates: true }", "F:2: callers: The certificates of callers"),
            ("@callers: { bearerKeys: callers }\nlisten: 10.0.0.1:80", "F:2: callers: Bearer keys would cross"),
            (
                "@callers: { anyone: true }\nallowPlaintext: true",
                "F:3: allowPlaintext: The field allowPlaintext is for callers with bearerKeys, and"
            ),
            ("@callers: { anyone: true }\nallowPlaintext: maybe", "F:3: allowPlaintext: This value is neither true"),
            (
                """
                @callers: { certificates: true }\nallowPlaintext: true
                tls: { certificate: server.pem, key: server.key, clientAuthority: ca.pem }
                """, "F:3: allowPlaintext: The field allowPlaintext is for callers with bearerKeys, and"
            ),
            ("@callers: { bearerKeys: none }", "F:2: callers.bearerKeys: The file that this field names"),
            ("@callers: { bearerKeys: short }", "F:2: callers.bearerKeys: Line 1 of the callers' file is not"),
            ("@callers: { bearerKeys: open }", "F:2: callers.bearerKeys: D/open contains a secret that everybody"),
            (
                "@callers: { anyone: true }\ntls: { certificate: server.pem, key: open }",
                "F:3: tls.key: D/open contains a secret that everybody"
            ),
            (
                "@callers: { anyone: true }\nmemory: { redis: { servers: [a], passwordFile: open } }",
                "F:3: memory.redis.passwordFile: D/open contains a secret that everybody"
            ),
            ("@callers: { bearerKeys: comma }", "F:2: callers.bearerKeys: Line 1 of the callers' file is not"),
            ("@callers: { bearerKeys: quoted }", "F:2: callers.bearerKeys: Line 1 of the callers' file is not"),
            ("@callers: { bearerKeys: password }", "F:2: callers.bearerKeys: Line 1 of the callers' file is not"),
            (
                "@callers: { bearerKeys: foreign }",
                "F:2: callers.bearerKeys: Line 1 of the callers' file names a requestor that is not"
            ),
            (
                """
                requestors:\n- {id: A, keys: [demo.pem]}\n- {id: B, keys: [demo.pem]}\n\
                callers: { bearerKeys: callers }
                """,
                "F:4: callers.bearerKeys: Line 1 of the callers' file names no requestor"
            ),
            ("@callers: { anyone: true }\nlisten: nowhere", "F:3: listen: This is not an address to listen on."),
            ("@callers: { anyone: true }\nlisten: \"*:8480\"", "F:3: listen: This is not an address to listen on."),
            ("@callers: { anyone: true }\nlisten: a:70000", "F:3: listen: This is not an address to listen on."),
            ("@callers: { anyone: true }\nlogLevel: loud", "F:3: logLevel: This value is not one of"),
            ("@callers: { anyone: true }\ntls: { key: server.key }", "F:3: tls: The field certificate or"),
            ("@callers: { anyone: true }\nlimits:\n  batchTokens: 0", "F:4: limits.batchTokens: This value is not"),
            ("@callers: { anyone: true }\ndrain: { delay: soon }", "F:3: drain.delay: This value is not a number"),
            ("@callers: { anyone: true }\nmemory: { redis: {} }", "F:3: memory.redis: No Redis server is"),
            ("@callers: { anyone: true }\nmemory: { capacity: 1, redis: {} }", "F:3: memory: The field capacity has"),
            (
                "@callers: { anyone: true }\nmemory: { issuerClockSkew: 1, redis: {} }",
                "F:3: memory: The field issuerClockSkew has"
            ),
            ("@callers: { anyone: true }\nmemory: { whenAway: ignore }", "F:3: memory.whenAway: This value is not"),
            (
                "@callers: { anyone: true }\nmemory: { redis: { servers: [\"a:b\"] } }",
                "F:3: memory.redis.servers[0]: This is not the address of a Redis server. Write host or host:port"
            ),
            (
                "@callers: { anyone: true }\nmemory: { redis: { servers: [a], username: u } }",
                "F:3: memory.redis: The field username has no password"
            ),
            (
                "@callers: { anyone: true }\nmemory: { redis: { servers: [a], timeout: 0 } }",
                "F:3: memory.redis.timeout: This value is not a number"
            ),
            (
                "@callers: { anyone: true }\nmemory: { redis: { servers: [a], prefix: a b } }",
                "F:3: memory.redis.prefix: The prefix is longer than 64 bytes, or"
            ),
            (
                "@callers: { anyone: true }\nmemory: { redis: { servers: [a], prefix: \"{tve}\" } }",
                "F:3: memory.redis.prefix: The prefix is longer than 64 bytes, or contains braces"
            ),
            (
                "@callers: { anyone: true }\nmemory: { redis: { servers: [a], issuerClockSkew: 300.1 } }",
                "F:3: memory.redis.issuerClockSkew: This value is not a number of seconds"
            ),
            (
                "@callers: { anyone: true }\nmemory: { issuerClockSkew: 301 }",
                "F:3: memory.issuerClockSkew: This value is not a number of seconds"
            ),
            (
                "@callers: { anyone: true }\nmemory: { redis: { servers: [a], replicas: 1 } }",
                "F:3: memory.redis.replicas: The field replicas has no replicaCount beside it."
            ),
            (
                "@callers: { anyone: true }\nmemory: { redis: { servers: [a], replicas: 1, replicaCount: 3 } }",
                "F:3: memory.redis.replicas: With so few replicas, \(cut) to at least 2 for a replicaCount of 3."
            ),
            (
                "@callers: { anyone: true }\nmemory: { redis: { servers: [a], replicas: 2, replicaCount: 5 } }",
                "F:3: memory.redis.replicas: With so few replicas, \(cut) to at least 3 for a replicaCount of 5."
            ),
            (
                "@callers: { anyone: true }\nmemory: { redis: { servers: [a], replicas: 2, replicaCount: 1 } }",
                "F:3: memory.redis.replicas: This number is larger than replicaCount, 1."
            ),
            (
                "@callers: { anyone: true }\nmemory: { redis: { servers: [a], replicas: 1, replicaCount: 0 } }",
                "F:3: memory.redis.replicas: This number is larger than replicaCount, 0."
            ),
        ] as [(String, String)])
    func mistakes_nameFileLineAndField(text: String, message: String) throws {
        do {
            _ = try read(text.hasPrefix("@") ? Self.requestors + text.dropFirst() : text)
            Issue.record("It was taken.")
        } catch let error as Mistakes {
            #expect(error.description.hasPrefix(message), "\(error.description)")
            for line in error.description.split(separator: "\n") {
                #expect(line.hasSuffix(".") && line.contains(". "), "This does not say what to do: \(line)")
            }
        }
    }

    @Test(
        .row("VP17"),
        arguments: [
            ("callers: { bearerKeys: @ }", "callers.bearerKeys"),
            ("callers: { anyone: true }\ntls: { certificate: server.pem, key: @ }", "tls.key"),
            (
                "callers: { anyone: true }\nmemory: { redis: { servers: [a], passwordFile: @ } }",
                "memory.redis.passwordFile"
            ),
            (
                "callers: { anyone: true }\nmemory: { redis: { servers: [a], tls: { certificate: @ } } }",
                "memory.redis.tls.certificate"
            ),
        ])
    func aSecretInPlaceOfItsFile_isNotPrinted(text: String, field: String) throws {
        let key = "\"-----BEGIN PRIVATE KEY-----\\nhunter2\\n-----END PRIVATE KEY-----\\n\""
        for secret in ["hunter2", "/hunter2", key, "\"\(String(repeating: "hunter2/", count: 500))\""] {
            #expect {
                try read(Self.requestors + text.replacing("@", with: secret))
            } throws: {
                !"\($0)".contains("hunter2") && "\($0)".contains(": \(field): The file that this field names cannot")
            }
        }
        // YAML folds the lines of a text without quotes.
        let folded = "-----BEGIN PRIVATE KEY----- hunter2 -----END PRIVATE KEY-----"
        for swapped in [key, folded] {
            #expect {
                try read(
                    Self.requestors + "callers: { anyone: true }\ntls: { certificate: \(swapped), key: server.key }")
            } throws: {
                !"\($0)".contains("hunter2")
            }
        }
    }

    @Test func everything_canBeSaid() throws {
        let configuration = try read(
            """
            listen: "0.0.0.0:8480"
            requestors:
              - { id: DEMO, keys: [demo.pem], keyDirectory: ., clockTolerance: 2.5, allows1024Bits: true }
            callers: { certificates: true }
            tls: { certificate: server.pem, key: server.key, clientAuthority: ca.pem }
            memory:
              whenAway: accept
              redis:
                servers: [a, "b:7000", "unix:/run/redis.sock"]
                username: verifier
                passwordFile: password
                database: 2
                tls: { authority: ca.pem, certificate: client.pem, key: client.key, serverName: redis }
                timeout: 0.1
                connections: 4
                prefix: shop
                replicas: 1
                replicaCount: 2
                restarts: keep
                issuerClockSkew: 5
                keptAfterEnd: 0
            limits: { bodyBytes: 2048, batchBytes: 4096, batchTokens: 10, bodySeconds: 1, connections: 5, idleSeconds: 7 }
            drain: { delay: 0, limit: 5 }
            logLevel: debug
            """)
        guard case .redis(let redis) = configuration.memory else {
            Issue.record("It is another memory.")
            return
        }
        #expect(redis.servers.map(\.description) == ["a:6379", "b:7000", "unix:/run/redis.sock"])
        #expect(redis.password == "secret" && redis.username == "verifier" && redis.database == 2)
        #expect(redis.timeout == 0.1 && redis.connections == 4 && redis.prefix == "shop")
        #expect(redis.replication == RedisReplication(required: 1, of: 2))
        #expect(redis.restarts == .keep && redis.issuerClockSkew == 5 && redis.keptAfterEnd == 0)
        let folder = (try #require(redis.tls?.keyFile) as NSString).deletingLastPathComponent
        #expect(
            redis.tls
                == RedisTLS(
                    authorityFile: "\(folder)/ca.pem", certificateFile: "\(folder)/client.pem",
                    keyFile: "\(folder)/client.key", serverName: "redis"))
        #expect(configuration.redisPasswordFile == "\(folder)/password")
        #expect(
            configuration.tls
                == VerifierConfiguration.TLSSettings(
                    certificate: "\(folder)/server.pem", key: "\(folder)/server.key",
                    clientAuthority: "\(folder)/ca.pem"))
        #expect(configuration.callers == .certificates)
        #expect(configuration.listen == ListenAddress(host: "0.0.0.0", port: 8480))
        var limits = VerificationLimits()
        limits.bodyBytes = 2_048
        limits.batchBytes = 4_096
        limits.batchTokens = 10
        limits.bodySeconds = 1
        #expect(configuration.limits == limits)
        #expect(configuration.connections == 5 && configuration.idleSeconds == 7)
        #expect(configuration.memoryFailurePolicy == .failOpen)
        #expect(configuration.drainDelay == 0 && configuration.drainLimit == 5 && configuration.logLevel == .debug)
        #expect(configuration.requestors[0].clockTolerance == 2.5 && configuration.requestors[0].allows1024Bits)
        #expect(configuration.requestors[0].keys.map(\.name) == ["demo"])
        #expect("\(configuration)".contains("DEMO"))
    }

    /// Whatever is not written must not weaken a promise.
    @Test func whatIsNotSaid_hasTheSafeValue() throws {
        let start = Self.requestors + "callers: { anyone: true }\n"
        let configuration = try read(start + "memory: { redis: { servers: [a] } }")
        guard case .redis(let redis) = configuration.memory else {
            Issue.record("It is another memory.")
            return
        }
        #expect(redis.restarts == .forget && redis.issuerClockSkew == 2 && redis.keptAfterEnd == 60)
        #expect(redis.database == 0 && redis.prefix == "tve" && redis.timeout == 0.25 && redis.connections == 2)
        #expect(redis.replication == .primaryAlone && redis.password == nil && redis.tls == nil)
        #expect(configuration.memoryFailurePolicy == .failClosed)
        #expect(configuration.listen == ListenAddress(host: "127.0.0.1", port: 8480) && configuration.tls == nil)
        #expect(configuration.requestors[0].clockTolerance == 0 && !configuration.requestors[0].allows1024Bits)
        for (memory, size, skew) in [
            ("", 1_000_000, 2), ("memory: { capacity: 5 }", 5, 2),
            ("memory: { capacity: 5, issuerClockSkew: 7 }", 5, 7),
        ] {
            guard case .process(let capacity, let issuerClockSkew) = try read(start + memory).memory else {
                Issue.record("It is another memory.")
                continue
            }
            #expect(capacity == size && issuerClockSkew == Double(skew))
        }
    }

    @Test func json_isRead_andTheEnvironmentCountsMore() throws {
        let text =
            #"{"requestors":[{"id":"DEMO","keys":["demo.pem"]}],"callers":{"anyone":true},"memory":{"redis":{}}}"#
        let configuration = try read(
            text,
            [
                "TVE_VERIFIER_LISTEN": " [::1]:1\r\n", "TVE_VERIFIER_LOG_LEVEL": "error\n",
                "TVE_VERIFIER_REDIS_SERVERS": "a,b:1",
                "TVE_VERIFIER_REDIS_PASSWORD": "p",
            ])
        #expect(configuration.listen == ListenAddress(host: "::1", port: 1))
        #expect(configuration.logLevel == .error)
        for (name, value) in [
            ("TVE_VERIFIER_LISTEN", "1"), ("TVE_VERIFIER_LOG_LEVEL", "x"), ("TVE_VERIFIER_REDIS_SERVERS", "a,:"),
        ] {
            #expect {
                try read(text, ["TVE_VERIFIER_REDIS_SERVERS": "a"].merging([name: value]) { $1 })
            } throws: {
                "\($0)".hasPrefix("\(name): This ")
            }
        }
        // The environment cannot allow what the file forbids.
        #expect(throws: Mistakes.self) {
            try read(text, ["TVE_VERIFIER_REDIS_SERVERS": "a", "TVE_VERIFIER_LISTEN": "0.0.0.0:1"])
        }
    }

    /// If the variables were ignored, each verifier of a fleet would remember tokens for itself.
    @Test(.row("VP17"), arguments: ["", "memory: { whenAway: accept }", "memory: { capacity: 5 }"])
    func aVariableOfRedis_isAMistake_withoutAMemoryInRedis(memory: String) throws {
        let text = Self.requestors + "callers: { anyone: true }\n" + memory
        for name in ["TVE_VERIFIER_REDIS_SERVERS", "TVE_VERIFIER_REDIS_PASSWORD"] {
            #expect {
                try read(text, [name: "redis-1"])
            } throws: {
                "\($0)".hasPrefix("\(name): The configuration has no memory.redis, so this variable ")
            }
        }
    }

    /// A secret of Kubernetes often ends with a line break, and an empty one hides the file.
    @Test(
        arguments: [
            (nil, "secret"), ("other", "other"), ("other\n", "other"), ("\u{FEFF}other\r\n", "other"), ("", nil),
            ("\n", nil), (String(repeating: "p", count: 4_097), nil),
        ] as [(String?, String?)])
    func thePasswordInTheVariable_isReadAsThatInTheFile(variable: String?, password: String?) throws {
        let memory = "memory: { redis: { servers: [a], username: u, passwordFile: password } }"
        let environment = variable.map { ["TVE_VERIFIER_REDIS_PASSWORD": $0] } ?? [:]
        func found() throws -> String? {
            let configuration = try read(Self.requestors + "callers: { anyone: true }\n" + memory, environment)
            guard case .redis(let redis) = configuration.memory else { return nil }
            return redis.password
        }
        if let password {
            #expect(try found() == password)
        } else {
            #expect {
                try found()
            } throws: {
                "\($0)".hasPrefix("TVE_VERIFIER_REDIS_PASSWORD: The variable does not contain a password of ")
            }
        }
    }

    @Test func checkConfig_saysWhatItFound_andEnds() throws {
        let fleet = try Fleet()
        let file = fleet.folder.appendingPathComponent("v.yaml")
        func check(_ text: String) throws -> (Int32?, String) {
            try Data(text.utf8).write(to: file)
            let output = fleet.folder.appendingPathComponent("output")
            let child = try Child(Verifier.executable, ["--config", file.path, "--check-config"], output: output)
            return (child.ended(), try String(contentsOf: output, encoding: .utf8))
        }
        let good = try check(Self.requestors + "callers: { anyone: true }")
        #expect(good.0 == 0)
        // Root may read what the user of the service may not.
        let note = geteuid() == 0 ? VerifierCommand.noteForRoot + "\n" : ""
        #expect(good.1 == "\(file.path) is valid.\n" + note)
        let bad = try check(Self.requestors + "callers: { anyone: maybe }")
        #expect(bad.0 == 78)
        let sentences = "This value is neither true nor false. Write one of the two."
        #expect(bad.1 == "\(file.path):2: callers.anyone: \(sentences)\n")
    }

    @Test(.row("VP17")) func checkConfig_looksIntoKeyDirectories() throws {
        let fleet = try Fleet()
        let keys = fleet.folder.appendingPathComponent("keys")
        try FileManager.default.createDirectory(at: keys, withIntermediateDirectories: true)
        for name in ["a.pem", "a.crt", "demo.der"] {
            try Data(fleet.mint.publicKey.utf8).write(to: keys.appendingPathComponent(name))
        }
        try Data("half".utf8).write(to: keys.appendingPathComponent("half.pem"))
        let file = fleet.folder.appendingPathComponent("v.yaml")
        let text = "requestors:\n- id: DEMO\n  keys: [demo.pem]\n  keyDirectory: keys\ncallers: { anyone: true }"
        try Data(text.utf8).write(to: file)
        let output = fleet.folder.appendingPathComponent("output")
        let child = try Child(Verifier.executable, ["--config", file.path, "--check-config"], output: output)
        #expect(child.ended() == 78)
        let place = "\(file.path):4: requestors[0].keyDirectory:"
        #expect(
            try String(contentsOf: output, encoding: .utf8).split(separator: "\n") == [
                "\(place) half.pem cannot be used as a key. This is not an RSA public key or certificate. "
                    + "Use a public key or an X.509 certificate, in PEM or DER.",
                "\(place) a.crt and a.pem have the same name, a. "
                    + "Rename all but one; until then, each key has the whole name of its file.",
                "\(place) demo.der has the same name, demo, as a key of the configuration. "
                    + "Rename one of the two; until then, this key has the name demo.der.",
            ])
    }

    @Test(.row("VP17")) func aPortInUse_isNamed_withWhatToDo() throws {
        let fleet = try Fleet()
        let verifier = try fleet.verifier()
        let file = fleet.folder.appendingPathComponent("v.yaml")
        try Data((Self.requestors + "callers: { anyone: true }\nlisten: 127.0.0.1:\(verifier.port)").utf8).write(
            to: file)
        let output = fleet.folder.appendingPathComponent("output")
        let child = try Child(Verifier.executable, ["--config", file.path], output: output)
        #expect(child.ended() == 69)
        let text = try String(contentsOf: output, encoding: .utf8)
        let sentence = "127.0.0.1:\(verifier.port) is in use by another program."
        #expect(text == "\(sentence) End that program, or choose another port.\n")
    }

    @Test(
        arguments: [
            (ListenAddress(host: "192.0.2.1", port: 0), "192.0.2.1:0 is not an address of this machine."),
            (ListenAddress(host: "name.invalid", port: 1), "name.invalid:1 cannot be used: the host is unknown."),
            (ListenAddress(host: "127.0.0.1", port: 0), nil),
        ] as [(ListenAddress, String?)])
    func anAddress_isFreeOrHasAReason(address: ListenAddress, sentence: String?) {
        let found = address.obstacle?.description.components(separatedBy: ". ")
        #expect(found?.first.map { "\($0)." } == sentence)
    }

    /// Containers often have no IPv6.
    @Test(.enabled(if: ConfigurationTests.hasIPv6, "This machine has no IPv6."))
    func anAddressOfIPv6_isFree() {
        #expect(ListenAddress(host: "::1", port: 0).obstacle == nil)
    }

    /// A Boolean value that indicates whether the machine has the loopback address of IPv6.
    private static var hasIPv6: Bool {
        let addresses = try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8)
        // Other systems than Linux always have it.
        return addresses?.contains("00000000000000000000000000000001 ")
            ?? !FileManager.default.fileExists(atPath: "/proc/net")
    }
}
