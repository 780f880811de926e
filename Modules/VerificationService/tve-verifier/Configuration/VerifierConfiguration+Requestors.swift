import Foundation
import Logging
import Metrics
import TVEModels
import TVERedisUses
import TVETokenVerification
import TVEVerification

extension VerifierConfiguration {
    static func requestors(_ field: ConfigurationField) throws(ConfigurationError) -> [RequestorSettings] {
        var requestors: [RequestorSettings] = []
        var ids: Set<RequestorID> = []
        let elements = try field.elements()
        for element in elements {
            let found = field.mistakes.read(element) { element in
                try requestor(element, &ids)
            }
            if let found { requestors.append(found) }
        }
        guard !elements.isEmpty else { throw field.error(.noRequestor) }
        return requestors
    }

    private static func requestor(
        _ element: ConfigurationField, _ ids: inout Set<RequestorID>
    ) throws(ConfigurationError) -> RequestorSettings {
        let fields = try element.fields(["id", "keys", "keyDirectory", "clockTolerance", "allows1024Bits"])
        let mistakes = element.mistakes
        guard let id = fields["id"] else { throw element.error(.idMissing) }
        let text = try id.text()
        guard !text.unicodeScalars.contains(where: isBlankOrInvisible) else { throw id.error(.blankInID) }
        guard !isInQuotationMarks(text) else { throw id.error(.quotedID) }
        var requestor = RequestorSettings(id: RequestorID(text))
        guard ids.insert(requestor.id).inserted else { throw id.error(.repeatedID) }
        requestor.allows1024Bits = mistakes.read(fields["allows1024Bits"]) { try $0.bool() } ?? false
        requestor.clockTolerance =
            mistakes.read(fields["clockTolerance"]) { try $0.seconds(0...MediaTokenVerifier.largestClockTolerance) }
            ?? 0
        var files: [String: String] = [:]
        let elements = mistakes.read(fields["keys"]) { try $0.elements() }
        for file in elements ?? [] {
            let key = mistakes.read(file) { file in
                try Self.key(file, allows1024Bits: requestor.allows1024Bits, knownFiles: &files)
            }
            if let key { requestor.keys.append(key) }
        }
        if let directory = fields["keyDirectory"] {
            mistakes.read(directory) { field in try readDirectory(field, &requestor) }
        }
        // If `keys` is not a list, that mistake is already recorded.
        guard fields["keyDirectory"] != nil || (fields["keys"] != nil && elements?.isEmpty != true) else {
            throw element.error(.keysMissing)
        }
        return requestor
    }

    /// Returns a Boolean value that indicates whether a character shows nothing where it stands.
    ///
    /// Copying an id from a page can add such a character, for example a space without width.
    private static func isBlankOrInvisible(_ character: Unicode.Scalar) -> Bool {
        let properties = character.properties
        return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
            || [.control, .format].contains(properties.generalCategory)
    }

    /// Returns a Boolean value that indicates whether a text still has quotation marks after YAML was read.
    private static func isInQuotationMarks(_ text: String) -> Bool {
        let marks: Set<Unicode.Scalar> = [
            "\"", "'", "`", "\u{AB}", "\u{BB}", "\u{2018}", "\u{2019}", "\u{201A}", "\u{201C}", "\u{201D}", "\u{201E}",
        ]
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else { return false }
        return marks.contains(first) && marks.contains(last)
    }

    private static func key(
        _ file: ConfigurationField, allows1024Bits: Bool, knownFiles: inout [String: String]
    ) throws(ConfigurationError) -> MediaTokenKey {
        let path = try file.anchor()
        let key: TokenVerificationKey
        do throws(KeyDirectory.Problem) {
            key = try KeyDirectory.key(file: path, allows1024Bits: allows1024Bits)
        } catch {
            throw file.error(.key(error))
        }
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        if let other = knownFiles.updateValue(path, forKey: name) {
            throw file.error(.sameKeyName(name, files: [other, path]))
        }
        return MediaTokenKey(name: name, key: key)
    }

    private static func readDirectory(
        _ field: ConfigurationField, _ requestor: inout RequestorSettings
    ) throws(ConfigurationError) {
        let path = try field.anchor()
        var isDirectory: ObjCBool = false
        // Foundation writes the answer into `isDirectory`.
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue
        else { throw field.error(.notADirectory) }
        requestor.keyDirectory = path
        let keys = MediaTokenKeySet()
        // Problems of single files are not mistakes, because the service starts without these files.
        let directory = KeyDirectory(
            path: path, fixed: requestor.keys, keys: keys, allows1024Bits: requestor.allows1024Bits,
            requestor: requestor.id, logger: Logger(label: "", factory: { _ in SwiftLogNoOpLogHandler() }),
            metrics: NOOPMetricsHandler.instance)
        requestor.directoryProblems = directory.load().map { field.error(.key($0)) }
        let passedOver = directory.passedOver
        if !passedOver.isEmpty { requestor.directoryNotes = [field.error(.passedOver(passedOver))] }
        if keys.keys.isEmpty, requestor.directoryProblems.isEmpty {
            requestor.directoryProblems = [field.error(.noKeyInDirectory)]
        }
    }

