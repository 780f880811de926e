import Foundation
import Logging
import TVEModels
import TVERedisUses
import TVETokenVerification
import TVEVerification

extension VerifierConfiguration {
    /// Reads a configuration file, and the environment variables that override it.
    ///
    /// - Parameters:
    ///   - path: the path of a file in YAML or JSON.
    ///   - environment: the environment, in which `TVE_VERIFIER_LISTEN`, `TVE_VERIFIER_LOG_LEVEL`,
    ///     `TVE_VERIFIER_REDIS_SERVERS` and `TVE_VERIFIER_REDIS_PASSWORD` override the file.
    ///   - now: the time at which certificates have to be valid.
    /// - Throws: all mistakes, each with its file, line and field.
    init(file path: String, environment: [String: String], now: Date = Date()) throws(ConfigurationErrors) {
        self.init()
        let root: ConfigurationField
        let fields: [String: ConfigurationField]
        do throws(ConfigurationError) {
            root = try ConfigurationField(file: path, now: now)
            fields = try root.fields([
                "listen", "requestors", "callers", "tls", "memory", "limits", "drain", "logLevel", "allowPlaintext",
            ])
        } catch {
            throw ConfigurationErrors(all: [error])
        }
        let mistakes = root.mistakes
        if let address = mistakes.read(fields["listen"], Self.listenAddress) { listen = address }
        if let field = fields["requestors"] {
            requestors = mistakes.read(field, Self.requestors) ?? []
        } else {
            mistakes.record(root.error(.requestorsMissing))
        }
        tls = mistakes.read(fields["tls"], Self.tls) ?? nil
        let ids = requestors.map(\.id)
        // The lines of the callers' file can be checked only if the requestors are known.
        let areKnown = !ids.isEmpty
        callers = mistakes.read(fields["callers"]) { field in
            try Self.callers(field, areKnown ? ids : nil)
        }
        if let field = fields["memory"] {
            mistakes.reading { () throws(ConfigurationError) in try readMemory(field, environment) }
        } else {
            Self.checkVariablesWithoutRedis(environment, mistakes)
        }
        if let field = fields["limits"] { mistakes.reading { () throws(ConfigurationError) in try readLimits(field) } }
        if let field = fields["drain"],
            let drain = mistakes.reading({ () throws(ConfigurationError) in
                try field.fields(["delay", "limit"])
            })
        {
            let count = mistakes.all.count
            drainDelay = mistakes.read(drain["delay"]) { try $0.seconds(0...300) } ?? drainDelay
            drainLimit = mistakes.read(drain["limit"]) { try $0.seconds(1...600) } ?? drainLimit
            // After a mistake in one of the fields, its default value would be compared instead.
            if mistakes.all.count == count, drainDelay >= drainLimit {
                mistakes.record((drain["delay"] ?? drain["limit"] ?? field).error(.delayBeyondLimit))
            }
        }
        let allowsPlaintext = mistakes.read(fields["allowPlaintext"]) { try $0.bool() } ?? false
        logLevel = mistakes.read(fields["logLevel"]) { try $0.choice(Logger.Level.self) } ?? logLevel
        readEnvironment(environment, mistakes)
        // The exposure can be determined only from fields without mistakes.
        if mistakes.all.isEmpty || fields["callers"] == nil {
            mistakes.reading { () throws(ConfigurationError) in
                try checkExposure(root, fields, allowsPlaintext: allowsPlaintext)
            }
        }
        guard mistakes.all.isEmpty else { throw ConfigurationErrors(all: mistakes.all) }
        notes = mistakes.notes
    }

    private static func listenAddress(_ field: ConfigurationField) throws(ConfigurationError) -> ListenAddress {
        try address(field.text()).orThrow(field.error(.notAListenAddress))
    }

