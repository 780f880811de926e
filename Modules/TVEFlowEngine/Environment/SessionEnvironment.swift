public import Foundation
public import TVEDeviceBinding
public import TVEModels
public import TVENetworking
public import TVEStorage
public import TVETracking

/// Everything a session needs from outside.
public struct SessionEnvironment: Sendable {
    /// Where bytes are stored.
    public var storage: any StorageBackend
    /// How the service is reached.
    public var transport: any HTTPTransport
    /// The current time.
    public var clock: SessionClock
    /// The app; decides which apps share a device id.
    public var app: AppIdentity
    /// The device's identity; nil asks the system, and stores random bytes where the system has none.
    public var device: DeviceIdentity?
    /// Where the device's first id is kept, which must outlive a new installation and never reach another device; nil for
    /// the storage.
    public var identityStorage: (any StorageBackend)?
    /// Asks the system for its id of this device.
    package var systemSeed: @Sendable () async throws(MachineSeed.NotYetKnown) -> DeviceSeed? = {
        () async throws(MachineSeed.NotYetKnown) in try await MachineSeed.read()
    }
    /// What services are told about the device: what this library could find out.
    ///
    /// On Linux that is little. An app that knows its device, for example a set-top box, sets the rest.
    public var deviceInformation = DeviceFacts.device
    /// How the device is connected to the network, asked before every request; nil when that is not known.
    ///
    /// On Linux it is what the system says about the device of the default route, which is nothing in most containers.
    public var connection = SessionEnvironment.systemConnection
    /// Where logins end; the app must recognise the scheme.
    public var redirectURL: URL
    /// Where logins in the system's browser end, which opens only the app's own schemes; nil takes the redirect in the
    /// software statement, if there is one, else one that is registered for the application.
    public var safariRedirectURL: URL?
    /// The redirect that is registered together with the application; nil leaves it to the software statement.
    ///
    /// It counts when the application is registered, which happens once: an application that is registered keeps its
    /// redirects. Where no redirect in it may end a login, the service refuses the registration.
    public var registeredRedirectURL: URL?
    /// The page of the programmer at which viewers type codes on another screen; a QR code of
    /// ``RegistrationCode/activationURL`` leads there.
    public var activationURL: URL?
    /// What is done to the storage at every start.
    public var housekeeping = Housekeeping()
    /// Where viewers log in.
    public var loginStyle = LoginStyle.ofThisSystem
    /// Which browser opens the pages of logins over REST API v2.
    public var loginBrowser = LoginBrowser.system
    /// The TV providers whose pages only the system's browser opens, over the classic services: several refuse web views.
    ///
    /// The services' own flag for them (`useSVC`) stands in no document that is public, and its name here is a guess.
    public var systemBrowserProviders: Set<MVPDID> = []
    /// The platform's own sign-on: the system's, if it has one, unless set to another or nil.
    public var platform = SessionEnvironment.systemPlatform
    /// Returns the viewer's current token of the programmer's own identity service, a JWS (`AD-Service-Token`, REST API v2);
    /// nil when there is none now.
    ///
    /// It is called before every request that may carry the token, and again when the service does not know the login that
    /// the token proves. The session waits five seconds at most. Without this closure, or where it returns nil, the token in
    /// ``options`` counts.
    public var serviceToken: (@Sendable () async -> String?)?
    /// Whether `http` is allowed for services that are not on this device.
    ///
    /// Others on the network can then read tokens.
    public var allowsHTTP = false
    /// Sinks that receive tracking events, in addition to the session's own.
    public var trackingSinks: [any TrackingSink] = []
    /// What the app may set at any time; read before every request.
    public var options: @Sendable () -> ClientOptions = { ClientOptions() }

    /// Makes an environment; by default the device's own.
    ///
    /// - Parameters:
    ///   - storage: where bytes are stored.
    ///   - transport: how the service is reached.
    ///   - clock: the current time.
    ///   - app: the app.
    ///   - device: the device's identity; nil asks the system.
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

    /// The system's own report about the connection, where it has one.
    public static var systemConnection: @Sendable () -> DeviceInformation.Connection? {
        #if canImport(Network)
        let monitor = ConnectionMonitor()
        return { monitor.connection }
        #elseif os(Linux)
        return { DefaultRoute.ofThisMachine.connection }
        #else
        return { nil }
        #endif
    }

    /// The system's own TV provider account, where it has one.
    public static var systemPlatform: (any PlatformSignOn)? {
        #if canImport(VideoSubscriberAccount) && !os(macOS) && !targetEnvironment(macCatalyst)
        VideoSubscriberSignOn()
        #else
        nil
        #endif
    }
}
