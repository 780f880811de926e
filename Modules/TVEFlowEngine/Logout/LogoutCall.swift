import TVEModels

/// A call that logs out, from its beginning to its answer.
struct LogoutCall {
    let presenter: (any AuthenticationPresenter)?
    /// Told that the logout is through.
    let finished: @Sendable (TVEError) -> Void
    let waiting: CheckedContinuation<Void, Never>
}
