public import Foundation
public import TVEDeviceBinding
public import TVEModels
public import TVENetworking
public import TVEStorage
public import TVETracking

/// The dependencies of a session: storage, transport, clock, device and the settings of the app.
public struct SessionEnvironment: Sendable {
    /// The storage in which the session keeps its data.
    public var storage: any StorageBackend
    /// The transport that sends requests to the services.
    public var transport: any HTTPTransport
    /// The source of the current time.
    public var clock: SessionClock
    /// The identity of the app, which determines the apps that share a device id.
    public var app: AppIdentity
    /// The device's identity.
    ///
    /// Pass `nil` to use the system's identifier, or stored random bytes if the system has none.
    public var device: DeviceIdentity?
    /// The location of the device's first identifier.
    ///
    /// Pass `nil` to use ``storage``.
    ///
    /// The location must survive a reinstallation and must not be copied to another device by a backup.
    public var identityStorage: (any StorageBackend)?
    /// Reads the system's identifier of this device.
    package var systemSeed: @Sendable () async throws(MachineSeed.NotYetKnown) -> DeviceSeed? = {
        () async throws(MachineSeed.NotYetKnown) in try await MachineSeed.read()
    }
    /// The storage of the pace of requests between processes, or `nil` if each process has a pace of its own.
    package var pace: PaceKeeper?
    /// The result of a check of the store that the app requested before the session existed; with `nil` the session
    /// itself checks the store.
    package var earlierCheck: IntegrityReport?
    /// The closures that receive the answers to calls in the turn that decides them.
    package var answers = AnswerHandlers()
    /// The description of the device that services receive.
    ///
    /// By default it holds the facts that this library can determine.
    ///
    /// On Linux there are few such facts. An app that knows its device, for example a set-top box, sets the others.
    public var deviceInformation = DeviceFacts.device
    /// A closure that returns the kind of network connection, or `nil` if it is not known.
    ///
    /// It is called before every request.
    ///
    /// On Linux the default is derived from the device of the default route, which has no known kind in most
    /// containers.
    public var connection = SessionEnvironment.systemConnection
    /// The redirect at which logins end.
    ///
    /// The app must recognize its scheme.
    public var redirectURL: URL
    /// The redirect of logins in the system's browser, which opens only the app's own schemes.
    ///
    /// With `nil`, the session uses the redirect in the software statement if it names one, and otherwise one that is
    /// registered for the application.
    public var safariRedirectURL: URL?
    /// The redirect that is registered together with the application.
    ///
    /// With `nil`, the software statement decides.
    ///
    /// The value is used only when the application registers, which happens once; a registered application keeps its
    /// redirects. The service refuses a registration in which no redirect may end a login.
    public var registeredRedirectURL: URL?
    /// The programmer's page at which viewers type a code on another screen.
    ///
    /// The QR code of ``RegistrationCode/activationURL`` leads to it. Over REST API v2, the browser on that screen
    /// returns to it after the login, unless only other redirects are named or registered for the application, or the
    /// page names one of its own.
    public var activationURL: URL?
    /// The maintenance of the store at every start.
    public var housekeeping = Housekeeping()
    /// The screen on which viewers log in.
    public var loginStyle = LoginStyle.ofThisSystem
    /// The browser that opens the login pages of REST API v2.
    public var loginBrowser = LoginBrowser.system
    /// The TV providers whose pages open only in the system's browser over the classic services, because several
    /// providers refuse web views.
    ///
    /// The services' own flag for such providers (`useSVC`) is in no public document, and its name here is a guess.
    public var systemBrowserProviders: Set<MVPDID> = []
    /// A Boolean value that indicates whether a login opens the page or the code of the remembered provider at once.
    ///
    /// The session remembers the provider of the last successful login. If the value is `false`, the picker comes
    /// first at every login for which the app has not chosen the provider with
    /// ``EntitlementSession/selectProvider(_:)``, and for which the provider does not come from the platform's sign-on.
    /// An app needs this if it can show a page only in the screen of its picker. A TempPass that a forced login renews
    /// needs no picker either way (API reference, rows GA5, TP10).
    public var skipsPicker = true
    /// The platform's own sign-on.
    ///
    /// The default is the system's, if it has one; the app can set another or `nil`.
    public var platform = SessionEnvironment.systemPlatform
    /// A closure that returns the viewer's current token from the programmer's own identity service, or `nil` if there
    /// is none.
    ///
    /// The token is a JWS (`AD-Service-Token`, REST API v2).
    ///
    /// The session calls it before every request that may carry the token, and again when the service does not know the
    /// login that the token proves. It waits at most five seconds. Without this closure, or if it returns `nil` or a
    /// blank text, the session uses the token in ``options``. A text that is no JWS proves no login.
    public var serviceToken: (@Sendable () async -> String?)?
    /// A Boolean value that indicates whether `http` is allowed for services that are not on this device.
    ///
    /// With `http`, others on the network can read tokens.
    public var allowsHTTP = false
    /// Sinks that receive tracking events, in addition to the session's own.
    public var trackingSinks: [any TrackingSink] = []
    /// A closure that returns the options that the app can change at any time.
    ///
    /// It is called before every request.
    public var options: @Sendable () -> ClientOptions = { ClientOptions() }

    /// Creates an environment that uses the device's own facilities by default.
    ///
    /// - Parameters:
    ///   - storage: the storage in which the session keeps its data.
    ///   - transport: the transport that sends requests to the services.
    ///   - clock: the source of the current time.
    ///   - app: the identity of the app.
    ///   - device: the device's identity. Pass `nil` to use the system's identifier.
    ///   - redirectURL: the redirect at which logins end.
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

    /// A closure that returns the system's own report about the connection, or `nil` if the system has none.
    public static var systemConnection: @Sendable () -> DeviceInformation.Connection? {
        DeviceFacts.connection
    }

    /// The system's own TV provider account, or `nil` if the system has none.
    public static var systemPlatform: (any PlatformSignOn)? {
        #if canImport(VideoSubscriberAccount) && !os(macOS) && !targetEnvironment(macCatalyst)
        VideoSubscriberSignOn()
        #else
        nil
        #endif
    }
}
