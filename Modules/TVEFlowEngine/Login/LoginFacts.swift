import TVEModels

/// What is known when an attempt to log in may begin: read in one go, after everything that came before has ended.
struct LoginFacts: Sendable {
    /// The ladder; the machine knows the provider that was just chosen.
    var ladder: AuthenticationLadder
    /// The valid login at hand.
    var login: AuthenticationToken?
}
