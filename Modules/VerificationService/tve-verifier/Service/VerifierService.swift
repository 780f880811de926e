import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import Metrics
import NIOCore
import NIOSSL
import ServiceLifecycle
import TVERedisUses
import TVETokenVerification
import TVEVerification
import UnixSignals

/// The verification service of one configuration.
struct VerifierService {
    private let configuration: VerifierConfiguration
    private let logger: Logger
    private let registry = PrometheusRegistry()

    init(_ configuration: VerifierConfiguration, output: StandardError) {
        self.configuration = configuration
        var logger = Logger(label: "tve-verifier") { JSONLinesLog(label: $0, output: output) }
        logger.logLevel = configuration.logLevel
        self.logger = logger
    }

    /// Serves requests until SIGTERM or SIGINT, then answers the accepted ones and returns.
    ///
    /// SIGHUP is ignored.
    ///
    /// - Throws: an error about the port, a certificate or missing file descriptors, or
    ///   `RedisUsesError.restartsUnseen`.
    func run() async throws {
        if let limit = Self.raiseDescriptorLimit(), limit < configuration.connections + Self.otherDescriptors {
            logger.warning("\(Self.fewDescriptors)", metadata: ["files": "\(limit)"])
        }
        for note in configuration.notes { logger.warning("\(note)") }
        // A write to a closed client or log reader must fail without ending the process.
        signal(SIGPIPE, SIG_IGN)
        // The signal is ignored until `HangupService` handles it.
        signal(SIGHUP, SIG_IGN)
        Meter(
            label: "tve_verifier_build_info", dimensions: [("version", VerifierCommand.version)], factory: registry
        ).set(1)
        var services: [any Service] = [HangupService(logger: logger)]
        var obstacles: [@Sendable () -> [String]] = []
        var warnings: [@Sendable () -> [String]] = []
        var page: @Sendable () -> String = { [registry] in registry.page }
        let uses: any MediaTokenUses
        var shared: RedisMediaTokenUses?
        let issuerClockSkew: Double
        switch configuration.memory {
        case .process(let capacity, let skew):
            issuerClockSkew = skew
            uses = MemoryMediaTokenUses(capacity: capacity, issuerClockSkew: skew)
            logger.info("Used tokens are stored in this process only. Several verifiers need memory.redis.")
        case .redis(var settings):
            issuerClockSkew = settings.issuerClockSkew
            let servers = settings.servers.map(\.description).joined(separator: ", ")
            logger.info("Used tokens are stored in Redis.", metadata: ["servers": "\(servers)"])
            let passwordFile = configuration.redisPasswordFile
            let files =
                settings.tls == nil && passwordFile == nil
                ? nil : RedisFileWatch(settings, passwordFile: passwordFile, logger: logger, metrics: registry)
            if let files {
                settings.tlsFiles = RedisTLSFiles { _ in files.look() }
                settings.presentPassword = { files.password() }
                warnings.append { files.warnings }
            }
            let connected = Meter(label: "tve_memory_connected", factory: registry)
            connected.set(0)
            let (startObstacles, start) = AsyncStream.makeStream(of: RedisUsesError.self)
            let redis = try RedisMediaTokenUses(settings) { [logger] change in
                switch change {
                case .connected:
                    start.finish()
                    connected.set(1)
                    logger.info("Redis is connected.")
                case .lost(let error):
                    connected.set(0)
                    logger.error("Redis is unavailable. \(error)")
                    if case .restartsUnseen = error { start.yield(error) }
                case .primaryConnected(let address):
                    logger.info("A primary of the Redis Cluster is connected.", metadata: ["address": "\(address)"])
                case .primaryLost(let address, let error):
                    logger.error(
                        "A primary of the Redis Cluster is unavailable. \(error)", metadata: ["address": "\(address)"])
                case .moreReplicas(let address, let connected):
                    logger.error(
                        "\(Self.moreReplicas)", metadata: ["address": "\(address)", "replicas": "\(connected)"])
                }
            }
            uses = redis
            shared = redis
            warnings.append { redis.excessReplicas > 0 ? [Self.moreReplicas] : [] }
            let share = Meter(label: "tve_memory_unavailable_share", factory: registry)
            let excess = Meter(label: "tve_memory_excess_replicas", factory: registry)
            page = { [registry, files] in
                _ = files?.look()
                share.set(redis.unavailableShare)
                excess.set(redis.excessReplicas)
                return registry.page
            }
            warnings.append {
                redis.isConnected && redis.unavailableShare > 0
                    ? ["A part of the Redis Cluster is not connected; the log says which."] : []
            }
            services.append(RedisService(uses: redis, obstacles: startObstacles))
            if configuration.memoryFailurePolicy == .failClosed {
                obstacles.append { redis.isConnected ? [] : ["Redis is not connected; the log says why."] }
            } else {
                warnings.append {
                    redis.isConnected
                        ? [] : ["Redis is not connected, so every valid token is granted; the log says why."]
                }
            }
        }
        var policies: [RequestorPolicy] = []
        var missingKeys = MissingKeys()
        for requestor in configuration.requestors {
            let keys = MediaTokenKeySet(requestor.keys)
            let policy = RequestorPolicy(id: requestor.id, keys: keys, clockTolerance: requestor.clockTolerance)
            policies.append(policy)
            guard let path = requestor.keyDirectory else {
                missingKeys.watch(policy, in: nil)
                continue
            }
            let directory = KeyDirectory(
                path: path, fixed: requestor.keys, keys: keys, allows1024Bits: requestor.allows1024Bits,
                requestor: requestor.id, logger: logger, metrics: registry)
            // The directory is read once before the first request. The service reads it again.
            directory.load()
            missingKeys.watch(policy, in: directory)
            warnings.append {
                directory.problems.isEmpty
                    ? [] : ["The key directory of \(requestor.id) has problems; the log says which."]
            }
            services.append(directory)
        }
        obstacles.append { [missingKeys] in missingKeys.obstacles }
        warnings.append { [missingKeys] in missingKeys.warnings }
        let failures = SpendFailureLog(logger: logger)
        let judge = MediaTokenJudge(
            requestors: policies, uses: uses, onMemoryFailure: configuration.memoryFailurePolicy, metrics: registry,
            failureName: { failures.record($0) })
        if shared != nil { judge.expectFailures(RedisUsesError.kinds) }
        let clocks = ClockWatch(judge, redis: shared, issuerClockSkew: issuerClockSkew, metrics: registry)
        warnings.append { clocks.warnings }
        page = { [page] in
            clocks.measure()
            return page()
        }
        let callers: CallerPolicy
        switch configuration.callers {
        case .bearerKeys(let path):
            let file = CallerKeyFile(
                path: path, configured: configuration.requestors.map(\.id), logger: logger, metrics: registry)
            file.load()
            callers = .bearerKeys(file.keys)
            obstacles.append { file.keys.count == 0 ? ["No caller is admitted; the log says why."] : [] }
            warnings.append { file.problems.isEmpty ? [] : ["The callers' file has problems; the log says which."] }
            services.append(file)
        case .certificates, .anyone, nil: callers = .connected
        }
        let readiness = Readiness { [obstacles] in
            obstacles.flatMap { $0() }
        } warnings: { [warnings] in
            warnings.flatMap { $0() }
        }
        services.append(try application(judge: judge, callers: callers, readiness: readiness, metricsPage: page))
        services.append(DrainService(readiness: readiness, delay: configuration.drainDelay, logger: logger))
        var group = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) }, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(configuration.drainLimit)
        try await ServiceGroup(configuration: group).run()
        logger.info("The service has ended.")
    }

    private func application(
        judge: MediaTokenJudge, callers: CallerPolicy, readiness: Readiness,
        metricsPage: @escaping @Sendable () -> String
    ) throws -> some Service {
        let router = Router()
        router.add(middleware: ServiceFrame(readiness: readiness))
        VerificationRoutes(judge: judge, callers: callers, limits: configuration.limits, metrics: registry)
            .add(to: router)
        OperationRoutes(readiness: readiness, callers: callers, metricsPage: metricsPage).add(to: router)
        var memorySeconds = 0.0
        if case .redis(let settings) = configuration.memory { memorySeconds = settings.timeout }
        // The limit covers the body, the memory, the answer, and some time for a busy machine.
        let exchange = TimeAmount.milliseconds(
            Int64((Double(2 * configuration.limits.bodySeconds) + memorySeconds + 5) * 1000))
        let http = HTTP1Channel.Configuration(
            additionalChannelHandlers: [ExchangeDeadline(exchange), ExpectedContinue()],
            idleTimeout: .seconds(Int64(configuration.idleSeconds)),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100))
        var server = HTTPServerBuilder.http1(configuration: http)
        if let tls = configuration.tls { server = try .tls(server, tlsConfiguration: settings(tls)) }
        var quiet = logger
        // At lower levels the server logs every connection that ends.
        quiet.logLevel = max(configuration.logLevel, .notice)
        if configuration.logLevel <= .debug { quiet.logLevel = configuration.logLevel }
        let log = logger
        return Application(
            router: router, server: server,
            configuration: .init(
                address: .hostname(configuration.listen.host, port: configuration.listen.port), backlog: 4_096,
                availableConnectionsDelegate: MaximumAvailableConnections(configuration.connections, logger: quiet)),
            onServerRunning: { channel in
                // The system has chosen the port if the configured one is 0.
                let address = channel.localAddress
                log.info(
                    "The service is listening.",
                    metadata: ["address": .string("\(address?.ipAddress ?? ""):\(address?.port ?? 0)")])
            },
            logger: quiet)
    }

    private func settings(_ tls: VerifierConfiguration.TLSSettings) throws -> TLSConfiguration {
        let chain = try NIOSSLCertificate.fromPEMFile(tls.certificate)
        show(end: chain.map(\.notValidAfter).min(), of: "tls.certificate")
        var settings = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: tls.key, format: .pem)))
        settings.minimumTLSVersion = .tlsv12
        if let authority = tls.clientAuthority {
            settings.trustRoots = .file(authority)
            // The file may have old certificates beside the valid one.
            let ends = try NIOSSLCertificate.fromPEMFile(authority).map(\.notValidAfter)
            show(end: ends.max(), of: "tls.clientAuthority")
            // A caller is identified by the signer of its certificate, and has no host name to compare.
            settings.certificateVerification = .noHostnameVerification
        }
        return settings
    }

    /// Shows the end of certificates as a metric.
    ///
    /// They are read at the start alone, so somebody must restart the service before this time.
    private func show(end: Int?, of field: String) {
        Meter(label: "tve_tls_certificate_end_seconds", dimensions: [("field", field)], factory: registry).set(end ?? 0)
    }

    private static let moreReplicas =
        "A primary has more replicas than memory.redis.replicaCount says, so the replicas that must confirm a token "
        + "may be no majority. Correct replicaCount."

    /// The number of file descriptors that are not those of callers: for Redis, files and the program itself.
    private static let otherDescriptors = 64

    private static let fewDescriptors =
        "The system allows this service fewer open files than limits.connections needs. "
        + "Raise the limit, with ulimit -n or LimitNOFILE of systemd, or lower limits.connections."

    /// Raises the limit of file descriptors, which is usually 1,024, because each connection needs one.
    ///
    /// - Returns: the limit that holds from now on; `nil` if it is unknown.
    private static func raiseDescriptorLimit() -> Int? {
        #if os(Linux)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        // The system fills in the structure, and reads it.
        guard unsafe getrlimit(resource, &limit) == 0 else { return nil }
        let present = Int(clamping: limit.rlim_cur)
        guard limit.rlim_cur < limit.rlim_max else { return present }
        limit.rlim_cur = limit.rlim_max
        return unsafe setrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : present
    }
}
