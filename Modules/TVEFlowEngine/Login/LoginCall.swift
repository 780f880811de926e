/// A call that waits for a login.
struct LoginCall: Sendable {
    /// Tells an app the outcome of a login.
    typealias Telling = @Sendable (isolated EntitlementSession, AuthenticationStatus) -> Void

    /// Whether the call is an authorization, which needs a login.
    let isForPermission: Bool
    /// Tells the app, if this is the call that reports: at once, so that nothing of the next login comes before it.
    let tell: Telling
    let waiting: CheckedContinuation<LoginAnswer, Never>
}
