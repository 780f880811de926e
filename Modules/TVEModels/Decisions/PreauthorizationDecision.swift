/// Whether a viewer would be allowed to watch one resource, as far as is known without an authorization.
public struct PreauthorizationDecision: Sendable, Hashable, Codable {
    /// The resource that was asked about.
    public var resource: Resource
    /// Whether it may be shown as watchable.
    public var isAuthorized: Bool
    /// Why not, when the service says so.
    public var error: EnhancedError?
    /// Whether the service decided at all: an answer may leave resources out, which is no denial.
    public var isDecided = true

    /// Makes a decision.
    ///
    /// - Parameters:
    ///   - resource: the resource that was asked about.
    ///   - isAuthorized: whether it may be shown as watchable.
    ///   - error: why not, when the service says so.
    public init(resource: Resource, isAuthorized: Bool, error: EnhancedError? = nil) {
        self.resource = resource
        self.isAuthorized = isAuthorized
        self.error = error
    }

    // Whether there was a decision is not stored: a stored answer has one for each of its resources.
    private enum CodingKeys: String, CodingKey { case resource, isAuthorized, error }
}
