/// Why nobody is logged in: the cause behind `TVEError.notAuthenticated`.
public enum LoginProblem: Error, Sendable, Hashable {
    /// There is no login.
    case missing
    /// There is one, and it does not count any longer.
    case expired
}
