import TVEModels

/// The session's state of the platform's sign-on.
struct PlatformFlow {
    /// The platform's status at the last start, for calls that ask why the viewer is not logged in.
    var note: StatusEvent?
    /// Whether the service knows the platform's status; without it, the service does not mention logins from the
    /// platform.
    var hasStatus = false
}
