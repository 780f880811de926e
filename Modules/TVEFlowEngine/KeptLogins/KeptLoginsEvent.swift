/// What happens to the question which logins the service keeps.
enum KeptLoginsEvent: Sendable {
    /// A call needs the service's word.
    case wanted(CallID, isAnnounced: Bool, uptime: Duration)
    /// The service is to be asked while the caller goes on; unless it was asked just now.
    case wantedInBackground(isForced: Bool, uptime: Duration)
    /// A call needs what the provider tells about the viewer now.
    case metadataWanted(CallID, uptime: Duration)
    /// A permission was given, which may change what the provider tells.
    case permissionGiven
    /// It was decided here who is logged in.
    case decided
    /// A login wants to begin.
    case loginWaits(CallID)
    /// A question has come to its end, cut short or not.
    case ended(question: Int, isTaken: Bool, uptime: Duration)
    /// A call was cancelled, or has waited long enough.
    case left(CallID)
    case closed
}
