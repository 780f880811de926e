/// Why the viewer is not logged in: the cause behind `TVEError.notAuthenticated`.
public enum LoginProblem: Error, Sendable, Hashable {
    /// There is no login.
    case missing
    /// There is a login, but it is not valid any more.
    case expired
}
