import Foundation
import TVEModels

/// A registration code: links a login in a browser to the device that asked for the code.
struct RegistrationCode: Sendable {
    enum Outcome: Sendable {
        case open
        /// The viewer is at the provider's login.
        case begun
        case cancelled
        /// The session index of the login.
        case loggedIn(String)
    }

    let code: String
    let id: String
    let requestorID: String
    var mvpdID: String?
    let deviceID: String
    let deviceInfo: String
    let userAgent: String
    let generated: Date
    let expires: Date
    var outcome = Outcome.open
    /// The session of the code in REST API v2; nil in the classic dialect.
    var session: AuthenticationSessionRecord?
}

/// A login at the provider; its key is the relay state.
struct PendingLogin: Sendable {
    let requestID: String
    let requestorID: String
    let mvpdID: String
    let registrationCode: String?
    let redirectURL: String
    /// The app's data.
    var genericData: [String: MetadataValue] = [:]
    let expires: Date
}

/// A viewer's session at the service; its key is the session index.
struct Login: Sendable {
    let sessionIndex: String
    let nameID: String
    let guid: String
    /// Who is logged in.
    let subject: Subject
    let requestorID: String
    let mvpdID: String
    let expires: Date
    var isLoggedOut = false
    /// Whether other devices share it, so that one of them does not end it for all.
    var isShared = false
    /// The device that the login was made for, if known.
    var deviceID: String?
    var began = Date(timeIntervalSince1970: 0)

    enum Subject: Sendable {
        /// A viewer with an account, by name.
        case viewer(String)
        /// A viewer with an account who logged in with the platform.
        case platformViewer(String)
        /// The holder of a TempPass, by its key in the table of trials.
        case tempPass(String)
        /// Any viewer, because the provider is degraded.
        case anybody
    }

    /// Name of the viewer, nil when it is unknown.
    var viewer: String? {
        switch subject {
        case .viewer(let name), .platformViewer(let name): name
        case .tempPass, .anybody: nil
        }
    }
}

/// The use of a TempPass by one device or person.
struct Trial: Sendable {
    /// When its time began to count: at the first authorization.
    var began: Date?
    var resources: Set<ExactText> = []

    /// The limit that prevents a resource; nil when there is none.
    func limit(
        of channel: String?, _ access: SandboxWorld.Provider.TemporaryAccess, now: Date
    ) -> Trials.Limit? {
        guard end(access, now: now) > now else { return .time }
        guard let channel, let limit = access.resourceLimit, resources.count >= limit,
            !resources.contains(ExactText(channel))
        else { return nil }
        return .resources(limit)
    }

    /// When its time ends.
    func end(_ access: SandboxWorld.Provider.TemporaryAccess, now: Date) -> Date {
        (began ?? now).addingTimeInterval(TimeInterval(access.seconds))
    }
}

/// The two ways in which clients identify their device.
enum Dialect {
    case web, device
}
