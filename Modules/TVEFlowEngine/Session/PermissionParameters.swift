import TVEModels

/// The parameters of a call for permission.
struct PermissionParameters: Sendable {
    let resource: Resource
    /// The TV provider of the login; `nil` selects the provider that the viewer chose.
    var mvpdID: MVPDID?
    var data: [String: MetadataValue] = [:]
    /// The presenter that shows a login if the viewer is not logged in.
    ///
    /// With `nil`, the call fails in this case.
    var presenter: (any AuthenticationPresenter)?
}
