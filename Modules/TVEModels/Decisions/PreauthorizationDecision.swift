/// A prediction of whether a viewer may watch one resource, without an authorization.
public struct PreauthorizationDecision: Sendable, Hashable, Codable {
    /// The requested resource.
    public var resource: Resource
    /// A Boolean value that indicates whether the resource may be shown as watchable.
    public var isAuthorized: Bool
    /// The service's explanation of a denial, if it sent one.
    ///
    /// `TVEFlowEngine` adds `denial`, an error whose `localizedDescription` can be shown to the viewer.
    public var error: EnhancedError?
    /// A Boolean value that indicates whether the service decided about the resource at all.
    ///
    /// A response may omit resources, which is not a denial.
    public var isDecided = true

    /// Creates a decision.
    ///
    /// - Parameters:
    ///   - resource: the requested resource.
    ///   - isAuthorized: a Boolean value that indicates whether the resource may be shown as watchable.
    ///   - error: the service's explanation of a denial, if it sent one.
    public init(resource: Resource, isAuthorized: Bool, error: EnhancedError? = nil) {
        self.resource = resource
        self.isAuthorized = isAuthorized
        self.error = error
    }

    // `isDecided` is not stored, because a stored response has a decision for each of its resources.
    private enum CodingKeys: String, CodingKey { case resource, isAuthorized, error }
}

extension PreauthorizationDecision: JSONReadable {
    private enum Field: String, CaseIterable { case resource, isAuthorized, error }

    private static let names = JSONNames<Field>()

    /// Reads a stored decision, or returns nil for one that lacks the resource or the decision.
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
