public import Foundation
import TVEFlowEngine
import TVEModels

/// What went wrong, in the words of the service or of this library (preauthorize page).
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class Status: NSObject, Sendable {
    let error: EnhancedError

    /// Makes an error, for tests of an app.
    ///
    /// - Parameters:
    ///   - status: the HTTP status; 0 when this library found the error.
    ///   - code: the machine code.
    ///   - message: a sentence for developers.
    ///   - details: the TV provider's text for the viewer.
    ///   - helpUrl: a page about the error.
    ///   - trace: what to quote when contacting the service about it.
    ///   - action: what the app can do.
    public convenience init(
        status: Int, code: String?, message: String? = nil, details: String? = nil, helpUrl: String? = nil,
        trace: String? = nil, action: String? = nil
    ) {
        self.init(
            EnhancedError(
                status: status, code: code, message: message, details: details, helpURL: helpUrl, trace: trace,
                action: action))
    }

    init(_ error: EnhancedError) {
        self.error = error
    }

    /// The HTTP status.
    ///
    /// - Returns: for example 403; 0 when this library found the error.
    public func getStatus() -> Int { error.status ?? 0 }

    /// The machine code.
    ///
    /// - Returns: for example `authorization_denied_by_mvpd`.
    public func getCode() -> String? { error.code }

    /// A sentence for developers.
    ///
    /// - Returns: the sentence, if there is one.
    public func getMessage() -> String? { error.message }

    /// The TV provider's text for the viewer.
    ///
    /// - Returns: the text, if there is one.
    public func getDetails() -> String? { error.details }

    /// Returns the text for the viewer, as the app translates it.
    ///
    /// The original does not have this method. ``getMessage()`` is for developers.
    ///
    /// - Returns: the TV provider's own words, else a suggested sentence.
    public func getViewerMessage() -> String { TVEError(preauthorizing: error).localizedDescription }

    /// A page about the error.
    ///
    /// - Returns: its URL, if there is one.
    public func getHelpUrl() -> String? { error.helpURL }

    /// What to quote when contacting the service about this answer.
    ///
    /// - Returns: the text, if there is one.
    public func getTrace() -> String? { error.trace }

    /// What the app can do.
    ///
    /// - Returns: `none`, `configuration`, `application-registration`, `authentication`, `authorization`, `degradation`, `retry` or
    ///   `retry-after`.
    public func getAction() -> String? { error.action }
}
