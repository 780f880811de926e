import TVEModels

/// Events of logouts.
enum LogoutEvent: Sendable {
    /// A call has removed what is stored; with `isSeen` the provider's page is opened.
    case called(CallID, login: AuthenticationToken?, isSeen: Bool)
    /// A login wants to begin.
    case loginWaits(CallID)
    /// The waiting login has ended before it began.
    case loginLeft(CallID)
    /// The redirect of a page that was left open has come.
    case redirectWasTaken
    /// The service was told, or could not be; with the page that ends the login at the provider, if there is one.
    case told(BrowserPage?)
    /// The browser is at the end of the page, or the viewer has left.
    case pageEnded
    /// A time limit has passed.
    case waited(LogoutTimeout)
    /// A call was cancelled.
    case left(CallID)
    /// The session ends.
    case closed
}
