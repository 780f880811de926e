import Foundation

/// How a viewer at a terminal logs in.
enum LoginWay {
    /// In this machine's browser, which returns to a local port.
    case browser(LoopbackRedirect)
    /// In a browser without a window.
    case headless(user: String, password: String)
    /// On another device.
    case secondScreen

    /// Where the login ends; nil for the usual redirect, which no real browser can load.
    var redirectURL: URL? {
        if case .browser(let redirect) = self { redirect.url } else { nil }
    }
}
