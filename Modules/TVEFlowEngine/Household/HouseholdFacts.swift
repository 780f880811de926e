import Foundation

/// The facts of a device's membership in a household, as far as the device stores them, and none of its secrets.
package struct HouseholdFacts: Sendable, Equatable {
    /// The way in which the device became a member.
    package enum Origin: String, Sendable {
        /// The device joined with an account of the programmer, whose id obtains a new token at any time.
        case account
        /// The device joined with a code of another device.
        case code
        /// The device made the household itself.
        case thisDevice
    }

    /// The state of the membership.
    package let membership: HouseholdMembership
    /// The way in which the device became a member, or `nil` if it is in no household.
    package var origin: Origin?
    /// The time at which the service token expires, or `nil` if there is none.
    package var tokenExpires: Date?
}
