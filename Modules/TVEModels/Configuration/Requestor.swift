/// A programmer's brand that asks for entitlements, with the TV providers it works with.
public struct Requestor: Sendable, Hashable, Identifiable {
    /// The requestor id, case-sensitive.
    public var id: String
    /// The brand's name.
    public var name: String
    /// Web domains from which the requestor may call.
    public var domains: [String]
    /// Resource ids of its channels.
    public var channels: [String]
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
        id: String, name: String, domains: [String] = [], channels: [String] = [], providers: [TVProvider]
    ) {
        self.id = id
        self.name = name
        self.domains = domains
        self.channels = channels
        self.providers = providers
    }

    /// The provider with this id.
    ///
    /// - Parameter id: an MVPD id, compared as UTF-8 bytes.
    /// - Returns: the entry, or nil when the requestor has no integration with it.
    public func provider(_ id: String) -> TVProvider? { providers.first { $0.id.isSameBytes(as: id) } }
}
