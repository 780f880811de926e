package import TVEModels

/// What a call for a login asks for, apart from the provider.
package struct LoginTerms: Sendable {
    /// The app's data for the service.
    package var data: [String: MetadataValue] = [:]
    /// Whether the viewer must log in even if already logged in, or if the service still knows a login.
    package var isForced = false
    /// Which providers the platform's picker offers.
    package var filter: PlatformPickerFilter?
    /// Shows the login; nil where nothing may be shown: a page that comes anyway is left at once.
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
