import Foundation
import TVEModels
import TVETokenCodec
import TVETokenVerification

/// Checks of the tokens that clients send back.
enum PresentedToken {
    /// Returns the AuthN token of a request with its valid session.
    ///
    /// - Parameters:
    ///   - state: the state of the sandbox.
    ///   - request: the request with the token.
    ///   - fingerprint: the fingerprint that the token must have; `nil` for a request that contains no device.
    static func authentication(
        _ state: SandboxState, _ request: SandboxRequest, boundTo fingerprint: String?
    ) throws(SandboxRefusal) -> (AuthenticationToken, Login) {
        let text = try request.required("authentication_token")
        guard isSigned(text, state), let token = try? TokenDecoder().authenticationToken(text) else { throw malformed }
        let claims = token.claims
        if let fingerprint, !claims.fingerprint.isSameBytes(as: fingerprint) {
            throw SandboxRefusal(.pendingLogout(34_764))
        }
        guard !state.judge({ token.isExpired(at: $0) }), let index = claims.samlSessionIndex,
            let login = state.login(index)
        else { throw SandboxRefusal(.pendingLogout(1)) }
        guard state.shares(claims.mvpdID, between: claims.requestorID, and: try request.requiredRequestor()) else {
            throw malformed
        }
        return (token, login)
    }

    /// Returns the AuthZ token of a request, which must belong to the device that sends it.
    static func authorization(
        _ state: SandboxState, _ request: SandboxRequest, boundTo fingerprint: String
    ) throws(SandboxRefusal) -> AuthorizationToken {
        let text = try request.required("authz_token")
        guard isSigned(text, state), let token = try? TokenDecoder().authorizationToken(text),
            token.claims.requestorID == (try request.requiredRequestor())
        else { throw malformed }
        // A request of the web dialect does not name the provider.
        if let mvpdID = request.form["mso_id"], MVPDID(mvpdID) != token.claims.mvpdID { throw malformed }
        guard token.claims.fingerprint?.isSameBytes(as: fingerprint) == true else {
            throw SandboxRefusal(.pendingLogout(58_772))
        }
        guard !state.judge({ token.isExpired(at: $0) }) else { throw SandboxRefusal(.pendingLogout(1)) }
        return token
    }

    private static let malformed = SandboxRefusal(.xmlError("invalidToken", "The token is not valid", status: 400))

    private static func isSigned(_ text: String, _ state: SandboxState) -> Bool {
        (try? TokenEnvelope(parsing: text)).map(state.key.verification.verifies) ?? false
    }
}
