public import TVEModels

/// The description of the client in tracking events.
///
/// It is the service's own view of the client where the service has one; otherwise it is what the client sends to the
/// service.
public struct TrackedClient: Sendable, Hashable {
    /// The kind of device: `computer`, `tablet`, `mobile`, `gameconsole` or `unknown`.
    public var deviceType: String?
    /// The kind of client: `flash`, `html5`, `ios` or `android`.
    public var clientType: String?
    /// The name of the operating system.
    public var operatingSystem: String?

    /// Describes a client.
    ///
    /// - Parameters:
    ///   - deviceType: the kind of device.
    ///   - clientType: the kind of client.
    ///   - operatingSystem: name of the operating system.
    public init(deviceType: String? = nil, clientType: String? = nil, operatingSystem: String? = nil) {
        self.deviceType = deviceType
        self.clientType = clientType
        self.operatingSystem = operatingSystem
    }

    /// Creates a description from the service's configuration.
    ///
    /// - Parameter configuration: the requestor's configuration, or nil before it is loaded.
    public init(_ configuration: RequestorConfiguration?) {
        deviceType = configuration?.deviceType
        clientType = configuration?.clientType
        operatingSystem = configuration?.operatingSystem
    }
}
