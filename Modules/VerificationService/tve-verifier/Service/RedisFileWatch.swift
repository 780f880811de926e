import Logging
import Metrics
import NIOConcurrencyHelpers
import TVEModels
import TVERedisUses
import TVEVerification

/// Judges the files of the encrypted connection to Redis again and again, because each new connection reads them.
struct RedisFileWatch: Sendable {
    private let tls: RedisTLS
    private let logger: Logger
    private let count: Meter
    private let known = NIOLockedValueBox([FileTrust.Problem]())

    init(_ tls: RedisTLS, logger: Logger, metrics: any MetricsFactory) {
        self.tls = tls
        self.logger = logger
        count = Meter(label: "tve_memory_file_problems", factory: metrics)
    }

    /// Whether only root and the user of the service can change the files now; logs each new problem and counts all.
    func look() -> Bool {
        let certificates = [tls.authorityFile, tls.certificateFile].compactMap { $0 }
        let problems =
            certificates.compactMap { FileTrust.problem(of: $0, as: .anchor) }
            + [tls.keyFile].compactMap { $0 }.compactMap { FileTrust.problem(of: $0, as: .secret) }
        known.withLockedValue { known in
            for problem in problems where !known.contains(problem) {
                logger.error("New connections to Redis use what was read before: \(problem).")
            }
            known = problems
        }
        count.set(problems.count)
        return problems.isEmpty
    }

    /// One sentence, if there is a problem now.
    var warnings: [String] {
        look() ? [] : ["The files for the connection to Redis have problems; the log says which."]
    }
}
