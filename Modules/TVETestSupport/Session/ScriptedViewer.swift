public import TVEModels

/// A viewer in front of a service over REST API v2 that exists only in a test: no server, no browser, and with a
/// ``ManualClock`` no real second.
///
/// ``ScriptedTransport/init(viewer:clock:)`` answers for the service. It registers every application and knows every requestor.
public struct ScriptedViewer: Sendable {
    /// The TV providers of the requestor.
    public var providers: [TVProvider]
    /// How often the service answers that the viewer has not logged in yet, before the login is there.
    public var looksBeforeLogin: Int
    /// What the TV provider denies, each with its words for the viewer; everything else is allowed.
    public var denials: [Resource: String]

    /// Describes a viewer.
    ///
    /// - Parameters:
    ///   - providers: the TV providers of the requestor.
    ///   - looksBeforeLogin: how often the service is asked in vain for the login.
    ///   - denials: what the TV provider denies, with its words for the viewer.
    public init(
        providers: [TVProvider] = [TVProvider(id: "example-cable", displayName: "Example Cable", logoURL: "")],
        looksBeforeLogin: Int = 0, denials: [Resource: String] = [:]
    ) {
        self.providers = providers
        self.looksBeforeLogin = looksBeforeLogin
        self.denials = denials
    }
}
