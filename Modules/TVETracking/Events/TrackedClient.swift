public import TVEModels

/// What tracking says about the client: the service's view of it, not the client's own.
public struct TrackedClient: Sendable, Hashable {
    /// `computer`, `tablet`, `mobile`, `gameconsole` or `unknown`.
    public var deviceType: String?
    /// `flash`, `html5`, `ios` or `android`.
    public var clientType: String?
    /// Name of the operating system.
    public var operatingSystem: String?

    /// Takes the service's description from a configuration.
    ///
    /// - Parameter configuration: the requestor's configuration, nil before it is loaded.
    public init(_ configuration: RequestorConfiguration?) {
        deviceType = configuration?.deviceType
        clientType = configuration?.clientType
        operatingSystem = configuration?.operatingSystem
    }
}
