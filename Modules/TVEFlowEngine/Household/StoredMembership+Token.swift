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

    /// Returns a Boolean value that indicates whether the service token need not be renewed yet.
    func isFresh(at now: Date) -> Bool { serviceToken.expires > now.addingTimeInterval(Self.renewalBeforeEnd) }

    /// The time before a token's expiry at which it is renewed: five minutes.
    private static let renewalBeforeEnd: TimeInterval = 300

    /// Requests a new token for the membership, which may turn out to have ended.
    func renewed(
        by service: HouseholdService, at clock: SessionClock
    ) async throws(HouseholdError) -> StoredMembership {
        var ended = self
        do throws(HouseholdError) {
            return withRenewedToken(try await service.renewed(serviceToken))
        } catch .tokenRefused {
            // The service refuses a token that has not expired only if the device was unlinked. With the account, a
            // device that was unlinked while it was off would join again by itself.
            ended.state = serviceToken.expires > clock.now() ? .unlinked : .ended
        } catch .tokenEnded {
            if let account { return withRenewedToken(try await service.token(forAccount: account)) }
            ended.state = .ended
        }
        return ended
    }

    /// Returns the membership with a new token of the same household.
    private func withRenewedToken(_ token: ServiceToken) -> StoredMembership {
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
