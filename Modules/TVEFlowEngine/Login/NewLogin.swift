import TVEModels

/// A login that a service gave, before it is kept.
struct NewLogin: Sendable {
    let token: AuthenticationToken
    let metadata: UserMetadata?
    /// The provider that was asked for.
    let mvpdID: String
    /// Whether the platform's sign-on brought it.
    var isFromPlatform = false
}
