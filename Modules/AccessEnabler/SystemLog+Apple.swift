#if canImport(os)
import TVEFlowEngine
import TVEModels
import TVETracking
import os

/// The sessions' events in the system's log, with the subsystem `swift-access-enabler` and the category `session`.
///
/// Codes are public, and so is the system's reason for not opening a page. Other texts are private, because a text may
/// be a provider's message to one viewer, or a code that another person could enter.
enum SystemLog {
    private static let logger = Logger(subsystem: "swift-access-enabler", category: "session")

    /// Logs why the system could not open a page.
    ///
    /// - Parameter reason: the error's domain and code, or the system's text, which names at most the app and the host
    ///   of its redirect. Neither reveals anything about a viewer.
    static func record(failure reason: String) {
        logger.log(level: .error, "no page: \(reason, privacy: .public)")
    }

    /// Logs an event and omits what the app receives anyway or can request.
    static func record(_ event: SessionEvent) {
        switch event {
        case .status(let status):
            let text = [status.message, status.details].compactMap(\.self).joined(separator: " ")
            // An app's developer needs the domain and the code, and neither identifies a viewer.
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
    /// The domain and code of the platform's error, if the details contain nothing else.
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
