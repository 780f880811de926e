public import TVEModels

/// One of the three events that an app reports to its analytics (API reference, tracking).
public enum TrackingEvent: Sendable, Hashable {
    /// The viewer chose a TV provider.
    case providerSelected(mvpdID: MVPDID)
    /// The library determined whether the viewer is logged in.
    ///
    /// The value is the login, or nil if nobody is logged in.
    case authentication(TrackedLogin?)
    /// The library determined whether the viewer may watch a resource.
    case authorization(TrackedAuthorization)

    /// The documented number of the event: 0 authentication, 1 authorization, 2 provider selection.
    public var number: Int {
        switch self {
        case .authentication: 0
        case .authorization: 1
        case .providerSelected: 2
        }
    }

    /// The documented name of the event.
    public var name: String {
        switch self {
        case .authentication: "authenticationDetection"
        case .authorization: "authorizationDetection"
        case .providerSelected: "mvpdSelection"
        }
    }

    /// Returns the documented array of strings.
    ///
    /// - Parameter client: the service's description of this client.
    /// - Returns: 4 strings for a provider selection, 7 for authentication, 9 for authorization; booleans are `true`
    ///   and `false`, an unknown device type is `unknown`, and any other unknown value `None`.
    public func data(client: TrackedClient) -> [String] {
        let tail = [
            client.deviceType ?? Self.unknown, client.clientType ?? Self.none, client.operatingSystem ?? Self.none,
        ]
        switch self {
        case .providerSelected(let mvpdID):
            return [mvpdID.text] + tail
        case .authentication(let login):
            return ["\(login != nil)"] + Self.data(login) + tail
        case .authorization(let authorization):
            let failure = [authorization.error ?? Self.none, authorization.details ?? Self.none]
            return ["\(authorization.error == nil)"] + Self.data(authorization.login) + failure + tail
        }
    }

    private static let none = "None"
    private static let unknown = "unknown"

    private static func data(_ login: TrackedLogin?) -> [String] {
        guard let login else { return [none, none, none] }
        return [login.mvpdID.text, login.trackingID.isEmpty ? none : login.trackingID, "\(login.isCached)"]
    }
}

/// The outcome of an authorization, as tracking reports it.
public struct TrackedAuthorization: Sendable, Hashable, Redacting {
    /// The viewer's login, or nil when the viewer is not logged in.
    public var login: TrackedLogin?
    /// The name of the failure's `TVEError.Code`, or nil when the viewer may watch.
    public var error: String?
    /// The TV provider's text for the viewer.
    public var details: String?

    /// Describes an outcome.
    ///
    /// - Parameters:
    ///   - login: the viewer's login.
    ///   - error: name of the failure.
    ///   - details: the TV provider's text for the viewer.
    public init(login: TrackedLogin?, error: String? = nil, details: String? = nil) {
        self.login = login
        self.error = error
        self.details = details
    }

    /// The TV provider, and the name of the failure.
    ///
    /// The provider's text is omitted, because it may name the viewer or the viewer's plan.
    public var redactedDescription: String {
        let parts = [login?.mvpdID.text.orUnknown ?? "not logged in", error?.orUnknown ?? "authorized"]
        return "TrackedAuthorization(\(parts.joined(separator: ", ")))"
    }
}

/// The viewer's login, as tracking reports it.
public struct TrackedLogin: Sendable, Hashable {
    /// The TV provider.
    public var mvpdID: MVPDID
    /// The MD5 of the login's GUID in lowercase hexadecimal, or an empty text if the viewer is unknown.
    public var trackingID: String
    /// A Boolean value that indicates whether the token was already stored.
    public var isCached: Bool

    /// Describes a login.
    ///
    /// - Parameters:
    ///   - mvpdID: the TV provider.
    ///   - trackingID: MD5 of the login's GUID, lowercase hexadecimal.
    ///   - isCached: a Boolean value that indicates whether the token was already stored.
    public init(mvpdID: MVPDID, trackingID: String, isCached: Bool) {
        self.mvpdID = mvpdID
        self.trackingID = trackingID
        self.isCached = isCached
    }

    /// Describes the login of a profile.
    package init(_ profile: Profile, isCached: Bool) {
        self.init(mvpdID: profile.mvpdID, trackingID: profile.trackingID, isCached: isCached)
    }
}
