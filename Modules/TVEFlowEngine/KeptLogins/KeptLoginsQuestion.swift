/// A question to a service for the logins that it keeps.
struct KeptLoginsQuestion: Sendable {
    let number: Int
    /// How many permissions had been given when it began.
    let changes: Int
    /// The calls that wait for it.
    var calls: [CallID]
    /// Whether a change is reported: a viewer who is now logged in, or logged out.
    var isAnnounced: Bool
    /// Whether no later decision was made about who is logged in.
    var counts = true
}
