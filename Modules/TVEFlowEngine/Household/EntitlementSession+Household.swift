public import TVEModels
public import TVENetworking

/// Calls that join and leave a household, whose devices share one login.
extension EntitlementSession {
    /// Joins a household with the code of another device, and requests the household's login; see
    /// ``Household/join(code:)``.
    ///
    /// - Parameter code: the code as the viewer typed it.
    /// - Returns: the authentication status after joining. A household in which nobody has logged in yet has no login.
    /// - Throws: `TVEError`: the errors of ``Household/join(code:)`` and ``start(using:)``. If the start fails, the
    ///   device is a member of the household, and the next start requests the login.
    @discardableResult
    public func joinHousehold(code: LinkCode) async throws(TVEError) -> AuthenticationStatus {
        guard let household else { throw .noHouseholds }
        try await household.join(code: code)
        return try await statusInHousehold()
    }

    /// Joins the household of an account of the programmer, and requests the household's login; see
    /// ``Household/join(account:)``.
    ///
    /// - Parameter account: the id of the account, the same on every device.
    /// - Returns: the authentication status after joining.
    /// - Throws: `TVEError`: the errors of ``Household/join(account:)`` and ``start(using:)``.
    @discardableResult
    public func joinHousehold(account: String) async throws(TVEError) -> AuthenticationStatus {
        guard let household else { throw .noHouseholds }
        try await household.join(account: account)
        return try await statusInHousehold()
    }

    private func statusInHousehold() async throws(TVEError) -> AuthenticationStatus {
        // A request that was sent before the device became a member cannot find the household's login, and neither can
        // a start that is under way.
        await startFlow.task?.value
        await refreshFlow?.endBeforeLogin(on: self)
        // If a logout is pending, the first start sends it and ignores the logins that the service returns. The second
        // start finds the household's login.
        let hadPendingLogout = hasPendingLogout
        try await start()
        if hadPendingLogout { try await start() }
        // If a login is stored, a start does not wait for the service. A stored household login may be that of an
        // earlier household, so this waits for the answer.
        if let readable = logins.readable, logins.kind(of: readable) == .serviceToken {
            await refreshFlow?.settled(on: self)
        }
        return authenticationStatus()
    }

    /// Logs the viewer out on every device of the household; see ``logout(using:)``.
    ///
    /// The devices stay linked. If the service does not answer, or does not end every login of the household, only this
    /// device is logged out. It then leaves the household so that it does not receive a shared login again.
    ///
    /// - Parameter presenter: the presenter that opens the logout page. Pass `nil` to open no page.
    /// - Throws: `TVEError`: `notInHousehold`, `serviceUnreachable` with the recovery `none` if the service may have
    ///   kept a login, and the errors of ``logout(using:)``.
    public func logoutHousehold(using presenter: (any AuthenticationPresenter)? = nil) async throws(TVEError) {
        guard let household, try household.membership() == .member else { throw .notInHousehold }
        let answer: Void? = try await household.householdLogouts.run { [self] () async throws(TVEError) -> Void in
            try await logOutHousehold(household, using: presenter)
        }
        // A caller that is cancelled does not learn whether the service received the logout.
        if answer == nil { throw .householdNotReached }
    }

    private func logOutHousehold(
        _ household: Household, using presenter: (any AuthenticationPresenter)?
    ) async throws(TVEError) {
        // Without the household's token the service would end the logins of this device alone.
        guard case .token = await household.proof(isRenewed: false) else {
            try await logout(using: presenter)
            throw .householdNotReached
        }
        let logout = HouseholdWideLogout()
        try await logout.run { await self.logout(ofOnly: nil, using: presenter) }.get()
        guard !logout.hasEndedAllLogins else { return }
        try household.forget()
        throw .householdNotReached
    }
}

extension TVEError {
    fileprivate static let householdNotReached = TVEError(
        .serviceUnreachable,
        message: "The viewer is logged out on this device, but perhaps not on the others. Log out on them as well.",
        // This device has left the household, so a second call could not reach the others either.
        recovery: TVEError.Recovery.none)
    static let noHouseholds = TVEError(
        .householdNotOffered, message: "The classic services have no households: the session needs REST API v2.")
}
