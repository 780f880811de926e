/// A denial of a resource.
public struct AuthorizationDenial: Sendable, Hashable, Redacting {
    /// The machine-readable code: the name of the response's first element, for example `notAuthorized`, or over REST
    /// API v2 the code of the error, for example `authorization_denied_by_mvpd`.
    public var code: String
    /// The provider's text for the viewer, which may be HTML, or nil if the provider sent none.
    ///
    /// Over REST API v2, the service's sentence for developers takes its place if the provider sent none.
    public var details: String?

    /// The reason for the denial, which also shows who denied the resource.
    public var reason: Reason
    /// The service's own description of the error, when it sends one (REST API v2).
    public var explanation: EnhancedError?

    /// Creates a denial.
    ///
    /// - Parameters:
    ///   - code: the machine code, for example `notAuthorized`.
    ///   - details: the provider's text for the viewer.
    ///   - reason: the reason for the denial.
    ///   - explanation: the service's own description of the error, when it sends one.
    public init(code: String, details: String? = nil, reason: Reason = .provider, explanation: EnhancedError? = nil) {
        self.code = code
        self.details = details
        self.reason = reason
        self.explanation = explanation
    }

    /// The code of the denial.
    ///
    /// The provider's text is omitted, because it may name the viewer or the viewer's plan.
    public var redactedDescription: String { "AuthorizationDenial(\(code.orUnknown))" }

    /// The reason for which a resource was denied, which determines what the viewer can do.
    public enum Reason: Sendable, Hashable {
        /// The TV provider denied it, for example because the viewer's plan does not include the resource.
        case provider
        /// The service denied it, because the provider denied too often in a row.
        case repetition
        /// The service denied it, because it could not reach the provider.
        case network
        /// The service denied it, because the resource is malformed.
        case invalidResource
        /// The service denied it, because the provider is degraded so that everything is denied.
        case degradation
        /// The service denied it, because a TempPass has expired or its resources are used up.
        case temporaryAccessOver
    }
}
