import Foundation

/// How a person at a terminal logs in.
enum LoginWay {
    /// In the browser of this machine, which comes back to a port of it.
    case browser(LoopbackRedirect)
    /// In a browser without a window.
    case headless(user: String, password: String)
    /// On another device.
    case secondScreen

    /// Where the login ends; nil for the usual place, which no real browser can reach.
    var redirectURL: URL? {
        if case .browser(let redirect) = self { redirect.url } else { nil }
    }
}
