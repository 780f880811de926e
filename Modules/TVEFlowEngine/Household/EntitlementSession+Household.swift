public import TVEModels
public import TVENetworking

/// One login for the devices of a household.
extension EntitlementSession {
    /// Joins a household with the code of another device, and looks for the household's login; see
    /// ``Household/join(code:)``.
    ///
    /// - Parameter code: the code as the viewer typed it.
    /// - Returns: whether the viewer is logged in now. A household in which nobody has logged in yet has no login.
    /// - Throws: `TVEError`: what ``Household/join(code:)`` and ``start(using:)`` throw. After an error of the start the
    ///   device is a member, and the next start looks for the login.
    @discardableResult
    public func joinHousehold(code: LinkCode) async throws(TVEError) -> AuthenticationStatus {
        guard let household else { throw .noHouseholds }
        try await household.join(code: code)
        return try await statusInHousehold()
    }

    /// Joins the household of an account of the programmer, and looks for the household's login; see
    /// ``Household/join(account:)``.
    ///
    /// - Parameter account: the id of the account, the same on every device.
    /// - Returns: whether the viewer is logged in now.
    /// - Throws: `TVEError`: what ``Household/join(account:)`` and ``start(using:)`` throw.
    @discardableResult
    public func joinHousehold(account: String) async throws(TVEError) -> AuthenticationStatus {
        guard let household else { throw .noHouseholds }
        try await household.join(account: account)
        return try await statusInHousehold()
    }

    private func statusInHousehold() async throws(TVEError) -> AuthenticationStatus {
        // A question from before the device was a member cannot find the household's login.
        await refreshFlow?.giveWay(on: self)
        // A logout of which the service has not heard comes first, and hides the logins that are found behind it.
        let hasUntold = (try? logins.unfinishedLogouts().isEmpty) == false
        try await start()
        if hasUntold { try await start() }
        return authenticationStatus()
    }

    /// Logs the viewer out on every device of the household; see ``logout(using:)``.
    ///
    /// The devices stay linked. Without an answer of the service only this device is logged out, and leaves the household
    /// so that it does not find the login again.
    ///
    /// - Parameter presenter: opens the logout page; with nil no page is opened.
    /// - Throws: `TVEError`: `notInHousehold`, `serviceUnreachable` when the service has not heard of it, and what
    ///   ``logout(using:)`` throws.
    public func logoutHousehold(using presenter: (any AuthenticationPresenter)? = nil) async throws(TVEError) {
        guard let household, try household.membership() == .member else { throw .notInHousehold }
        let logout = HouseholdLogout()
        let answer: Result<Void, TVEError> = await logout.run {
            await result(ofLogout: nil, using: presenter)
        }
        try answer.get()
        guard !logout.wasTold else { return }
        try household.forget()
        throw TVEError(
            .serviceUnreachable,
            message: "The viewer is logged out on this device. The service was not reached for the others.")
    }
}

extension TVEError {
    static let noHouseholds = TVEError(
        .householdNotOffered, message: "The classic services have no households: the session needs REST API v2.")
}
