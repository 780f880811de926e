public import TVEModels

/// One of the three events an app reports to its analytics (API reference, tracking).
public enum TrackingEvent: Sendable, Hashable {
    /// The viewer chose a TV provider.
    case providerSelected(mvpdID: MVPDID)
    /// The library found out whether the viewer is logged in; nil when not.
    case authentication(TrackedLogin?)
    /// The library found out whether the viewer may watch a resource.
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

    /// The documented array of strings.
    ///
    /// - Parameter client: how the service describes this client.
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
        login.map { [$0.mvpdID.text, $0.trackingID, "\($0.isCached)"] } ?? [none, none, none]
    }
}
