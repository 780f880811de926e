/// A programmer's brand that requests entitlements, with the TV providers that it works with.
public struct Requestor: Sendable, Hashable, Identifiable {
    /// The requestor id, case-sensitive.
    public var id: RequestorID
    /// The brand's name.
    @BytewiseEqual public var name: String
    /// The web domains from which the requestor may call.
    @BytewiseEqual public var domains: [String]
    /// The resource ids of its channels.
    @BytewiseEqual public var channels: [String]
    /// The integrated TV providers, in the service's order.
    public var providers: [TVProvider]

    /// Creates a requestor.
    ///
    /// - Parameters:
    ///   - id: the requestor id, case-sensitive.
    ///   - name: the brand's name.
    ///   - domains: web domains from which it may call.
    ///   - channels: resource ids of its channels.
    ///   - providers: the TV providers it is integrated with.
    public init(
        id: RequestorID, name: String, domains: [String] = [], channels: [String] = [], providers: [TVProvider]
    ) {
        self.id = id
        self.name = name
        self.domains = domains
        self.channels = channels
        self.providers = providers
    }

    /// Returns the provider with the given id.
    ///
    /// - Parameter id: an MVPD id.
    /// - Returns: the entry, or nil when the requestor has no integration with it.
    public func provider(_ id: MVPDID) -> TVProvider? { providers.first { $0.id == id } }
}
