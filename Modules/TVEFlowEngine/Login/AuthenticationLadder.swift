import TVEModels

/// The decision about the next step of a login (API reference, decision ladder of `getAuthentication`), with the facts
/// on which an attempt is based.
///
/// The facts are read in one step, after all earlier work has ended.
struct AuthenticationLadder: Sendable {
    /// The valid login, if there is one.
    var login: AuthenticationToken?
    /// A Boolean value that indicates whether the caller wants a login even if the viewer is logged in.
    var isForced = false
    /// The ids of the providers that the requestor works with; `nil` if no configuration has been needed yet, or if an
    /// old one has no providers.
    var providers: [MVPDID]?
    /// The provider chosen through `selectProvider`, which skips the picker once.
    ///
    /// The machine adds it.
    var preselected: MVPDID?
    /// A Boolean value that indicates whether the platform has its own sign-on and the requestor works with it.
    var hasPlatformSignOn = false
    /// The provider of the last login.
    var remembered: MVPDID?
    /// A Boolean value that indicates whether the provider of the last login is a TempPass, which a forced login renews
    /// without asking.
    var remembersTempPass = false
    /// A Boolean value that indicates whether the last login succeeded and no failed login has followed it.
    var lastLoginSucceeded = false
    /// A Boolean value that indicates whether the provider of the last login needs no picker.
    var skipsPicker = true

    /// The next step of a login.
    enum Step: Equatable {
        case alreadyAuthenticated(AuthenticationToken)
        case noProviders
        case logInWith(MVPDID)
        case chooseProvider
        case askPlatform
    }

    /// The first row of the ladder that applies.
    ///
    /// A provider that the viewer has just chosen comes before the platform. The documents have the opposite order,
    /// which would prompt a viewer twice.
    var next: Step {
        if let login, !isForced { return .alreadyAuthenticated(login) }
        if providers?.isEmpty == true { return .noProviders }
        if let preselected, mayWork(with: preselected) { return .logInWith(preselected) }
        if isForced, remembersTempPass, let remembered, mayWork(with: remembered) {
            return .logInWith(remembered)
        }
        if hasPlatformSignOn { return .askPlatform }
        if skipsPicker, let remembered, lastLoginSucceeded, mayWork(with: remembered) { return .logInWith(remembered) }
        return .chooseProvider
    }

    private func mayWork(with mvpdID: MVPDID) -> Bool { providers?.contains(mvpdID) ?? true }
}
