import TVEModels

/// What a call for a login asks for, apart from the provider.
struct LoginTerms: Sendable {
    /// The app's data for the service.
    var data: [String: MetadataValue] = [:]
    /// Whether the viewer must log in even if already logged in, or if the service still knows a login.
    var isForced = false
    /// Which providers the platform's picker offers.
    var filter: PlatformPickerFilter?
    /// Shows the login; nil where nothing may be shown: a page that comes anyway is left at once.
    var presenter: (any AuthenticationPresenter)?
}
