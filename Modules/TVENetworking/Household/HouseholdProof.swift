/// What a device can show for its membership in a household.
package enum HouseholdProof: Sendable, Equatable {
    /// The device is in no household, or nobody can tell now.
    case none
    /// A service token.
    case token(String)
    /// The single sign-on service has said that the device was unlinked.
    case hasLeft
}
