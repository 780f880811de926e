import TVEModels

/// The parameters of a call for a login, apart from the provider.
struct LoginParameters: Sendable {
    /// The app's data for the service.
    var data: [String: MetadataValue] = [:]
    /// A Boolean value that indicates whether the viewer must log in even if already logged in, or if the service still
    /// has a login.
    var isForced = false
    /// The selection of providers that the platform's picker offers.
    var filter: PlatformPickerFilter?
    /// The presenter that shows the login, or `nil` if nothing may be shown.
    ///
    /// Without a presenter, a login that needs a page ends at once.
    var presenter: (any AuthenticationPresenter)?
}
