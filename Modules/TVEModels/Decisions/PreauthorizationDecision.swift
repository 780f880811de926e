/// A prediction of whether a viewer may watch one resource, without an authorization.
public struct PreauthorizationDecision: Sendable, Hashable, Codable, Redacting {
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
    /// A Boolean value that indicates whether the decision is valid for as long as the login.
    ///
    /// A permit that was given because the TV provider is degraded ends with the degradation, and one of a TempPass as
    /// soon as the TempPass is used up. A failure of the service, even one that is stated in place of a decision, may
    /// be over at any time.
    package var isLasting = true

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

    /// Reads a decision that was encoded.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` when the resource or the decision is missing.
    public init(from decoder: any Decoder) throws { try self.init(reading: decoder) }

    /// Writes the decision.
    ///
    /// ``isDecided`` is written only if it is false, because it was not written at first.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(resource, forKey: .resource)
        try container.encode(isAuthorized, forKey: .isAuthorized)
        try container.encodeIfPresent(error, forKey: .error)
        if !isDecided { try container.encode(isDecided, forKey: .isDecided) }
    }

    /// The decision, with the code of the error.
    ///
    /// The resource is omitted, because its text may contain titles, and so is the provider's text for the viewer.
    public var redactedDescription: String {
        let decision = isAuthorized ? "authorized" : isDecided ? "not authorized" : "not decided"
        let parts = [decision, error?.code?.orUnknown]
        return "PreauthorizationDecision(\(parts.compactMap(\.self).joined(separator: ", ")))"
    }

    private enum CodingKeys: String, CodingKey, CaseIterable { case resource, isAuthorized, error, isDecided }
}

extension PreauthorizationDecision: JSONReadable {
    private static let names = JSONNames<CodingKeys>()

    /// Reads a stored decision, or returns nil for one that lacks the resource or the decision.
    ///
    /// A stored decision without `isDecided` was made by the service.
    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var resource: String?
        var isAuthorized: Bool?
        var error: EnhancedError?
        var isDecided = true
        _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .resource: resource = try json.string()
            case .isAuthorized: isAuthorized = try json.flag()
            case .error: error = try EnhancedError(&json)
            case .isDecided: isDecided = try json.yesOrNo() ?? false
            }
        }
        guard let resource, let isAuthorized else { return nil }
        self.init(resource: Resource(resource), isAuthorized: isAuthorized, error: error)
        self.isDecided = isDecided
    }
}

extension PreauthorizationDecision {
    /// Returns one decision per resource, in the order of the resources.
    ///
    /// The decision about a resource is the one whose id has the same bytes. Without one, white space around the ids,
    /// the form of their line ends and the case of their ASCII letters are ignored, because a service may change them.
    /// The decision about another requested resource is not used. An empty resource is denied.
    package static func matched(
        to resources: [Resource], _ decisions: [PreauthorizationDecision]
    ) -> [PreauthorizationDecision] {
        let decisions = [empty] + decisions
        func plain(_ resource: Resource) -> ExactText {
            ExactText(JSONCursor.trimmed(resource.withLineFeeds.text).lowercasedASCII)
        }
        let exact = Dictionary(decisions.map { ($0.resource, $0) }, uniquingKeysWith: { first, _ in first })
        let requested = Set(resources)
        let others = decisions.filter { !requested.contains($0.resource) }
        let similar = Dictionary(others.map { (plain($0.resource), $0) }, uniquingKeysWith: { first, _ in first })
        return resources.map { resource in
            let decision = exact[resource] ?? similar[plain(resource)]
            var ordered = PreauthorizationDecision(
                resource: resource, isAuthorized: decision?.isAuthorized ?? false, error: decision?.error)
            ordered.isDecided = decision?.isDecided ?? false
            return ordered
        }
    }

    /// The decision about an empty resource (API reference, row AZ7).
    private static let empty = PreauthorizationDecision(
        resource: "", isAuthorized: false,
        error: EnhancedError(
            status: 0, code: "invalid_parameter_resources", message: "The resource is empty.", action: "none"))
}
