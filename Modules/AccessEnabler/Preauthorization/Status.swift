public import Foundation
import TVEFlowEngine
import TVEModels

/// An error as the service or this library describes it (preauthorize page).
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class Status: NSObject, Sendable {
    let error: EnhancedError
    /// The error whose text the viewer reads, or nil if that text follows from ``error``.
    private let cause: TVEError?

    /// Creates an error, for tests of an app.
    ///
    /// - Parameters:
    ///   - status: the HTTP status, or 0 when this library detected the error.
    ///   - code: the machine code.
    ///   - message: a sentence for developers.
    ///   - details: the TV provider's text for the viewer.
    ///   - helpUrl: the address of a page about the error.
    ///   - trace: the trace id to quote when contacting the service.
    ///   - action: the recommended action of the app.
    public convenience init(
        status: Int, code: String?, message: String? = nil, details: String? = nil, helpUrl: String? = nil,
        trace: String? = nil, action: String? = nil
    ) {
        self.init(
            EnhancedError(
                status: status, code: code, message: message, details: details, helpURL: helpUrl, trace: trace,
                action: action))
    }

    init(_ error: EnhancedError, of cause: TVEError? = nil) {
        self.error = error
        self.cause = cause
    }

    /// Returns the HTTP status.
    ///
    /// - Returns: the status, for example 403, or 0 when this library detected the error.
    public func getStatus() -> Int { error.status ?? 0 }

    /// Returns the machine-readable code.
    ///
    /// - Returns: the code, for example `authorization_denied_by_mvpd`.
    public func getCode() -> String? { error.code }

    /// Returns a sentence for developers.
    ///
    /// - Returns: the sentence, if there is one.
    public func getMessage() -> String? { error.message }

    /// Returns the TV provider's text for the viewer.
    ///
    /// - Returns: the text, if there is one.
    public func getDetails() -> String? { error.details }

    /// Returns the text for the viewer, in the app's translation.
    ///
    /// The original does not have this method. ``getMessage()`` is for developers.
    ///
    /// - Returns: the TV provider's own message, or otherwise a suggested sentence.
    public func getViewerMessage() -> String {
        (cause ?? TVEError(preauthorizing: error)).localizedDescription
    }

    /// Returns the address of a page about the error.
    ///
    /// - Returns: the address, if there is one.
    public func getHelpUrl() -> String? { error.helpURL }

    /// Returns the trace id to quote when contacting the service about this response.
    ///
    /// - Returns: the trace id, if there is one.
    public func getTrace() -> String? { error.trace }

    /// Returns the recommended action of the app.
    ///
    /// - Returns: `none`, `configuration`, `application-registration`, `authentication`, `authorization`,
    ///   `degradation`, `retry` or `retry-after`.
    public func getAction() -> String? { error.action }
}
