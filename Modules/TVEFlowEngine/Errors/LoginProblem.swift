/// The cause behind `TVEError.notAuthenticated`: the reason for which the viewer is not logged in.
public enum LoginProblem: Error, Sendable, Hashable {
    /// No login is stored.
    case missing
    /// A login is stored, but it is no longer valid.
    case expired
}
