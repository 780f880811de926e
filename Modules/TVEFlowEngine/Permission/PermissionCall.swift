import TVEModels

/// A call for permission, from its beginning to its answer.
struct PermissionCall {
    var machine: PermissionMachine
    let resource: Resource
    let data: [String: MetadataValue]
    let presenter: (any AuthenticationPresenter)?
    /// Called with the outcome of a login that was shown for this call.
    let loginEnded: @Sendable (AuthenticationStatus) -> Void
    let waiting: CheckedContinuation<Result<MediaToken, TVEError>, Never>
    /// The running step.
    var task: Task<Void, Never>?
}
