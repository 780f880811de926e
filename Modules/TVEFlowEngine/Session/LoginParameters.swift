package import TVEModels

/// The parameters of a call for a login, apart from the provider.
package struct LoginParameters: Sendable {
    /// The app's data for the service.
    package var data: [String: MetadataValue] = [:]
    /// A Boolean value that indicates whether the viewer must log in even if already logged in, or if the service still
    /// has a login.
    package var isForced = false
    /// The selection of providers that the platform's picker offers.
    package var filter: PlatformPickerFilter?
    /// The presenter that shows the login, or `nil` if nothing may be shown.
    ///
    /// Without a presenter, a login that needs a page ends at once.
    package var presenter: (any AuthenticationPresenter)?

    package init(
        data: [String: MetadataValue] = [:], isForced: Bool = false, filter: PlatformPickerFilter? = nil,
        presenter: (any AuthenticationPresenter)? = nil
    ) {
        self.data = data
        self.isForced = isForced
        self.filter = filter
        self.presenter = presenter
    }
}