    /// Returns the value of a variable without the white space around it, which a file of variables may add.
    static func variable(_ name: String, in environment: [String: String]) -> String? {
        environment[name]?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private mutating func readEnvironment(_ environment: [String: String], _ mistakes: ConfigurationMistakes) {
        if let text = Self.variable("TVE_VERIFIER_LISTEN", in: environment) {
            if let address = Self.address(text) {
                listen = address
            } else {
                mistakes.record(ConfigurationError(variable: "TVE_VERIFIER_LISTEN", problem: .notAListenAddress))
            }
        }
        if let text = Self.variable("TVE_VERIFIER_LOG_LEVEL", in: environment) {
            if let level = Logger.Level(rawValue: text) {
                logLevel = level
            } else {
                mistakes.record(
                    ConfigurationError(
                        variable: "TVE_VERIFIER_LOG_LEVEL",
                        problem: .notAWord(known: Logger.Level.allCases.map(\.rawValue))))
            }
        }
    }

    /// Refuses a configuration that serves unknown callers, or that receives keys over a network without encryption.
    private func checkExposure(
        _ root: ConfigurationField, _ fields: [String: ConfigurationField], allowsPlaintext: Bool
    ) throws(ConfigurationError) {
        guard let callers else { throw root.error(.callersMissing) }
        let place = fields["callers"] ?? root
        switch callers {
        case .anyone:
            guard listen.isLoopback else { throw place.error(.anyoneBeyondLoopback) }
        case .certificates:
            guard tls?.clientAuthority != nil else { throw place.error(.clientAuthorityMissing) }
        case .bearerKeys:
            guard tls != nil || listen.isLoopback || allowsPlaintext else { throw place.error(.keysInPlaintext) }
            return
        }
        // Whoever writes this expects callers that the service does not admit.
        if allowsPlaintext, let field = fields["allowPlaintext"] { throw field.error(.plaintextWithoutKeys) }
    }

    /// Returns the address in a text of the form `host:port` or `[IPv6]:port`, or `nil` for any other text.
    static func address(_ text: String) -> ListenAddress? {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        // A sign is not part of a port.
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits),
            (0...65_535).contains(port)
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            return nil
        }
        // No name or number of a host has another character, such as the asterisk that other servers take for all
        // addresses. Only a name that does not exist is found at the start, because another machine may check the file.
        let isHost = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: ":"), UInt8(ascii: "%"):
                true
            default: false
            }
        }
        return host.isEmpty || !isHost ? nil : ListenAddress(host: host, port: port)
    }

    private mutating func readLimits(_ field: ConfigurationField) throws(ConfigurationError) {
        let fields = try field.fields([
            "bodyBytes", "batchBytes", "batchTokens", "bodySeconds", "connections", "idleSeconds",
        ])
        func read(_ name: String, in range: ClosedRange<Int>, into number: inout Int) {
            number = field.mistakes.read(fields[name]) { try $0.integer(range) } ?? number
        }
        read("bodyBytes", in: 1_024...(16 << 20), into: &limits.bodyBytes)
        read("batchBytes", in: 1_024...(64 << 20), into: &limits.batchBytes)
        read("batchTokens", in: 1...1_000, into: &limits.batchTokens)
        read("bodySeconds", in: 1...600, into: &limits.bodySeconds)
        read("connections", in: 1...1_000_000, into: &connections)
        read("idleSeconds", in: 1...3_600, into: &idleSeconds)
    }

    private static func tls(_ field: ConfigurationField) throws(ConfigurationError) -> TLSSettings? {
        let fields = try field.fields(["certificate", "key", "clientAuthority"])
        guard fields["certificate"] != nil, fields["key"] != nil else {
            throw field.error(.certificateOrKeyMissing)
        }
        let mistakes = field.mistakes
        let certificate = mistakes.read(fields["certificate"]) { try $0.anchor() }
        let key = mistakes.read(fields["key"]) { try $0.privateKeyFile() }
        let authority = mistakes.read(fields["clientAuthority"]) { try $0.anchor() }
        checkPair(certificate: certificate, key: key, in: fields)
        checkAuthority(authority, fields["clientAuthority"])
        guard let certificate, let key else { return nil }
        return TLSSettings(certificate: certificate, key: key, clientAuthority: authority)
    }

    /// Checks a certificate and its key, and records the mistakes.
    ///
    /// - Parameters:
    ///   - certificate: the path of the certificate; `nil` if it cannot be read, which is already recorded.
    ///   - key: the path of the private key; `nil` if it cannot be read, which is already recorded.
    ///   - fields: the fields of the map that contains `certificate` and perhaps `key`.
    static func checkPair(certificate: String?, key: String?, in fields: [String: ConfigurationField]) {
        guard let place = fields["certificate"] else { return }
        let mistakes = place.mistakes
        let chain = certificate.flatMap { path in
            mistakes.read(place) { field in try TLSFiles.certificates(field, path) }
        }
        let found = key.flatMap { path in
            mistakes.read(fields["key"] ?? place) { field in
                try TLSFiles.privateKey(field, path)
            }
        }
        guard let certificate, let chain, let found else { return }
        mistakes.read(fields["key"] ?? place) { field in
            try TLSFiles.checkPair(chain, of: place, inFile: certificate, and: found, of: field)
        }
    }

    /// Checks a file of certificate authorities, if it can be read, and records the mistakes.
    static func checkAuthority(_ path: String?, _ field: ConfigurationField?) {
        guard let path, let field else { return }
        field.mistakes.read(field) { field in _ = try TLSFiles.certificates(field, path, areAuthorities: true) }
    }

    private static func callers(
        _ field: ConfigurationField, _ requestors: [RequestorID]?
    ) throws(ConfigurationError) -> CallerSettings {
        let fields = try field.fields(["bearerKeys", "certificates", "anyone"])
        guard fields.count == 1 else { throw field.error(.notOneKindOfCallers) }
        if let keys = fields["bearerKeys"] {
            let file = try keys.secret()
            for problem in requestors.map({ CallerKeyFile.problems(path: file, $0) }) ?? [] {
                field.mistakes.record(keys.error(.callers(problem)))
            }
            return .bearerKeys(file: file)
        }
        for (name, field) in fields {
            guard try field.bool() else { throw field.error(.callersOff) }
            if name == "certificates" { return .certificates }
        }
        return .anyone
    }
}

