import Foundation
import TVENetworking
import TVEStorage

extension StoredMembership {
    /// Creates the membership that a service token stands for.
    ///
    /// - Parameter account: the id of the viewer's account, or `nil` if the device joined with a code.
    init(_ token: ServiceToken, account: String? = nil) {
        self.init(token: token.value, expires: token.expires, account: account)
    }

    /// The service token of the membership.
    var serviceToken: ServiceToken { ServiceToken(value: token, expires: Date(timeIntervalSince1970: expires)) }

    /// Returns the membership with a new token of the same household.
    func withRenewedToken(_ token: ServiceToken) -> StoredMembership {
        var renewed = StoredMembership(token, account: account)
        renewed.isMadeHere = isMadeHere
        return renewed
    }
}
