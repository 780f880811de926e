/// Where a viewer logs in.
public enum LoginStyle: Sendable, Hashable {
    /// In a browser on this device.
    case browser
    /// On another device, with a code that this device shows.
    case secondScreen

    /// The style of this system: a second screen on tvOS, a browser on other systems.
    public static var ofThisSystem: LoginStyle {
        #if os(tvOS)
        .secondScreen
        #else
        .browser
        #endif
    }
}
