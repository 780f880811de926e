import TVEModels
import TVENetworking
import TVEStorage

extension EntitlementReading {
    /// Whether a login is still stored, or its copy was replaced by another copy of the same viewer's login, which a
    /// service that keeps the logins may do at any time.
    func holds(_ login: AuthenticationToken, for requestorID: String) throws(StorageError) -> Bool {
        if try contains(login) { return true }
        guard login.isCopy, let mvpdID = try currentProvider(of: requestorID),
            mvpdID.isSameBytes(as: login.claims.providerID),
            let now = try readableToken(requestorID: requestorID, mvpdID: mvpdID)
        else { return false }
        return now.claims.authenticationGUID.isSameBytes(as: login.claims.authenticationGUID)
    }

    /// The AuthN token of a requestor with a provider; nil when there is none or it cannot be read.
    func readableToken(requestorID: String, mvpdID: String) throws(StorageError) -> AuthenticationToken? {
        do throws(StorageError) {
            return try authenticationToken(requestorID: requestorID, mvpdID: mvpdID)
        } catch .invalidValue {
            return nil
        }
    }

    /// The login that a requestor's viewer chose last, whether still valid or not.
    func chosenLogin(of requestorID: String) throws(StorageError) -> ChosenLogin {
        let mvpdID = try currentProvider(of: requestorID)
        guard let mvpdID else { return ChosenLogin() }
        let token = try readableToken(requestorID: requestorID, mvpdID: mvpdID)
        return ChosenLogin(mvpdID: ExactText(mvpdID), text: token?.text)
    }
}

/// The provider that the viewer chose last, and the token of the login with it.
struct ChosenLogin: Equatable, Sendable {
    var mvpdID: ExactText?
    var text: TokenText?
}
