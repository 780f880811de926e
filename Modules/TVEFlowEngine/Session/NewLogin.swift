import TVEModels
import TVENetworking

/// A login from a service, before it is stored.
struct NewLogin: Sendable {
    let answer: AuthenticationAnswer
    /// The provider that was requested.
    let mvpdID: MVPDID
    /// A Boolean value that indicates whether the login is a token that the service gave for the platform's answer.
    ///
    /// The copy of a profile states itself that it came from the platform's sign-on.
    var isTokenOfPlatform = false
    /// The condition that must still hold when the login is stored.
    var condition = Condition.always

    /// A condition on a login that the viewer did not request.
    enum Condition: Sendable {
        case always
        /// No other provider has been chosen and no other login has been stored.
        case sameChoice(ChosenLogin?)
        /// The other requestor's login is stored, and the viewer has not cancelled the choice of a provider.
        case otherLogin(AuthenticationToken)
    }
}
