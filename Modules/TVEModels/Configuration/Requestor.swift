/// A programmer's brand that asks for entitlements, with the TV providers it works with.
public struct Requestor: Sendable, Hashable, Identifiable {
    /// The requestor id, case-sensitive.
    public var id: RequestorID
    /// The brand's name.
    @BytewiseEqual public var name: String
    /// Web domains from which the requestor may call.
    @BytewiseEqual public var domains: [String]
    /// Resource ids of its channels.
    @BytewiseEqual public var channels: [String]
    /// The TV providers it is integrated with, in the service's order.
    public var providers: [TVProvider]

    /// Makes a requestor.
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

    /// The provider with this id.
    ///
    /// - Parameter id: an MVPD id.
    /// - Returns: the entry, or nil when the requestor has no integration with it.
    public func provider(_ id: MVPDID) -> TVProvider? { providers.first { $0.id == id } }
}
