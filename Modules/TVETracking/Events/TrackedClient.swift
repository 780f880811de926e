public import TVEModels

/// What tracking says about the client: the service's view of it, where it has one, else what the client tells the service.
public struct TrackedClient: Sendable, Hashable {
    /// `computer`, `tablet`, `mobile`, `gameconsole` or `unknown`.
    public var deviceType: String?
    /// `flash`, `html5`, `ios` or `android`.
    public var clientType: String?
    /// Name of the operating system.
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

    /// Takes the service's description from a configuration.
    ///
    /// - Parameter configuration: the requestor's configuration, nil before it is loaded.
    public init(_ configuration: RequestorConfiguration?) {
        deviceType = configuration?.deviceType
        clientType = configuration?.clientType
        operatingSystem = configuration?.operatingSystem
    }
}
