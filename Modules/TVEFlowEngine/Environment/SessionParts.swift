import Foundation
import TVEDeviceBinding
import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

/// The immutable dependencies of a session, shared by all its flows.
struct SessionParts: Sendable {
    /// The requestor that the session works for.
    let requestorID: RequestorID
    /// The services, in the app's order.
    let services: [any EntitlementService]
    let store: EntitlementStore
    let device: DeviceIdentity
    let clock: SessionClock
    let housekeeping: Housekeeping
    let loginStyle: LoginStyle
    let loginBrowser: LoginBrowser
    /// The providers whose pages open only in the system's browser.
    let systemBrowserProviders: Set<MVPDID>
    /// A Boolean value that indicates whether a login with the remembered provider needs no picker.
    let skipsPicker: Bool
    /// The redirects at which logins end; `nil` if the redirect of the services is used.
    let redirects: LoginRedirects?
    /// The page at which viewers type codes.
    let activationURL: URL?
    let platform: (any PlatformSignOn)?
    /// The source of the proof that a login from the platform needs; `nil` without the platform.
    let platformProof: PlatformProof?
    /// The household of the device; `nil` if the services have no households.
    let household: Household?
    let sinks: [any TrackingSink]
    let listeners: SessionEvents
    /// The pacer of the services' requests; `nil` if the app created the services itself.
    var pacer: PacedTransport?

    /// A Boolean value that indicates whether the session is open.
    ///
    /// Every call and every report reads this one flag.
    var isOpen: Bool { listeners.isOpen }

    /// The kind of logins on a second screen, or `nil` if viewers log in on this screen.
    var kindOnSecondScreen: LoginRequest.Kind? {
        loginStyle == .secondScreen ? .otherScreen(redirect: redirects?.ofOtherScreen(typingAt: activationURL)) : nil
    }
}
