public import TVEModels
public import TVEStorage
public import TVETracking

/// Something a session reports in addition to the results of its calls.
public enum SessionEvent: Sendable {
    /// An advanced status, as the `status` callback reports it.
    case status(StatusEvent)
    /// A tracking event, and how the service describes this client.
    case tracking(TrackingEvent, TrackedClient)
    /// An answer to "who is logged in": to the question itself, and when a login, a logout, a choice of provider or the
    /// service changes it.
    case authentication(AuthenticationStatus)
    /// A login ends within ``EntitlementSession/noticeOfLoginEnd``, at the profile's `expires`: a good moment to offer
    /// another login. Once for each login in a session, when a call first finds it so; there is no timer.
    case loginEndsSoon(Profile)
    /// The store was checked as the housekeeping requests.
    case integrity(IntegrityReport)
    /// A call has ended; with its outcome and duration.
    case completed(CallReport)
}
