import TVEModels
import TVENetworking

/// A login from a service, before it is stored.
struct NewLogin: Sendable {
    let token: AuthenticationToken
    let metadata: UserMetadata?
    /// The provider that was asked for.
    let mvpdID: MVPDID
    /// Whether the login came from the platform's sign-on.
    var isFromPlatform = false
    /// What must still be true in the moment in which the login is stored.
    var condition = Condition.always

    /// What a login depends on that the viewer has not asked for.
    enum Condition: Sendable {
        case always
        /// No other provider was chosen and no other login stored.
        case sameChoice(ChosenLogin?)
        /// The other requestor's login is stored, and the viewer has not cancelled the choice of a provider.
        case otherLogin(AuthenticationToken)
    }

    init(_ answer: AuthenticationAnswer, mvpdID: MVPDID, isFromPlatform: Bool = false) {
        token = answer.token
        metadata = answer.metadata
        self.mvpdID = mvpdID
        self.isFromPlatform = isFromPlatform
    }
}
