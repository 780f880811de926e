/// Which providers the platform's picker offers (API reference, filter of `getAuthentication`).
public struct PlatformPickerFilter: Sendable, Hashable {
    /// MVPD ids to offer, in this order; nil offers all.
    public var providers: [MVPDID]?
    /// MVPD ids to show first; those that are not offered are left out.
    public var featured: [MVPDID]?
    /// Whether the picker also lists the offered providers that the platform cannot log in with, so that viewers need no
    /// second one; they log in on the provider's page.
    public var listsOtherProviders = false

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - providers: MVPD ids to offer, in this order; nil offers all.
    ///   - featured: MVPD ids to show first.
    public init(providers: [MVPDID]? = nil, featured: [MVPDID]? = nil) {
        self.providers = providers
        self.featured = featured
    }
}
