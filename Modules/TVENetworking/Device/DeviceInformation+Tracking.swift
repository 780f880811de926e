/// The terms that tracking events have for a client.
///
/// The classic services derive them from the client's user agent. REST API v2 has no such terms.
extension DeviceInformation {
    /// The kind of device, or nil if tracking has no word for it.
    package var trackedDeviceType: String? {
        switch (hardwareType, osName) {
        // These systems do not report the kind of device, and the classic services treat their clients as computers.
        case (.desktop, _), (nil, .linux), (nil, .windows): "computer"
        case (.tablet, _): "tablet"
        case (.mobilePhone, _): "mobile"
        case (.gamesConsole, _): "gameconsole"
        default: nil
        }
    }

    /// The kind of client.
    package var trackedClientType: String {
        switch (osName, osVendor) {
        case (.iOS, _), (.tvOS, _), (nil, .apple): "ios"
        case (.android, _): "android"
        default: "html5"
        }
    }
}
