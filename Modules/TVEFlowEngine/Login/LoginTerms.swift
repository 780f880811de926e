import TVEModels

/// What a call for a login asks for, beside the provider.
struct LoginTerms: Sendable {
    /// What the app sends along for the service.
    var data: [String: MetadataValue] = [:]
    /// Whether the viewer shall log in even if somebody is logged in, or the service still knows a login.
    var isForced = false
    /// Which providers the platform's picker offers.
    var filter: PlatformPickerFilter?
    /// Shows the login; nil where nothing may be shown, and a page that comes nevertheless is left at once.
    var presenter: (any AuthenticationPresenter)?
}
