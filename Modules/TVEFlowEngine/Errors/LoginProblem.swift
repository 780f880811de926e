/// Why the viewer is not logged in: the cause behind `TVEError.notAuthenticated`.
public enum LoginProblem: Error, Sendable, Hashable {
    /// There is no login.
    case missing
    /// There is a login, but it is not valid any more.
    case expired
}

extension LoginProblem: CustomStringConvertible {
    /// A sentence about what was found, and one about what to do.
    public var description: String {
        switch self {
        case .missing: "The viewer is not logged in. Begin a login."
        case .expired: "The login has ended. Begin a new one."
        }
    }
}
