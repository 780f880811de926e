import Foundation
import TVENetworking
import TVEStorage

extension StoredMembership {
    /// Creates the membership that a service token stands for.
    ///
    /// - Parameters:
    ///   - account: the id of the viewer's account, or `nil` if the device joined with a code.
    ///   - isMadeHere: a Boolean value that indicates whether this device has made the household, or `nil` if it joined
    ///     with a code.
    init(_ token: ServiceToken, account: String? = nil, isMadeHere: Bool? = nil) {
        self.init(token: token.value, expires: token.expires, account: account)
        self.isMadeHere = isMadeHere
    }

    /// The service token of the membership.
    var serviceToken: ServiceToken { ServiceToken(value: token, expires: Date(timeIntervalSince1970: expires)) }

    /// Returns the membership with a new token of the same household.
    func withRenewedToken(_ token: ServiceToken) -> StoredMembership {
        StoredMembership(token, account: account, isMadeHere: isMadeHere)
    }

    /// The proof of the membership that a request carries.
    var proof: HouseholdProof {
        switch state {
        case .member: .token(token)
        case .ended: .none
        case .unlinked, .left: .hasLeft
        }
    }
}
