import Foundation
import Logging
import Metrics
import NIOConcurrencyHelpers
import TVEModels
import TVERedisUses
import TVEVerification

/// A check of the files for the connection to Redis, which each new connection reads.
struct RedisFileWatch: Sendable {
    private let tls: RedisTLS?
    private let passwordFile: String?
    private let logger: Logger
    private let count: Meter
    private let state: NIOLockedValueBox<State>

    private struct State {
        /// The problems that the last look found.
        var known: [String] = []
        var lastPassword: String?
    }

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - redis: the settings that were read at the start.
    ///   - passwordFile: the path of the file with the password; `nil` if there is none.
    ///   - logger: the logger for every new problem.
    ///   - metrics: the factory of the metric of the problems.
    init(
        _ redis: RedisUsesConfiguration, passwordFile: String?, logger: Logger, metrics: any MetricsFactory
    ) {
        tls = redis.tls
        self.passwordFile = passwordFile
        self.logger = logger
        count = Meter(label: "tve_memory_file_problems", factory: metrics)
        state = NIOLockedValueBox(State(lastPassword: redis.password))
    }

    /// Checks the files, logs each new problem and updates the metric.
    ///
    /// - Returns: `true` if only root and the user of the service can change the files, and read those with secrets.
    func look() -> Bool { state.withLockedValue { look(&$0) } }

    /// Does what ``look()`` does, in a turn of its own.
    ///
    /// Connections and requests look at the same time. A look that began before the files changed must not replace what
    /// a later one has found.
    private func look(_ state: inout State) -> Bool {
        // Without a file of its own, the key is in the file of the certificate.
        let files: [(path: String?, purpose: FileTrust.Purpose)] = [
            (tls?.authorityFile, .anchor), (tls?.certificateFile, tls?.keyFile == nil ? .secret : .anchor),
            (tls?.keyFile, .secret), (passwordFile, .secret),
        ]
        var problems = files.compactMap { file in
            file.path.flatMap { TLSFiles.trustProblem(of: $0, as: file.purpose) }.map(\.description)
        }
        let areTrusted = problems.isEmpty
        // The file is not read while others can change it.
        if areTrusted, let passwordFile, let problem = Self.problem(ofPasswordIn: passwordFile) {
            problems.append(problem)
        }
        for problem in problems where !state.known.contains(problem) {
            logger.error("New connections to Redis still use the earlier contents of the files. \(problem)")
        }
        if problems.isEmpty, !state.known.isEmpty {
            logger.info("The files for the connection to Redis have no problem any more.")
        }
        state.known = problems
        count.set(problems.count)
        return areTrusted
    }

    /// Returns a sentence about a file that contains no password, and one about what to do; `nil` if it contains one.
    private static func problem(ofPasswordIn path: String) -> String? {
        guard VerifierConfiguration.password(ofFile: path) == nil else { return nil }
        guard FileManager.default.isReadableFile(atPath: path) else {
            return ConfigurationProblem.unreadableFile(path: path).description
        }
        return "\(path): \(ConfigurationProblem.noPassword(limit: VerifierConfiguration.longestPassword))"
    }

    /// Returns the password for a new connection; `nil` if Redis needs none.
    ///
    /// While the file cannot be read, contains none, or breaks a rule, this is the password that was read last.
    func password() -> String? {
        state.withLockedValue { state in
            if let passwordFile, look(&state), let present = VerifierConfiguration.password(ofFile: passwordFile) {
                state.lastPassword = present
            }
            return state.lastPassword
        }
    }

    /// A warning if the files have a problem now; otherwise empty.
    var warnings: [String] {
        let areFine = state.withLockedValue { state in
            _ = look(&state)
            return state.known.isEmpty
        }
        return areFine ? [] : ["The files for the connection to Redis have problems; the log says which."]
    }
}
