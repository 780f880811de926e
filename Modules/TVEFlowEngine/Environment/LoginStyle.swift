/// Where a viewer logs in.
public enum LoginStyle: Sendable, Hashable {
    /// In a browser on this device.
    case browser
    /// On another device, with a code that this device shows.
    case secondScreen

    /// The style of this system: a second screen on tvOS, a browser on other systems.
    public static var ofThisSystem: LoginStyle { style(of: .this) }

    /// The style of a system.
    package static func style(of system: DeviceFacts.System) -> LoginStyle {
        system == .tvOS ? .secondScreen : .browser
    }
}

/// Which browser opens the pages of logins over REST API v2; in the classic dialect the configuration says it for each
/// TV provider.
public enum LoginBrowser: Sendable, Hashable {
    /// The system's: an authentication session of the system, or Safari shown by the app. Several TV providers refuse
    /// every other one.
    case system
    /// A web view of the app.
    case webView
}
