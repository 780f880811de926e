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
    /// Whether another token is for the same viewer's account.
    func isOfSameViewer(as other: AuthenticationToken) -> Bool {
        claims.authenticationGUID.isSameBytes(as: other.claims.authenticationGUID)
    }
}
