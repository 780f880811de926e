/// Whether a viewer would be allowed to watch one resource, as far as is known without an authorization.
public struct PreauthorizationDecision: Sendable, Hashable, Codable {
    /// The resource that was asked about.
    public var resource: Resource
    /// Whether it may be shown as watchable.
    public var isAuthorized: Bool
    /// Why not, in the words of the service, where it says so.
    ///
    /// `TVEFlowEngine` has the text for the viewer: `denial`, an error whose `localizedDescription` can be shown.
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

extension PreauthorizationDecision: JSONReadable {
    private enum Field: String, CaseIterable { case resource, isAuthorized, error }

    private static let names = JSONNames<Field>()

    /// Reads a stored decision; nil for one that does not say what it decides.
    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var resource: String?
        var isAuthorized: Bool?
        var error: EnhancedError?
        let isObject = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .resource: resource = try json.string()
            case .isAuthorized: isAuthorized = try json.flag()
            case .error: error = try EnhancedError(&json)
            }
        }
        guard isObject, let resource, let isAuthorized else { return nil }
        self.init(resource: Resource(resource), isAuthorized: isAuthorized, error: error)
    }
}
