package import TVEModels

/// The closures with which a facade notifies its app of the answers to the calls of a session.
///
/// Each closure is called in the turn of the actor in which the call is answered, so nothing of a later call arrives
/// earlier.
package struct AnswerHandlers: Sendable {
    /// A closure that receives the outcome of a login, a logout or a choice of provider.
    ///
    /// Calls that share a login have one outcome, because the viewer saw the login once. The outcome of a logout comes
    /// at once if there is no page, and otherwise when the page has ended; there is none if the viewer never finishes a
    /// page of the app. The outcomes of a closed session are dropped, and so are those of silent logins and of calls
    /// that were cancelled.
    package var authentication: @Sendable (AuthenticationStatus) -> Void = { _ in }
    /// A closure that receives the answer to each request for permission to play a resource, of a closed session too.
    package var permission: @Sendable (Resource, Result<MediaToken, TVEError>) -> Void = { _, _ in }
}
