import Foundation

/// A registration code: joins a login in some browser to the device that asked for the code.
struct RegistrationCode: Sendable {
    enum Outcome: Sendable {
        case open
        case cancelled
        /// The session index of the login.
        case loggedIn(String)
    }

    let code: String
    let id: String
    let requestorID: String
    let mvpdID: String?
    let deviceID: String
    let deviceInfo: String
    let userAgent: String
    let generated: Date
    let expires: Date
    var outcome = Outcome.open
}

/// A login that is on its way through the provider; its key is the relay state.
struct PendingLogin: Sendable {
    let requestID: String
    let requestorID: String
    let mvpdID: String
    let registrationCode: String?
    let redirectURL: String
    let expires: Date
}

/// A viewer's session at the service; its key is the session index.
struct Login: Sendable {
    let sessionIndex: String
    let nameID: String
    let guid: String
    /// Name of the viewer, nil for a TempPass.
    let viewer: String?
    let requestorID: String
    let mvpdID: String
    let expires: Date
    var isLoggedOut = false
}

/// The two ways in which clients say which device they are.
enum Dialect {
    case web, device
}
