import TVEModels
import TVENetworking
import TVEStorage

extension EntitlementReading {
    /// Returns a Boolean value that indicates whether a login is still stored.
    ///
    /// A login is also still stored if its copy was replaced by another copy with the same viewer's id, which a service
    /// that keeps the logins may do at any time. Copies without an id, for example because the service encrypts it, do
    /// not say whose login they are, and are treated as those of one viewer.
    func holds(_ login: AuthenticationToken, for requestorID: RequestorID) throws(StorageError) -> Bool {
        if try contains(login) { return true }
        guard login.isCopy,
            let now = try readableToken(requestorID: requestorID, mvpdID: login.claims.providerID)
        else { return false }
        return now.isOfSameViewer(as: login)
    }

    /// Returns a Boolean value that indicates whether the viewer has logged out, or logged in with another account,
    /// since a login was read.
    ///
    /// A copy may also be removed because the service no longer has the login. The viewer's choice of provider then
    /// stays, and permissions from the service remain valid. A copy may get or lose the viewer's id as well, so only
    /// two different ids are two viewers.
    ///
    /// - Parameters:
    ///   - login: the login.
    ///   - requestorID: the requestor.
    ///   - wasStored: a Boolean value that indicates whether a copy of the login was stored. Otherwise the viewer need
    ///     not have chosen a provider.
    func isLoggedOut(
        _ login: AuthenticationToken, for requestorID: RequestorID, wasStored: Bool
    ) throws(StorageError) -> Bool {
        if try holds(login, for: requestorID) { return false }
        guard login.isCopy || login.isUnknown else { return true }
        let mvpdID = login.claims.providerID
        if let now = try readableToken(requestorID: requestorID, mvpdID: mvpdID) {
            return ![login, now].contains(where: \.claims.authenticationGUID.isEmpty)
        }
        if wasStored, try currentProvider(of: requestorID) == nil { return true }
        return try unfinishedLogouts(of: requestorID).concerns(mvpdID)
    }

    /// Returns the AuthN token of a requestor with a provider, or `nil` if there is none or it cannot be read.
    private func readableToken(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) -> AuthenticationToken? {
        do throws(StorageError) {
            return try authenticationToken(requestorID: requestorID, mvpdID: mvpdID)
        } catch .invalidValue {
            return nil
        }
    }

    /// Returns the login that a requestor's viewer chose last, whether it is still valid or not.
    func chosenLogin(of requestorID: RequestorID) throws(StorageError) -> ChosenLogin {
        guard let mvpdID = try currentProvider(of: requestorID) else { return ChosenLogin() }
        return ChosenLogin(mvpdID: mvpdID, token: try readableToken(requestorID: requestorID, mvpdID: mvpdID))
    }
}

/// The provider that the viewer chose last, and the token of the login with it.
struct ChosenLogin: Equatable, Sendable {
    var mvpdID: MVPDID?
    var token: AuthenticationToken?
}

extension AuthenticationToken {
    /// Returns a placeholder for the login with a provider that has no stored copy.
    ///
    /// A service that keeps the logins may still grant requests for it.
    static func unknown(_ requestorID: RequestorID, _ mvpdID: MVPDID, fingerprint: String) -> AuthenticationToken {
        AuthenticationToken(
            text: TokenText(""),
            claims: Claims(
                authenticationGUID: "", requestorID: requestorID, expires: TokenDate(secondsSince1970: 0),
                mvpdID: mvpdID, fingerprint: fingerprint))
    }

    /// A Boolean value that indicates whether the token is only a placeholder for a login.
    fileprivate var isUnknown: Bool { text.rawValue.isEmpty }

    /// Returns a Boolean value that indicates whether another token has the same viewer's id, or neither has one.
    ///
    /// Two accounts without ids cannot be told apart.
    fileprivate func isOfSameViewer(as other: AuthenticationToken) -> Bool {
        claims.authenticationGUID.isSameBytes(as: other.claims.authenticationGUID)
    }
}
