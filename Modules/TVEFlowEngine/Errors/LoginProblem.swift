/// The cause behind `TVEError.notAuthenticated`: the reason for which the viewer is not logged in.
public enum LoginProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// No login is stored.
    case missing
    /// A login is stored, but it is no longer valid.
    case expired

    /// A sentence about what was found, and one about what to do.
    public var description: String {
        switch self {
        case .missing: "The viewer is not logged in. Begin a login."
        case .expired: "The login has ended. Begin a new one."
        }
    }
}
