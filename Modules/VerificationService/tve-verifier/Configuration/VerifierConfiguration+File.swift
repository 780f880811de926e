import Foundation
import Logging
import TVEModels
import TVERedisUses
import TVETokenVerification
import TVEVerification

extension VerifierConfiguration {
    /// Reads a configuration file, and overrides from the environment.
    ///
    /// - Parameters:
    ///   - path: a file in YAML or JSON.
    ///   - environment: `TVE_VERIFIER_LISTEN`, `TVE_VERIFIER_LOG_LEVEL`, `TVE_VERIFIER_REDIS_SERVERS` and
    ///     `TVE_VERIFIER_REDIS_PASSWORD` override the file.
    /// - Throws: `ConfigurationError` with file, line and field.
    init(file path: String, environment: [String: String]) throws(ConfigurationError) {
        let root = try ConfigurationField(file: path)
        let fields = try root.fields([
            "listen", "requestors", "callers", "tls", "memory", "limits", "drain", "logLevel", "allowPlaintext",
        ])
        self.init()
        if let field = fields["listen"] {
            listen = try Self.address(field.text()).orThrow(field.error(Self.addressRule))
        }
        guard let requestors = fields["requestors"] else { throw root.error("requestors is missing") }
        self.requestors = try Self.requestors(requestors)
        if let field = fields["tls"] { tls = try Self.tls(field) }
        if let field = fields["callers"] { callers = try Self.callers(field, self.requestors.map(\.id)) }
        if let field = fields["memory"] { (memory, memoryFailurePolicy) = try Self.memory(field, environment) }
        if let field = fields["limits"] { try readLimits(field) }
        if let field = fields["drain"] {
            let drain = try field.fields(["delay", "limit"])
            if let delay = drain["delay"] { drainDelay = try delay.seconds(0...300) }
            if let limit = drain["limit"] { drainLimit = try limit.seconds(1...600) }
        }
        if let field = fields["logLevel"] { logLevel = try field.word(Logger.Level.self) }
        try readEnvironment(environment)
        try checkExposure(root, fields)
    }

    private static let addressRule = "must be host:port, with a port from 0 to 65535"

    private mutating func readEnvironment(_ environment: [String: String]) throws(ConfigurationError) {
        func error(_ name: String, _ problem: String) -> ConfigurationError {
            ConfigurationError(file: name, line: nil, field: "", problem: problem)
        }
        if let text = environment["TVE_VERIFIER_LISTEN"] {
            listen = try Self.address(text).orThrow(error("TVE_VERIFIER_LISTEN", Self.addressRule))
        }
        if let text = environment["TVE_VERIFIER_LOG_LEVEL"] {
            logLevel = try Logger.Level(rawValue: text).orThrow(
                error(
                    "TVE_VERIFIER_LOG_LEVEL",
                    "must be one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))"))
        }
    }

    /// Refuses a configuration that serves unknown callers, or sends keys over a network without encryption.
    private func checkExposure(
        _ root: ConfigurationField, _ fields: [String: ConfigurationField]
    ) throws(ConfigurationError) {
        guard let callers else {
            throw root.error("callers is missing; give one of bearerKeys, certificates, anyone")
        }
        let place = fields["callers"] ?? root
        switch callers {
        case .anyone:
            guard listen.isLoopback else { throw place.error("anyone is allowed only if listen is a loopback address") }
        case .certificates:
            guard tls?.clientAuthority != nil else { throw place.error("certificates requires tls.clientAuthority") }
        case .bearerKeys:
            let allows = try fields["allowPlaintext"]?.bool() ?? false
            guard tls != nil || listen.isLoopback || allows else {
                throw place.error("bearer keys would cross the network unencrypted; tls or allowPlaintext is needed")
            }
        }
    }

    /// Parses `host:port` or `[IPv6]:port`; nil for anything else.
    static func address(_ text: String) -> ListenAddress? {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            return nil
        }
        return host.isEmpty ? nil : ListenAddress(host: host, port: port)
    }

    private mutating func readLimits(_ field: ConfigurationField) throws(ConfigurationError) {
        let fields = try field.fields([
            "bodyBytes", "batchBytes", "batchTokens", "bodySeconds", "connections", "idleSeconds",
        ])
        if let field = fields["bodyBytes"] { limits.bodyBytes = try field.integer(1_024...(16 << 20)) }
        if let field = fields["batchBytes"] { limits.batchBytes = try field.integer(1_024...(64 << 20)) }
        if let field = fields["batchTokens"] { limits.batchTokens = try field.integer(1...1_000) }
        if let field = fields["bodySeconds"] { limits.bodySeconds = try field.integer(1...600) }
        if let field = fields["connections"] { connections = try field.integer(1...1_000_000) }
        if let field = fields["idleSeconds"] { idleSeconds = try field.integer(1...3_600) }
    }

    private static func tls(_ field: ConfigurationField) throws(ConfigurationError) -> TLSSettings {
        let fields = try field.fields(["certificate", "key", "clientAuthority"])
        guard let certificate = fields["certificate"], let key = fields["key"] else {
            throw field.error("certificate and key are needed")
        }
        return TLSSettings(
            certificate: try certificate.anchor(), key: try key.secret(),
            clientAuthority: try fields["clientAuthority"]?.anchor())
    }

    private static func callers(
        _ field: ConfigurationField, _ requestors: [RequestorID]
    ) throws(ConfigurationError) -> CallerSettings {
        let fields = try field.fields(["bearerKeys", "certificates", "anyone"])
        guard fields.count == 1 else { throw field.error("one of bearerKeys, certificates, anyone is needed") }
        if let keys = fields["bearerKeys"] {
            let file = try keys.secret()
            do throws(CallerKeyFile.Problem) {
                try CallerKeyFile.check(path: file, requestors)
            } catch {
                throw keys.error(error.description)
            }
            return .bearerKeys(file: file)
        }
        for (name, field) in fields {
            guard try field.bool() else { throw field.error("must be true or be left out") }
            if name == "certificates" { return .certificates }
        }
        return .anyone
    }
}

extension Optional where Wrapped: Sendable {
    /// The value, or the error that it is missing.
    func orThrow(_ error: @autoclosure () -> ConfigurationError) throws(ConfigurationError) -> Wrapped {
        guard let self else { throw error() }
        return self
    }
}

extension ConfigurationField {
    /// The path of a file or folder that can be read, and that nobody but root and this user can change.
    func anchor() throws(ConfigurationError) -> String { try path(trustedAs: .anchor) }

    /// The path of such a file with a secret, which not everybody on this machine can read.
    func secret() throws(ConfigurationError) -> String { try path(trustedAs: .secret) }

    private func path(trustedAs purpose: FileTrust.Purpose) throws(ConfigurationError) -> String {
        let path = try path()
        guard FileManager.default.isReadableFile(atPath: path) else { throw error("\(path) cannot be read") }
        if let problem = FileTrust.problem(of: path, as: purpose) { throw error(problem.description) }
        return path
    }
}
