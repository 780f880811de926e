import TVEModels

/// A logout of one call.
struct Logout: Sendable {
    /// A unique number; outcomes of another logout are dropped.
    let number: Int
    let call: CallID
    /// The login that was removed.
    let login: AuthenticationToken?
    /// Whether the provider's page is opened.
    let isSeen: Bool
}
