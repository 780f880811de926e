public import Foundation

/// The service's response to a request for a requestor's configuration.
public struct RequestorConfiguration: Sendable, Hashable {
    /// The service's clock at the time of the response.
    public var serverTime: Date?
    /// The kind of device as the service saw it: `computer`, `tablet`, `mobile`, `gameconsole` or `unknown`.
    public var deviceType: String?
    /// The kind of client as the service saw it: `flash`, `html5`, `ios` or `android`.
    public var clientType: String?
    /// The operating system as the service saw it.
    public var operatingSystem: String?
    /// The requestor and its providers.
    public var requestor: Requestor

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - serverTime: the service's clock at the time of the response.
    ///   - deviceType: the kind of device as the service saw it.
    ///   - clientType: the kind of client as the service saw it.
    ///   - operatingSystem: the operating system as the service saw it.
    ///   - requestor: the requestor and its providers.
    public init(
        serverTime: Date? = nil, deviceType: String? = nil, clientType: String? = nil, operatingSystem: String? = nil,
        requestor: Requestor
    ) {
        self.serverTime = serverTime
        self.deviceType = deviceType
        self.clientType = clientType
        self.operatingSystem = operatingSystem
        self.requestor = requestor
    }
}
