#if canImport(os)
import TVEFlowEngine
import TVEModels
import TVETracking
import os

/// What sessions report, in the system's log: subsystem `swift-access-enabler`, category `session`.
///
/// Codes are public. Texts are private: a text may be a provider's message to one viewer, or a code that another person
/// could type.
enum SystemLog {
    private static let logger = Logger(subsystem: "swift-access-enabler", category: "session")

    /// Logs that the system could not open a page: an error's domain and code, which say nothing about a viewer.
    static func record(failure reason: String) {
        logger.log(level: .error, "no page: \(reason, privacy: .public)")
    }

    /// Logs why the system did not open a page.
    static func record(refusal reason: String) {
        logger.log(level: .error, "no page: \(reason, privacy: .private)")
    }

    /// Logs an event; leaves out what the app receives anyway or can ask for.
    static func record(_ event: SessionEvent) {
        switch event {
        case .status(let status):
            let text = [status.message, status.details].compactMap(\.self).joined(separator: " ")
            // An app's developer needs these two, and nobody can tell a viewer by them.
            let error = status.platformError.map { "\($0) " } ?? ""
            logger.log(
                level: status.level.logType,
                "\(status.code.rawValue, privacy: .public) \(error, privacy: .public)\(text, privacy: .private)")
        case .completed(let report):
            let duration = "\(report.duration)"
            let end = report.failure.map { "failed: \($0.rawValue)" } ?? "succeeded"
            logger.log(
                level: report.failure == nil ? .info : .default,
                "\(report.call.rawValue, privacy: .public) \(end, privacy: .public) after \(duration, privacy: .public)"
            )
        case .integrity(let report):
            let outcome = "\(report.outcome)"
            logger.log(level: .default, "storage check: \(outcome, privacy: .public)")
        case .authentication, .loginEndsSoon, .tracking: break
        }
    }
}

extension StatusEvent {
    /// Domain and code of the platform's error, where the details are nothing else.
    fileprivate var platformError: String? {
        guard [.platformSignOnFailed, .platformRequestFailed].contains(code), let details,
            details.wholeMatch(of: /[A-Za-z][A-Za-z0-9.]* -?[0-9]+/) != nil
        else { return nil }
        return details
    }
}

extension StatusCode.Level {
    fileprivate var logType: OSLogType {
        switch self {
        case .error: .error
        case .warning: .default
        case .info, .success: .info
        }
    }
}
#endif
