import TVEModels

/// What the session knows from the platform's sign-on.
struct PlatformFlow {
    /// What it had to say at the last start, for those who ask why nobody is logged in.
    var note: StatusEvent?
    /// Whether the service knows what it says; without, the service does not mention logins that came from there.
    var hasStatus = false
}
