import Foundation
import TVENetworking
import TVEStorage

extension StoredMembership {
    /// Creates the membership that a service token stands for.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - received: the time at which the device received the token.
    ///   - account: the id of the viewer's account, or `nil` if the device joined with a code.
    ///   - isMadeHere: a Boolean value that indicates whether this device has made the household, or `nil` if it joined
    ///     with a code.
    init(_ token: ServiceToken, receivedAt received: Date, account: String? = nil, isMadeHere: Bool? = nil) {
        self.init(token: token.value, expires: token.expires, account: account)
        self.isMadeHere = isMadeHere
        self.received = received.timeIntervalSince1970
    }

    /// The service token of the membership.
    var serviceToken: ServiceToken { ServiceToken(value: token, expires: Date(timeIntervalSince1970: expires)) }

    /// Returns a Boolean value that indicates whether the service token need not be renewed yet.
    ///
    /// The expiry is a time of the device's clock. If the clock was set back after the device received the token, the
    /// token may have expired.
    func isFresh(at now: Date) -> Bool {
        let wasSetBack = received.map { now.timeIntervalSince1970 < $0 - Self.toleratedCorrection } ?? false
        return !wasSetBack && serviceToken.expires > now.addingTimeInterval(Self.renewalBeforeEnd)
    }

    /// The time before a token's expiry at which it is renewed: five minutes.
    private static let renewalBeforeEnd: TimeInterval = 300
    /// The time by which a system may correct its clock without any effect on the token: one minute.
    private static let toleratedCorrection: TimeInterval = 60

    /// Requests a new token for the membership, which may turn out to have ended.
    func renewed(
        by service: HouseholdService, at clock: SessionClock
    ) async throws(HouseholdError) -> StoredMembership {
        var ended = self
        do throws(HouseholdError) {
            return withRenewedToken(try await service.renewed(serviceToken), receivedAt: clock.now())
        } catch .tokenRefused {
            // The service refuses a token that has not expired only if the device was unlinked. With the account, a
            // device that was unlinked while it was off would join again by itself.
            ended.state = serviceToken.expires > clock.now() ? .unlinked : .ended
        } catch .tokenEnded {
            if let account {
                return withRenewedToken(try await service.token(forAccount: account), receivedAt: clock.now())
            }
            ended.state = .ended
        }
        return ended
    }

    /// Returns the membership with a new token of the same household.
    private func withRenewedToken(_ token: ServiceToken, receivedAt received: Date) -> StoredMembership {
        StoredMembership(token, receivedAt: received, account: account, isMadeHere: isMadeHere)
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
