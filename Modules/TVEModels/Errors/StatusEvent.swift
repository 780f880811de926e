/// One event that the `status` callback reports.
public struct StatusEvent: Sendable, Hashable, Redacting {
    /// The code of the event.
    public var code: StatusCode
    /// The severity of the event.
    public var level: StatusCode.Level
    /// A text for developers or, with a denial, the provider's text for the viewer.
    public var message: String?
    /// The resource that the event concerns, for authorization codes.
    public var resource: Resource?
    /// The message of a lower layer, for failures of the platform's sign-on.
    public var details: String?
    /// The trace id to quote when contacting the service about a failure, if the service sent one (REST API v2).
    public var trace: String?
    /// The registration code to show to the viewer, with ``StatusCode/registrationCode`` only.
    public var registrationCode: String?

    /// Creates an event with the code's documented level.
    ///
    /// - Parameters:
    ///   - code: the code of the event.
    ///   - message: a text for developers or the provider's text for the viewer.
    ///   - resource: the resource that the event concerns.
    ///   - details: the message of a lower layer.
    public init(_ code: StatusCode, message: String? = nil, resource: Resource? = nil, details: String? = nil) {
        self.code = code
        self.level = code.level
        self.message = message
        self.resource = resource
        self.details = details
    }

    /// Creates an event that announces a code for the viewer to enter on another device.
    ///
    /// - Parameter registrationCode: the code. The message contains it as well, because apps written for the original
    ///   library look for it there.
    public init(registrationCode: String) {
        self.init(.registrationCode, message: registrationCode)
        self.registrationCode = registrationCode
    }

    /// The code and the level of the event.
    ///
    /// The message is omitted, because it may contain a registration code or a provider's text for one viewer.
    public var redactedDescription: String { "StatusEvent(\(code), \(level.rawValue))" }
}