    mutating func readMemory(
        _ field: ConfigurationField, _ environment: [String: String]
    ) throws(ConfigurationError) {
        let fields = try field.fields(["capacity", "issuerClockSkew", "redis", "whenAway"])
        let mistakes = field.mistakes
        memoryFailurePolicy =
            mistakes.read(fields["whenAway"]) { try $0.choice(MemoryFailurePolicy.self) } ?? .failClosed
        if let redis = fields["redis"] {
            for name in ["capacity", "issuerClockSkew"] where fields[name] != nil {
                mistakes.record(field.error(.fieldWithRedis(name)))
            }
            memory = .redis(try readRedis(redis, environment))
            return
        }
        Self.checkVariablesWithoutRedis(environment, mistakes)
        let capacity = mistakes.read(fields["capacity"]) { try $0.integer(1...100_000_000) } ?? 1_000_000
        let skew = mistakes.read(fields["issuerClockSkew"]) { try $0.seconds(0...Self.largestClockSkew) } ?? 2
        memory = .process(capacity: capacity, issuerClockSkew: skew)
    }

    /// Refuses the variables that override fields of a memory in Redis, for a file without such a memory.
    ///
    /// If they were ignored, each verifier of a fleet would grant every token once.
    static func checkVariablesWithoutRedis(_ environment: [String: String], _ mistakes: ConfigurationMistakes) {
        for name in ["TVE_VERIFIER_REDIS_SERVERS", "TVE_VERIFIER_REDIS_PASSWORD"] where environment[name] != nil {
            mistakes.record(ConfigurationError(variable: name, problem: .variableWithoutRedis))
        }
    }

    /// Reads the number of replicas that must confirm a token, which is safe only as a majority of all servers.
    private static func replication(
        _ fields: [String: ConfigurationField]
    ) throws(ConfigurationError) -> RedisReplication {
        let required = try fields["replicas"]?.integer(0...16) ?? 0
        guard let all = fields["replicaCount"] else {
            guard required > 0, let field = fields["replicas"] else { return .primaryAlone }
            throw field.error(.replicaCountMissing)
        }
        let count = try all.integer(0...16)
        guard required > 0 || count > 0 else { return .primaryAlone }
        return try RedisReplication(required: required, of: count).orThrow(
            (fields["replicas"] ?? all).error(
                required > count
                    ? .moreReplicasThanAll(count: count)
                    : .noMajority(least: RedisReplication.smallest(of: count), count: count)))
    }

    private mutating func readRedis(
        _ field: ConfigurationField, _ environment: [String: String]
    ) throws(ConfigurationError) -> RedisUsesConfiguration {
        let fields = try field.fields([
            "servers", "username", "passwordFile", "database", "tls", "timeout", "connections", "prefix", "replicas",
            "replicaCount", "restarts", "issuerClockSkew", "keptAfterEnd",
        ])
        let mistakes = field.mistakes
        let servers = try Self.servers(of: field, field: fields["servers"], environment: environment)
        var redis = RedisUsesConfiguration(servers: servers)
        redis.username = mistakes.read(fields["username"]) { try $0.text() }
        let variable = "TVE_VERIFIER_REDIS_PASSWORD"
        if let text = environment[variable] {
            redis.password = Self.password(in: text)
            if redis.password == nil {
                mistakes.record(
                    ConfigurationError(variable: variable, problem: .noPasswordInVariable(limit: Self.longestPassword)))
            }
        } else if let file = fields["passwordFile"] {
            redisPasswordFile = mistakes.read(file) { try $0.secret() }
            redis.password = redisPasswordFile.flatMap(Self.password(ofFile:))
            if redisPasswordFile != nil, redis.password == nil {
                mistakes.record(file.error(.noPassword(limit: Self.longestPassword)))
            }
        } else if redis.username != nil {
            mistakes.record(field.error(.passwordMissing))
        }
        redis.database = mistakes.read(fields["database"]) { try $0.integer(0...65_535) } ?? redis.database
        redis.timeout = mistakes.read(fields["timeout"]) { try $0.seconds(0.01...30) } ?? redis.timeout
        redis.connections = mistakes.read(fields["connections"]) { try $0.integer(1...64) } ?? redis.connections
        let replication = mistakes.reading { () throws(ConfigurationError) in try Self.replication(fields) }
        if let replication { redis.replication = replication }
        if let restarts = mistakes.read(fields["restarts"], { try $0.choice(RedisUsesConfiguration.Restarts.self) }) {
            redis.restarts = restarts
        }
        redis.issuerClockSkew =
            mistakes.read(fields["issuerClockSkew"]) { try $0.seconds(0...Self.largestClockSkew) }
            ?? redis.issuerClockSkew
        redis.keptAfterEnd = mistakes.read(fields["keptAfterEnd"]) { try $0.seconds(0...86_400) } ?? redis.keptAfterEnd
        redis.prefix = mistakes.read(fields["prefix"], Self.prefix) ?? redis.prefix
        redis.tls = mistakes.read(fields["tls"], Self.redisTLS)
        return redis
    }

