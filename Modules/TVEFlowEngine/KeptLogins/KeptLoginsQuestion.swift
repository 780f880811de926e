/// A question to a service for the logins that it keeps.
struct KeptLoginsQuestion: Sendable {
    let number: Int
    /// How many permissions had been given when it began.
    let changes: Int
    /// The calls that wait for it.
    var calls: [CallID]
    /// Whether a viewer who turns out to be logged in, or out, is reported.
    var isAnnounced: Bool
    /// Whether nobody has decided since who is logged in.
    var counts = true
}