extension Optional where Wrapped: Sendable {
    /// Returns the value, or throws an error if there is none.
    func orThrow(_ error: @autoclosure () -> ConfigurationError) throws(ConfigurationError) -> Wrapped {
        guard let self else { throw error() }
        return self
    }
}

extension ConfigurationField {
    /// Returns the path of a file or folder that can be read, and that only root and this user can change.
    func anchor() throws(ConfigurationError) -> String { try path(trustedAs: .anchor) }

    /// Returns the path of a file with a secret, which in addition not everybody on this machine can read.
    func secret() throws(ConfigurationError) -> String { try path(trustedAs: .secret) }

    /// Returns the path of a file that may contain a secret, about which whoever reads the file decides.
    func anchorOrSecret() throws(ConfigurationError) -> String { try path(trustedAs: .anchor, namesSecret: true) }

    /// Returns the path of a file with a private key, which is a secret.
    ///
    /// A file with certificates alone is accepted here, because whoever reads the key reports that there is none.
    func privateKeyFile() throws(ConfigurationError) -> String {
        let path = try anchorOrSecret()
        if let problem = FileTrust.problem(of: path, as: .secret), !TLSFiles.hasOnlyCertificates(inFile: path) {
            throw error(.untrusted(problem))
        }
        return path
    }

    private func path(
        trustedAs purpose: FileTrust.Purpose, namesSecret: Bool = false
    ) throws(ConfigurationError) -> String {
        let path = try path()
        guard FileManager.default.isReadableFile(atPath: path) else {
            // What names no file may be a password or a key, which must not be printed. Keys are also written in place
            // of certificates, and YAML folds their lines.
            let text = try text()
            let mayBeSecret =
                purpose == .secret || namesSecret || text.utf8.count > 255
                || ["\n", "-----BEGIN", "LS0tLS1CRUdJTi"].contains { text.utf8.contains($0.utf8) }
            let isThere = FileManager.default.fileExists(atPath: path)
            throw error(mayBeSecret && !isThere ? .noFile : .unreadableFile(path: path))
        }
        if let problem = FileTrust.problem(of: path, as: purpose) { throw error(.untrusted(problem)) }
        return path
    }
}