    private static func servers(
        of memory: ConfigurationField, field: ConfigurationField?, environment: [String: String]
    ) throws(ConfigurationError) -> [RedisAddress] {
        var servers: [RedisAddress] = []
        let elements = memory.mistakes.read(field) { try $0.elements() } ?? []
        for server in elements {
            let address = memory.mistakes.read(server) { server in
                try RedisAddress(server.text()).orThrow(server.error(.notARedisAddress))
            }
            if let address { servers.append(address) }
        }
        if let text = environment["TVE_VERIFIER_REDIS_SERVERS"] {
            // People often write a space after a comma, and programs a comma or a line break at the end.
            var parts = text.split(separator: ",", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            if parts.last?.isEmpty == true { parts.removeLast() }
            servers = parts.compactMap { RedisAddress($0) }
            guard !servers.isEmpty, servers.count == parts.count else {
                throw ConfigurationError(variable: "TVE_VERIFIER_REDIS_SERVERS", problem: .notRedisAddresses)
            }
        } else if elements.isEmpty {
            throw memory.error(.serversMissing)
        }
        return servers
    }

    /// Returns the password in a file, or `nil` if the file cannot be read or contains none of a usable length.
    static func password(ofFile path: String) -> String? {
        // The text around the password may be as long as a password.
        guard case .bytes(let bytes) = FileContent(path: path, limit: 2 * longestPassword) else { return nil }
        return String(validating: bytes, as: UTF8.self).flatMap(password(in:))
    }

    /// The maximum length of a password, in bytes.
    static let longestPassword = 4_096

    /// Returns the password in a text, without the line break that many tools append, or `nil` if there is none of a
    /// usable length.
    private static func password(in text: String) -> String? {
        let password = text.trimmingCharacters(in: .newlines.union(["\u{FEFF}"]))
        return password.isEmpty || password.utf8.count > longestPassword ? nil : password
    }

    /// The largest allowed `issuerClockSkew`, in seconds.
    ///
    /// No play starts for that time after a restart.
    private static let largestClockSkew = 300.0

    private static func prefix(_ field: ConfigurationField) throws(ConfigurationError) -> String {
        let prefix = try field.text()
        let limit = 64
        // In a cluster, braces would put all keys into one slot.
        let braces = "{}".utf8
        guard prefix.utf8.count <= limit,
            prefix.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !braces.contains($0) })
        else { throw field.error(.unusablePrefix(limit: limit)) }
        return prefix
    }

    private static func redisTLS(_ field: ConfigurationField) throws(ConfigurationError) -> RedisTLS {
        let fields = try field.fields(["authority", "certificate", "key", "serverName"])
        let mistakes = field.mistakes
        let authority = mistakes.read(fields["authority"]) { try $0.anchor() }
        let certificate = mistakes.read(fields["certificate"]) { file throws(ConfigurationError) in
            fields["key"] == nil ? try file.anchorOrSecret() : try file.anchor()
        }
        let key = mistakes.read(fields["key"]) { try $0.privateKeyFile() }
        checkAuthority(authority, fields["authority"])
        // Without the field `key`, the key is in the file of the certificate.
        let hasKey = fields["key"] == nil ? certificate.flatMap(TLSFiles.hasPrivateKey(inFile:)) : nil
        if hasKey == false, let certificate, let place = fields["certificate"] {
            mistakes.record(place.error(.tls(.noKey(path: certificate))))
        } else if fields["key"] != nil, fields["certificate"] == nil {
            mistakes.record(field.error(.certificateOrKeyMissing))
        }
        checkPair(certificate: certificate, key: hasKey == true ? certificate : key, in: fields)
        return RedisTLS(
            authorityFile: authority, certificateFile: certificate, keyFile: key,
            serverName: mistakes.read(fields["serverName"]) { try $0.text() })
    }
}
