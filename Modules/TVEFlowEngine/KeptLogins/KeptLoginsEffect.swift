/// What the machine of kept logins requests.
enum KeptLoginsEffect: Sendable {
    /// Ask the service, and store its answer if it still counts.
    case ask(question: Int)
    /// Cancel a question; its end still is an event.
    case stop(question: Int)
    /// Let a call continue after a time limit, whether there is an answer or not.
    case limit(CallID)
    /// Let calls continue.
    case proceed([CallID])
}
