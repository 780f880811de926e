import TVEModels
import TVENetworking
import TVEStorage

extension EntitlementReading {
    /// Whether a login is still stored, or its copy was replaced by another copy of the same viewer's login, which a
    /// service that keeps the logins may do at any time.
    func holds(_ login: AuthenticationToken, for requestorID: RequestorID) throws(StorageError) -> Bool {
        if try contains(login) { return true }
        guard login.isCopy,
            let now = try readableToken(requestorID: requestorID, mvpdID: login.claims.providerID)
        else { return false }
        return now.isOfSameViewer(as: login)
    }

    /// Whether the viewer has logged out, or logged in with another account, since a login was looked at.
    ///
    /// A copy may also vanish because the service has no such login any more. The viewer's choice of provider then stays,
    /// and what the service has permitted is not taken back.
    func isLoggedOut(_ login: AuthenticationToken, for requestorID: RequestorID) throws(StorageError) -> Bool {
        if try holds(login, for: requestorID) { return false }
        guard login.isCopy || login.isUnknown else { return true }
        let mvpdID = login.claims.providerID
        if try readableToken(requestorID: requestorID, mvpdID: mvpdID) != nil { return !login.isUnknown }
        guard try currentProvider(of: requestorID) != nil else { return true }
        return try unfinishedLogouts(of: requestorID).concerns(mvpdID)
    }

    /// The AuthN token of a requestor with a provider; nil when there is none or it cannot be read.
    func readableToken(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) -> AuthenticationToken? {
        do throws(StorageError) {
            return try authenticationToken(requestorID: requestorID, mvpdID: mvpdID)
        } catch .invalidValue {
            return nil
        }
    }

    /// The login that a requestor's viewer chose last, whether still valid or not.
    func chosenLogin(of requestorID: RequestorID) throws(StorageError) -> ChosenLogin {
        let mvpdID = try currentProvider(of: requestorID)
        guard let mvpdID else { return ChosenLogin() }
        let token = try readableToken(requestorID: requestorID, mvpdID: mvpdID)
        return ChosenLogin(mvpdID: mvpdID, text: token?.text)
    }
}

/// The provider that the viewer chose last, and the token of the login with it.
struct ChosenLogin: Equatable, Sendable {
    var mvpdID: MVPDID?
    var text: TokenText?
}

extension AuthenticationToken {
    /// A stand-in for the login with a provider of which no copy is left: a service that keeps the logins may still permit
    /// what it is asked for.
    static func unknown(_ requestorID: RequestorID, _ mvpdID: MVPDID, fingerprint: String) -> AuthenticationToken {
        AuthenticationToken(
            text: TokenText(""),
            claims: Claims(
                authenticationGUID: "", requestorID: requestorID, expires: TokenDate(secondsSince1970: 0),
                mvpdID: mvpdID, fingerprint: fingerprint))
    }

    /// Whether this only stands in for a login.
    var isUnknown: Bool { text.rawValue.isEmpty }

    /// Whether another token is for the same viewer's account.
    func isOfSameViewer(as other: AuthenticationToken) -> Bool {
        claims.authenticationGUID.isSameBytes(as: other.claims.authenticationGUID)
    }
}
