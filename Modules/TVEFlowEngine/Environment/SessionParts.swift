import Foundation
import TVEDeviceBinding
import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

/// What a session is made of: the same for all its flows, and never changed.
struct SessionParts: Sendable {
    /// The requestor that the session works for.
    let requestorID: RequestorID
    /// The services to ask, in the app's order.
    let services: [any EntitlementService]
    let store: EntitlementStore
    let device: DeviceIdentity
    let clock: SessionClock
    let housekeeping: Housekeeping
    let loginStyle: LoginStyle
    let loginBrowser: LoginBrowser
    /// The providers whose pages only the system's browser opens.
    let systemBrowserProviders: Set<MVPDID>
    /// Where logins end; nil for the redirect of the services.
    let redirects: LoginRedirects?
    /// The page at which viewers type codes.
    let activationURL: URL?
    let platform: (any PlatformSignOn)?
    /// Asks the platform for the proof of a login from there.
    let platformProof: PlatformProof
    /// The household of the device; nil where the services have none.
    let household: Household?
    let sinks: [any TrackingSink]
    let listeners: SessionEvents

    /// Whether the session was not closed: the one flag that every call and every report reads.
    var isOpen: Bool { listeners.isOpen }
}
