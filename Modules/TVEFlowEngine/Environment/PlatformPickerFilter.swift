/// The selection of providers that the platform's picker offers (API reference, filter of `getAuthentication`).
public struct PlatformPickerFilter: Sendable, Hashable {
    /// The MVPD ids to offer, in this order; `nil` offers all.
    public var providers: [MVPDID]?
    /// The MVPD ids to display first.
    ///
    /// Ids that are not offered are ignored.
    public var featured: [MVPDID]?
    /// A Boolean value that indicates whether the picker also lists the offered providers that the platform cannot log
    /// in with.
    ///
    /// With these providers listed, viewers need no second picker. They log in on the provider's page.
    public var listsOtherProviders = false

    /// Creates a filter.
    ///
    /// - Parameters:
    ///   - providers: the MVPD ids to offer, in this order. Pass `nil` to offer all.
    ///   - featured: the MVPD ids to display first.
    public init(providers: [MVPDID]? = nil, featured: [MVPDID]? = nil) {
        self.providers = providers
        self.featured = featured
    }
}
