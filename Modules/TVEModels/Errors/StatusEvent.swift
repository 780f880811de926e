/// One report of the `status` callback.
public struct StatusEvent: Sendable, Hashable, Redacting {
    /// What happened.
    public var code: StatusCode
    /// The severity of the event.
    public var level: StatusCode.Level
    /// A text for developers or, with a denial, the provider's text for the viewer.
    public var message: String?
    /// The resource the report is about, for authorization codes.
    public var resource: Resource?
    /// The message of a lower layer, for failures of the platform's sign-on.
    public var details: String?
    /// What to quote when contacting the service about a failure, where it says so (REST API v2).
    public var trace: String?
    /// The code to show to the viewer, with ``StatusCode/registrationCode`` only.
    public var registrationCode: String?

    /// Makes a report with the code's documented level.
    ///
    /// - Parameters:
    ///   - code: what happened.
    ///   - message: a text for developers or the provider's text for the viewer.
    ///   - resource: the resource the report is about.
    ///   - details: the message of a lower layer.
    public init(_ code: StatusCode, message: String? = nil, resource: Resource? = nil, details: String? = nil) {
        self.code = code
        self.level = code.level
        self.message = message
        self.resource = resource
        self.details = details
    }

    /// Announces a code that the viewer types on another device.
    ///
    /// - Parameter registrationCode: the code; it is in the message as well, where apps of the original look for it.
    public init(registrationCode: String) {
        self.init(.registrationCode, message: registrationCode)
        self.registrationCode = registrationCode
    }

    /// Code and level: a message may hold a registration code or a provider's text for one viewer.
    public var redactedDescription: String { "StatusEvent(\(code), \(level.rawValue))" }
}
