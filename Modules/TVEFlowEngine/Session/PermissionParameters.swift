package import TVEModels

/// The parameters of a call for permission.
package struct PermissionParameters: Sendable {
    let resource: Resource
    /// The TV provider of the login; `nil` selects the provider that the viewer chose.
    var mvpdID: MVPDID?
    var data: [String: MetadataValue] = [:]
    /// The presenter that shows a login if the viewer is not logged in.
    ///
    /// With `nil`, the call fails in this case.
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
