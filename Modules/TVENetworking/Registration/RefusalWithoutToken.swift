package import Foundation
import TVEModels

/// A service's refusal of a request that carries no access token, or none that is valid.
package enum RefusalWithoutToken {
    /// Returns a Boolean value that indicates whether an answer can be such a refusal.
    ///
    /// No document shows its form, apart from the status. Other servers refuse in forms of their own, or ask for a
    /// login.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - challenge: the header field `WWW-Authenticate`, if there is one.
    ///   - body: the body.
    package static func isPossible(status: Int, challenge: String?, body: Data) -> Bool {
        guard EnhancedError.read(body) == nil, OAuthErrorName.read(body) == nil else { return true }
        // A server may accept several schemes, whose list is one field or several (RFC 9110, 11.6.1).
        let challenges = challenge?.parts(separatedBy: ",") ?? ["Bearer"]
        return status == 401
            && challenges.contains { challenge in
                let scheme = JSONCursor.trimmed(String(challenge)).divided(at: " ").before
                return String(scheme).isSameBytesIgnoringASCIICase(as: "Bearer")
            }
    }
}
