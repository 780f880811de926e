import TVEModels

/// What happens to logouts.
enum LogoutEvent: Sendable {
    /// A call has removed what is stored; with `isSeen` the page of the provider is to be opened.
    case called(CallID, login: AuthenticationToken?, isSeen: Bool)
    /// A login wants to begin.
    case loginWaits(CallID)
    /// That login has ended before it began.
    case loginLeft(CallID)
    /// The redirect of a page that was left open has come.
    case redirectWasTaken
    /// The service was told, or could not be; the page that ends the login at the provider, if there is one.
    case told(BrowserPage?)
    /// The browser is at the end of the page, or the viewer has left.
    case pageEnded
    /// A time that was waited for is over.
    case waited(LogoutTimeout)
    /// A call was cancelled.
    case left(CallID)
    /// The session ends.
    case closed
}
