/// The service's own description of an error, with what can be done about it (wire protocol, preauthorize).
///
/// Every part may be missing.
public struct EnhancedError: Sendable, Hashable, Codable {
    /// The HTTP status that belongs to the error, for example 403.
    public var status: Int?
    /// The machine code, for example `authorization_denied_by_mvpd`.
    public var code: String?
    /// A sentence for developers.
    public var message: String?
    /// The provider's text for the viewer.
    public var details: String?
    /// A page about the error.
    public var helpURL: String?
    /// What to quote when contacting the service about this answer.
    public var trace: String?
    /// What the app can do, for example `none` or `retry`.
    public var action: String?

    /// Makes an error; nil means unknown.
    ///
    /// - Parameters:
    ///   - status: the HTTP status that belongs to the error.
    ///   - code: the machine code.
    ///   - message: a sentence for developers.
    ///   - details: the provider's text for the viewer.
    ///   - helpURL: a page about the error.
    ///   - trace: what to quote when contacting the service.
    ///   - action: what the app can do.
    public init(
        status: Int? = nil, code: String? = nil, message: String? = nil, details: String? = nil,
        helpURL: String? = nil, trace: String? = nil, action: String? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.helpURL = helpURL
        self.trace = trace
        self.action = action
    }
}
