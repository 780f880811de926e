import TVEModels
import TVENetworking

/// A login that a service gave, before it is kept.
struct NewLogin: Sendable {
    let token: AuthenticationToken
    let metadata: UserMetadata?
    /// The provider that was asked for.
    let mvpdID: String
    /// Whether the platform's sign-on brought it.
    var isFromPlatform = false

    init(_ answer: AuthenticationAnswer, mvpdID: String, isFromPlatform: Bool = false) {
        token = answer.token
        metadata = answer.metadata
        self.mvpdID = mvpdID
        self.isFromPlatform = isFromPlatform
    }
}
