/// A denial of a resource.
public struct AuthorizationDenial: Sendable, Hashable {
    /// The machine code: the name of the first element of the answer, for example `notAuthorized`.
    public var code: String
    /// The provider's text for the viewer, which may be HTML; nil when it gave none.
    public var details: String?

    /// Which party denied.
    public var reason: Reason
    /// The service's own error, where it explains itself (REST API v2).
    public var explanation: EnhancedError?

    /// Makes a denial.
    ///
    /// - Parameters:
    ///   - code: the machine code, for example `notAuthorized`.
    ///   - details: the provider's text for the viewer.
    ///   - reason: which party denied.
    ///   - explanation: the service's own error, where it explains itself.
    public init(code: String, details: String? = nil, reason: Reason = .provider, explanation: EnhancedError? = nil) {
        self.code = code
        self.details = details
        self.reason = reason
        self.explanation = explanation
    }

    /// Which party denied, and so what helps.
    public enum Reason: Sendable, Hashable {
        /// The TV provider: the viewer's plan does not include the resource.
        case provider
        /// The service, because the provider denied too often in a row.
        case repetition
        /// The service, because it could not reach the provider.
        case network
        /// The service, because the resource is malformed.
        case invalidResource
        /// The service, because the provider is degraded so that everything is denied.
        case degradation
        /// The service, because a TempPass has expired.
        case temporaryAccessOver
    }
}
