/// What a logout machine wants done.
enum LogoutEffect: Sendable {
    /// Take the next step; its end is an event.
    case run(LogoutStep, Logout)
    /// Wait, and say so, unless the logout has ended before.
    case wait(LogoutTimeout, Logout)
    /// Cancel whatever belongs to a logout.
    case stop(logout: Int)
    /// Report that nobody is logged in any more, as the answer to a call.
    case announce(CallID)
    /// Answer calls.
    case answer([CallID])
    /// Let logins begin that waited.
    case proceed([CallID])
}

/// A step of a logout.
enum LogoutStep: Sendable {
    /// End the login at the service, and whatever else it keeps for this device.
    case tell
    case show(BrowserPage)
}
