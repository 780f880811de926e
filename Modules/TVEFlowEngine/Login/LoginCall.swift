/// A call that waits for a login.
struct LoginCall: Sendable {
    /// Whether it is a question for permission, which needs a login.
    let isForPermission: Bool
    let resume: @Sendable (LoginResult) -> Void
}
