/// What the machine of kept logins wants done.
enum KeptLoginsEffect: Sendable {
    /// Ask the service, and take its answer over if it still counts.
    case ask(question: Int)
    /// Cancel a question; its end is an event all the same.
    case stop(question: Int)
    /// Let a call go on after a while, whether there is an answer or not.
    case limit(CallID)
    /// Let calls go on.
    case proceed([CallID])
}
