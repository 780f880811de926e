import TVEModels
import TVENetworking

/// A login from a service, before it is stored.
struct NewLogin: Sendable {
    let token: AuthenticationToken
    let metadata: UserMetadata?
    /// The provider that was asked for.
    let mvpdID: String
    /// Whether the login came from the platform's sign-on.
    var isFromPlatform = false

    init(_ answer: AuthenticationAnswer, mvpdID: String, isFromPlatform: Bool = false) {
        token = answer.token
        metadata = answer.metadata
        self.mvpdID = mvpdID
        self.isFromPlatform = isFromPlatform
    }
}
