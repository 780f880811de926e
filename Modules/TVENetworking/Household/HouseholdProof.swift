import TVEModels

/// A device's proof of its membership in a household.
package enum HouseholdProof: Sendable, Equatable, Redacting {
    /// The device belongs to no household, or its membership is unknown at the moment.
    case none
    /// A service token.
    case token(String)
    /// The single sign-on service has answered that the device was unlinked.
    case hasLeft

    /// The name of the proof without the token.
    package var redactedDescription: String {
        switch self {
        case .none: "none"
        case .token: "token"
        case .hasLeft: "hasLeft"
        }
    }
}
