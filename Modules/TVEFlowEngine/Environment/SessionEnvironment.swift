public import Foundation
public import TVEDeviceBinding
public import TVENetworking
public import TVEStorage
public import TVETracking

/// Everything a session takes from the world around it.
public struct SessionEnvironment: Sendable {
    /// Where bytes are kept.
    public var storage: any StorageBackend
    /// How the service is reached.
    public var transport: any HTTPTransport
    /// What time it is.
    public var clock: SessionClock
    /// Which app this is; decides who shares a device id.
    public var app: AppIdentity
    /// Who this device is; nil asks the system, and keeps random bytes where the system has no answer.
    public var device: DeviceIdentity?
    /// Where logins end; the app must recognise the scheme.
    public var redirectURL: URL
    /// Where logins end with providers that need Safari, which opens only schemes of the app's own; nil takes the one in the software
    /// statement, if there is one.
    public var safariRedirectURL: URL?
    /// What is done to the storage at every start.
    public var housekeeping = Housekeeping()
    /// Where viewers log in.
    public var loginStyle = LoginStyle.ofThisSystem
    /// The platform's own sign-on, if it has one.
    public var platform: (any PlatformSignOn)?
    /// Take tracking events, beside the session's own.
    public var trackingSinks: [any TrackingSink] = []
    /// What the app may set at any time; asked before every request.
    public var options: @Sendable () -> ClientOptions = { ClientOptions() }

    /// Puts an environment together; by default the device's own.
    ///
    /// - Parameters:
    ///   - storage: where bytes are kept.
    ///   - transport: how the service is reached.
    ///   - clock: what time it is.
    ///   - app: which app this is.
    ///   - device: who this device is; nil asks the system.
    ///   - redirectURL: where logins end.
    public init(
        storage: any StorageBackend, transport: any HTTPTransport = URLSessionTransport(),
        clock: SessionClock = .system, app: AppIdentity, device: DeviceIdentity? = nil, redirectURL: URL
    ) {
        self.storage = storage
        self.transport = transport
        self.clock = clock
        self.app = app
        self.device = device
        self.redirectURL = redirectURL
    }
}
