import Foundation
import TVEModels

/// A registration code: joins a login in some browser to the device that asked for the code.
struct RegistrationCode: Sendable {
    enum Outcome: Sendable {
        case open
        /// Somebody is at the provider's login.
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
    /// What belongs to the code in REST API v2 alone; nil in the classic dialect.
    var session: AuthenticationSessionRecord?
}

/// A login that is on its way through the provider; its key is the relay state.
struct PendingLogin: Sendable {
    let requestID: String
    let requestorID: String
    let mvpdID: String
    let registrationCode: String?
    let redirectURL: String
    /// What the app sent along.
    var genericData: [String: MetadataValue] = [:]
    let expires: Date
}

/// A viewer's session at the service; its key is the session index.
struct Login: Sendable {
    let sessionIndex: String
    let nameID: String
    let guid: String
    /// Who is behind it.
    let subject: Subject
    let requestorID: String
    let mvpdID: String
    let expires: Date
    var isLoggedOut = false
    /// Whether other devices share it, so that one of them does not end it for all.
    var isShared = false
    /// The device that the login was made for, where that is known.
    var deviceID: String?
    var began = Date(timeIntervalSince1970: 0)

    enum Subject: Sendable {
        /// Someone with an account, by name.
        case viewer(String)
        /// Someone with an account whom the platform logged in.
        case platformViewer(String)
        /// Whoever holds a TempPass, by its key in the table of trials.
        case tempPass(String)
        /// Anybody, since the provider is degraded.
        case anybody
    }

    /// Name of the viewer, nil when nobody is known.
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

    /// What keeps it from opening a resource; nil when nothing does.
    func limit(
        of channel: String?, _ access: SandboxWorld.Provider.TemporaryAccess, now: Date
    ) -> Trials.Limit? {
        guard end(access, now: now) > now else { return .time }
        guard let channel, let limit = access.resourceLimit, resources.count >= limit,
            !resources.contains(ExactText(channel))
        else { return nil }
        return .resources(limit)
    }

    /// When the time is over.
    func end(_ access: SandboxWorld.Provider.TemporaryAccess, now: Date) -> Date {
        (began ?? now).addingTimeInterval(TimeInterval(access.seconds))
    }
}

/// The two ways in which clients say which device they are.
enum Dialect {
    case web, device
}
