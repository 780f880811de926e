package import TVENetworking

/// The screen on which a viewer logs in.
public enum LoginStyle: Sendable, Hashable {
    /// The viewer logs in in a browser on this device.
    case browser
    /// The viewer logs in on another device, with a code that this device shows.
    case secondScreen

    /// The default style of this system: a second screen on tvOS, a browser on other systems.
    public static var ofThisSystem: LoginStyle { style(of: .this) }

    /// Returns the default style of a system.
    package static func style(of system: DeviceFacts.System) -> LoginStyle {
        system == .tvOS ? .secondScreen : .browser
    }
}

/// The browser that opens the login pages of REST API v2.
///
/// In the classic dialect the configuration names the browser for each TV provider.
public enum LoginBrowser: Sendable, Hashable {
    /// The system's browser: an authentication session of the system, or Safari presented by the app.
    ///
    /// Several TV providers refuse every other browser.
    case system
    /// A web view of the app.
    case webView
}
