import TVEModels

/// What is known when an attempt may begin: read in one step, after everything before it has ended.
struct LoginFacts: Sendable {
    /// The ladder; the machine knows the provider that was just chosen.
    var ladder: AuthenticationLadder
    /// The valid login, if there is one.
    var login: AuthenticationToken?
}
