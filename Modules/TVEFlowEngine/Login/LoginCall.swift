/// A call that waits for a login.
struct LoginCall: Sendable {
    /// Tells an app what a login came to.
    typealias Telling = @Sendable (isolated EntitlementSession, AuthenticationStatus) -> Void

    /// Whether it is a question for permission, which needs a login.
    let isForPermission: Bool
    /// Tells the app, if it is this call that does: at once, so that nothing of the next login comes before it.
    let tell: Telling
    let waiting: CheckedContinuation<LoginAnswer, Never>
}
