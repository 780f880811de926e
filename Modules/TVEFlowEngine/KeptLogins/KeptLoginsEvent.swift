/// Events about the question which logins the service keeps.
enum KeptLoginsEvent: Sendable {
    /// A call needs the service's answer.
    case wanted(CallID, isAnnounced: Bool, uptime: Duration)
    /// The service is to be asked while the caller continues, unless it was asked recently.
    case wantedInBackground(isForced: Bool, uptime: Duration)
    /// A call needs the provider's current metadata about the viewer.
    case metadataWanted(CallID, uptime: Duration)
    /// A permission was given, which may change the provider's metadata.
    case permissionGiven
    /// This device has decided who is logged in.
    case decided
    /// A login wants to begin.
    case loginWaits(CallID)
    /// A question has ended, completely or not.
    case ended(question: Int, isTaken: Bool, uptime: Duration)
    /// A call was cancelled, or has waited long enough.
    case left(CallID)
    case closed
}
