/// One report of the `status` callback.
public struct StatusEvent: Sendable, Hashable {
    /// What happened.
    public var code: StatusCode
    /// How grave it is.
    public var level: StatusCode.Level
    /// A text for developers or, with a denial, the provider's text for the viewer.
    public var message: String?
    /// The resource the report is about, for authorization codes.
    public var resource: Resource?

    /// Makes a report with the code's documented level.
    ///
    /// - Parameters:
    ///   - code: what happened.
    ///   - message: a text for developers or the provider's text for the viewer.
    ///   - resource: the resource the report is about.
    public init(_ code: StatusCode, message: String? = nil, resource: Resource? = nil) {
        self.code = code
        self.level = code.level
        self.message = message
        self.resource = resource
    }
}
