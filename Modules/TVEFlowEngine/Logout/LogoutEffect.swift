/// What a logout machine requests.
enum LogoutEffect: Sendable {
    /// Take the next step; its end is an event.
    case run(LogoutStep, Logout)
    /// Wait, and report it unless the logout has ended before.
    case wait(LogoutTimeout, Logout)
    /// Cancel everything that belongs to a logout.
    case stop(logout: Int)
    /// Report that the viewer is logged out, as the answer to a call.
    case announce(CallID)
    /// Answer calls.
    case answer([CallID])
    /// Let waiting logins begin.
    case proceed([CallID])
}

/// A step of a logout.
enum LogoutStep: Sendable {
    /// End the login at the service, and remove everything else that it keeps for this device.
    case tell
    case show(BrowserPage)
}
