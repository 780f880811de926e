import TVEModels

/// The decision about the next step of a login (API reference, decision ladder of `getAuthentication`).
package struct AuthenticationLadder {
    package var hasValidToken: Bool
    /// A Boolean value that indicates whether the caller wants a login even if the viewer is logged in.
    package var isForced: Bool
    /// The ids of the providers that the requestor works with; `nil` if no configuration has been needed yet.
    package var providers: [MVPDID]?
    /// The provider chosen through `selectProvider`, which skips the picker once.
    package var preselected: MVPDID?
    /// A Boolean value that indicates whether the platform has its own sign-on and the requestor works with it.
    package var hasPlatformSignOn: Bool
    /// The provider of the last login.
    package var remembered: MVPDID?
    /// A Boolean value that indicates whether the provider of the last login is a TempPass, which a forced login renews
    /// without asking.
    package var remembersTempPass: Bool
    /// A Boolean value that indicates whether the last login succeeded and no failed login has followed it.
    package var lastLoginSucceeded: Bool

    package init(
        hasValidToken: Bool = false, isForced: Bool = false, providers: [MVPDID]?, preselected: MVPDID? = nil,
        hasPlatformSignOn: Bool = false, remembered: MVPDID? = nil, remembersTempPass: Bool = false,
        lastLoginSucceeded: Bool = false
    ) {
        self.hasValidToken = hasValidToken
        self.isForced = isForced
        self.providers = providers
        self.preselected = preselected
        self.hasPlatformSignOn = hasPlatformSignOn
        self.remembered = remembered
        self.remembersTempPass = remembersTempPass
        self.lastLoginSucceeded = lastLoginSucceeded
    }

    /// The next step of a login.
    package enum Step: Equatable {
        case alreadyAuthenticated
        case noProviders
        case logInWith(MVPDID)
        case chooseProvider
        case askPlatform
    }

    /// The first row of the ladder that applies.
    ///
    /// A provider that the viewer has just chosen comes before the platform. The documents have the opposite order,
    /// which would prompt a viewer twice.
    package var next: Step {
        if hasValidToken && !isForced { return .alreadyAuthenticated }
        if providers?.isEmpty == true { return .noProviders }
        if let preselected, mayWork(with: preselected) { return .logInWith(preselected) }
        if isForced, remembersTempPass, let remembered, mayWork(with: remembered) {
            return .logInWith(remembered)
        }
        if hasPlatformSignOn { return .askPlatform }
        if let remembered, lastLoginSucceeded, mayWork(with: remembered) { return .logInWith(remembered) }
        return .chooseProvider
    }

    private func mayWork(with mvpdID: MVPDID) -> Bool { providers?.contains(mvpdID) ?? true }
}
