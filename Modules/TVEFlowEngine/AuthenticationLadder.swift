/// Which way a request to log in takes (API reference, decision ladder of `getAuthentication`).
struct AuthenticationLadder {
    /// Whether a valid token is at hand.
    var hasValidToken: Bool
    /// Whether the caller wants a login even so.
    var isForced: Bool
    /// Ids of the providers the requestor works with.
    var providers: [String]
    /// The provider chosen through `selectProvider`, which skips the picker once.
    var preselected: String?
    /// The provider of the last login.
    var remembered: String?
    /// Whether that login succeeded and was not followed by a failed one.
    var canAuthenticate: Bool

    /// What comes next.
    enum Step: Equatable {
        case alreadyAuthenticated
        case noProviders
        case logIn(String)
        case chooseProvider
    }

    /// The first row of the ladder that holds.
    var next: Step {
        if hasValidToken && !isForced { return .alreadyAuthenticated }
        if providers.isEmpty { return .noProviders }
        if let preselected, providers.contains(preselected) { return .logIn(preselected) }
        if let remembered, canAuthenticate, providers.contains(remembered) { return .logIn(remembered) }
        return .chooseProvider
    }
}
