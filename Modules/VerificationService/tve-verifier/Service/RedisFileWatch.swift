import Logging
import Metrics
import NIOConcurrencyHelpers
import TVEModels
import TVERedisUses
import TVEVerification

/// A check of the files for the encrypted connection to Redis, which each new connection reads.
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

    /// Checks the files, logs each new problem and updates the metric.
    ///
    /// - Returns: `true` if only root and the user of the service can change the files.
    func look() -> Bool {
        // Without a file of its own, the key is in the file of the certificate.
        let files: [(path: String?, purpose: FileTrust.Purpose)] = [
            (tls.authorityFile, .anchor), (tls.certificateFile, tls.keyFile == nil ? .secret : .anchor),
            (tls.keyFile, .secret),
        ]
        let problems = files.compactMap { file in file.path.flatMap { FileTrust.problem(of: $0, as: file.purpose) } }
        known.withLockedValue { known in
            for problem in problems where !known.contains(problem) {
                logger.error("New connections to Redis use what was read before: \(problem)")
            }
            known = problems
        }
        count.set(problems.count)
        return problems.isEmpty
    }

    /// A warning if the files have a problem now; otherwise empty.
    var warnings: [String] {
        look() ? [] : ["The files for the connection to Redis have problems; the log says which."]
    }
}
