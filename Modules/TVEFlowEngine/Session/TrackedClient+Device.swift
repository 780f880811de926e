import TVENetworking
import TVETracking

extension TrackedClient {
    /// Describes a client with the words of the classic service, which finds them in the client's user agent; REST API v2
    /// has no such words, and its configuration is not loaded for a viewer who is logged in.
    init(_ device: DeviceInformation) {
        let deviceType: String? =
            switch device.hardwareType {
            case .desktop: "computer"
            case .tablet: "tablet"
            case .mobilePhone: "mobile"
            case .gamesConsole: "gameconsole"
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
