public import TVEModels

/// A viewer of a simulated service with REST API v2.
///
/// A test with such a viewer needs no server and no browser, and with a ``ManualClock`` it does not wait.
/// ``ScriptedTransport/init(viewer:clock:)`` answers for the service, which registers every application and accepts
/// every requestor.
public struct ScriptedViewer: Sendable {
    /// The TV providers of the requestor.
    ///
    /// The service sends what REST API v2 has of each: the id, the name, the logo, and whether the provider is a
    /// TempPass, is behind a proxy, or authenticates per browser session. What only the classic services have is not
    /// used, and neither are the values for the platform's sign-on, in which this service does not take part.
    public var providers: [TVProvider]
    /// The number of requests for the login that the service answers without one, before the login is complete.
    public var looksBeforeLogin: Int
    /// The resources that the TV provider denies, each with the text for the viewer; every other resource is allowed.
    public var denials: [Resource: String]

    /// Creates a viewer.
    ///
    /// - Parameters:
    ///   - providers: the TV providers of the requestor.
    ///   - looksBeforeLogin: the number of requests for the login that the service answers without one.
    ///   - denials: the resources that the TV provider denies, each with the text for the viewer.
    public init(
        providers: [TVProvider] = [TVProvider(id: "example-cable", displayName: "Example Cable", logoURL: "")],
        looksBeforeLogin: Int = 0, denials: [Resource: String] = [:]
    ) {
        self.providers = providers
        self.looksBeforeLogin = looksBeforeLogin
        self.denials = denials
    }
}
