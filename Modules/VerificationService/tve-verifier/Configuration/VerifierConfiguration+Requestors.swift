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
        for element in try field.elements() {
            let fields = try element.fields(["id", "keys", "keyDirectory", "clockTolerance", "allows1024Bits"])
            guard let id = fields["id"] else { throw element.error("id is missing") }
            var requestor = RequestorSettings(id: RequestorID(try id.text()))
            guard ids.insert(requestor.id).inserted else { throw id.error("occurs twice") }
            requestor.allows1024Bits = try fields["allows1024Bits"]?.bool() ?? false
            requestor.clockTolerance =
                try fields["clockTolerance"]?.seconds(0...MediaTokenVerifier.largestClockTolerance) ?? 0
            var files: [String: String] = [:]
            for file in try fields["keys"]?.elements() ?? [] {
                let path = try file.anchor()
                guard let key = KeyDirectory.key(file: path, allows1024Bits: requestor.allows1024Bits) else {
                    throw file.error("is not an RSA key or certificate that may be used")
                }
                let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
                if let other = files.updateValue(path, forKey: name) {
                    throw file.error("\(other) and \(path) have the same name, \(name)")
                }
                requestor.keys.append(MediaTokenKey(name: name, key: key))
            }
            if let directory = fields["keyDirectory"] {
                let path = try directory.anchor()
                var isDirectory: ObjCBool = false
                // Foundation writes the answer.
                guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
                    isDirectory.boolValue
                else {
                    throw directory.error("is not a directory")
                }
                requestor.keyDirectory = path
                // The service starts without the files that it cannot use.
                requestor.directoryProblems = KeyDirectory(
                    path: path, fixed: requestor.keys, keys: MediaTokenKeySet(),
                    allows1024Bits: requestor.allows1024Bits, requestor: requestor.id,
                    logger: Logger(label: "", factory: { _ in SwiftLogNoOpLogHandler() }),
                    metrics: NOOPMetricsHandler.instance
                ).load().map { directory.error($0.description) }
            }
            guard !requestor.keys.isEmpty || requestor.keyDirectory != nil else {
                throw element.error("keys or keyDirectory is needed")
            }
            requestors.append(requestor)
        }
        guard !requestors.isEmpty else { throw field.error("must have at least one requestor") }
        return requestors
    }

    static func memory(
        _ field: ConfigurationField, _ environment: [String: String]
    ) throws(ConfigurationError) -> (MemorySettings, MemoryFailurePolicy) {
        let fields = try field.fields(["capacity", "issuerClockSkew", "redis", "whenAway"])
        let failurePolicy = try fields["whenAway"]?.word(MemoryFailurePolicy.self) ?? .failClosed
        if let redis = fields["redis"] {
            for name in ["capacity", "issuerClockSkew"] where fields[name] != nil {
                throw field.error("\(name) is for a memory without redis")
            }
            return (.redis(try Self.redis(redis, environment)), failurePolicy)
        }
        let capacity = try fields["capacity"]?.integer(1...100_000_000) ?? 1_000_000
        let skew = try fields["issuerClockSkew"]?.seconds(0...3_600) ?? 2
        return (.process(capacity: capacity, issuerClockSkew: skew), failurePolicy)
    }

    /// Reads how many replicas must confirm a token, which is safe only as a majority of all servers.
    private static func replication(
        _ fields: [String: ConfigurationField]
    ) throws(ConfigurationError) -> RedisReplication {
        let required = try fields["replicas"]?.integer(0...16) ?? 0
        guard let count = try fields["replicaCount"]?.integer(0...16) else {
            guard required > 0, let field = fields["replicas"] else { return .primaryAlone }
            throw field.error(
                "needs replicaCount beside it, the number of all replicas of a primary: a token is safe when a "
                    + "majority of all servers has it")
        }
        guard let field = fields["replicas"], required > 0 else { return .primaryAlone }
        return try RedisReplication(required: required, of: count).orThrow(
            field.error(
                required > count
                    ? "must not be larger than replicaCount, \(count)"
                    : "must be at least \(RedisReplication.smallest(of: count)) of replicaCount, \(count): with fewer, "
                        + "both sides of a network that is cut could grant the same token"))
    }

    private static func redis(
        _ field: ConfigurationField, _ environment: [String: String]
    ) throws(ConfigurationError) -> RedisUsesConfiguration {
        let fields = try field.fields([
            "servers", "username", "passwordFile", "database", "tls", "timeout", "connections", "prefix", "replicas",
            "replicaCount", "restarts", "issuerClockSkew", "keptAfterEnd",
        ])
        var servers: [RedisAddress] = []
        for server in try fields["servers"]?.elements() ?? [] {
            servers.append(
                try RedisAddress(server.text()).orThrow(server.error("must be host:port, [IPv6]:port or unix:/path")))
        }
        if let text = environment["TVE_VERIFIER_REDIS_SERVERS"] {
            servers = text.split(separator: ",").compactMap { RedisAddress(String($0)) }
            guard !servers.isEmpty, servers.count == text.split(separator: ",").count else {
                throw ConfigurationError(
                    file: "TVE_VERIFIER_REDIS_SERVERS", line: nil, field: "",
                    problem: "must be addresses, separated by commas")
            }
        }
        guard !servers.isEmpty else { throw field.error("servers is missing or empty") }
        var redis = RedisUsesConfiguration(servers: servers)
        redis.username = try fields["username"]?.text()
        redis.password = environment["TVE_VERIFIER_REDIS_PASSWORD"]
        if redis.password == nil, let file = fields["passwordFile"] {
            let path = try file.secret()
            let text = try? String(contentsOfFile: path, encoding: .utf8)
            let password = text?.trimmingCharacters(in: .newlines) ?? ""
            guard !password.isEmpty, password.utf8.count <= 4_096 else {
                throw file.error("does not contain a password")
            }
            redis.password = password
        }
        guard redis.username == nil || redis.password != nil else {
            throw field.error("username needs passwordFile or TVE_VERIFIER_REDIS_PASSWORD")
        }
        if let field = fields["database"] { redis.database = try field.integer(0...65_535) }
        if let field = fields["timeout"] { redis.timeout = try field.seconds(0.01...30) }
        if let field = fields["connections"] { redis.connections = try field.integer(1...64) }
        redis.replication = try Self.replication(fields)
        if let field = fields["restarts"] { redis.restarts = try field.word(RedisUsesConfiguration.Restarts.self) }
        if let field = fields["issuerClockSkew"] { redis.issuerClockSkew = try field.seconds(0...3_600) }
        if let field = fields["keptAfterEnd"] { redis.keptAfterEnd = try field.seconds(0...86_400) }
        if let field = fields["prefix"] {
            let prefix = try field.text()
            guard prefix.utf8.count <= 64, prefix.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw field.error("must be at most 64 visible ASCII characters")
            }
            redis.prefix = prefix
        }
        if let field = fields["tls"] {
            let fields = try field.fields(["authority", "certificate", "key", "serverName"])
            redis.tls = RedisTLS(
                authorityFile: try fields["authority"]?.anchor(),
                certificateFile: try fields["certificate"]?.anchor(), keyFile: try fields["key"]?.secret(),
                serverName: try fields["serverName"]?.text())
        }
        return redis
    }
}
