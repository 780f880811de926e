import TVEModels

/// What a request to log in does next (API reference, decision ladder of `getAuthentication`).
package struct AuthenticationLadder {
    package var hasValidToken: Bool
    /// Whether the caller wants a login anyway.
    package var isForced: Bool
    /// Ids of the providers the requestor works with; nil when no configuration was needed yet.
    package var providers: [MVPDID]?
    /// The provider chosen through `selectProvider`, which skips the picker once.
    package var preselected: MVPDID?
    /// Whether the platform has its own sign-on and the requestor works with it.
    package var hasPlatformSignOn: Bool
    /// The provider of the last login.
    package var remembered: MVPDID?
    /// Whether the provider of the last login is a TempPass, which a forced login renews without asking.
    package var remembersTempPass: Bool
    /// Whether that login succeeded and was not followed by a failed one.
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

    /// What comes next.
    package enum Step: Equatable {
        case alreadyAuthenticated
        case noProviders
        case logInWith(MVPDID)
        case chooseProvider
        case askPlatform
    }

    /// The first row of the ladder that applies.
    ///
    /// A provider that the viewer has just chosen comes before the platform: the documents have the opposite order,
    /// which would ask a viewer twice.
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
