package import TVEModels

/// What a call for permission asks.
package struct PermissionTerms: Sendable {
    let resource: Resource
    /// The TV provider of the login; nil for that of the viewer's choice.
    var mvpdID: MVPDID?
    var data: [String: MetadataValue] = [:]
    /// Shows a login when the viewer is not logged in; with nil the call fails then.
    var presenter: (any AuthenticationPresenter)?

    package init(
        resource: Resource, mvpdID: MVPDID? = nil, data: [String: MetadataValue] = [:],
        presenter: (any AuthenticationPresenter)? = nil
    ) {
        self.resource = resource
        self.mvpdID = mvpdID
        self.data = data
        self.presenter = presenter
    }
}
