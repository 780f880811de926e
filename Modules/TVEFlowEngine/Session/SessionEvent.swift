public import TVEModels
public import TVEStorage
public import TVETracking

/// Something a session reports beside the results of its calls.
public enum SessionEvent: Sendable {
    /// An advanced status, as the `status` callback reports it.
    case status(StatusEvent)
    /// A tracking event, and what the service said about this client.
    case tracking(TrackingEvent, TrackedClient)
    /// An answer to "who is logged in": to the question itself, and when a login, a logout, a choice of provider or the
    /// service changes it.
    case authentication(AuthenticationStatus)
    /// The check of the store that the housekeeping asks for was done.
    case integrity(IntegrityReport)
    /// A call has ended; how, and how long it took.
    case completed(CallReport)
}
