import TVEModels

/// A call that logs out, from its beginning to its answer.
struct LogoutCall {
    let presenter: (any AuthenticationPresenter)?
    /// Called when the logout has ended.
    let finished: @Sendable (TVEError) -> Void
    let waiting: CheckedContinuation<Void, Never>
}
