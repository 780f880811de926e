import TVENetworking
import TVETracking

extension TrackedClient {
    /// Describes a client with the words of the classic service, which finds them in the client's user agent; REST API v2
    /// has no such words, and its configuration is not loaded for a viewer who is logged in.
    init(_ device: DeviceInformation) {
        let deviceType: String? =
            switch (device.hardwareType, device.osName) {
            // These systems do not tell, and the classic service takes their clients for computers.
            case (.desktop, _), (nil, .linux), (nil, .windows): "computer"
            case (.tablet, _): "tablet"
            case (.mobilePhone, _): "mobile"
            case (.gamesConsole, _): "gameconsole"
            default: nil
            }
        let clientType =
            switch (device.osName, device.osVendor) {
            case (.iOS, _), (.tvOS, _), (nil, .apple): "ios"
            case (.android, _): "android"
            default: "html5"
            }
        self.init(deviceType: deviceType, clientType: clientType, operatingSystem: device.osName?.rawValue)
    }
}
