import Foundation
import TVEModels

/// The credentials of an application on a device.
struct RegisteredClient: Sendable, Codable {
    let secret: String
    /// The redirect URL with which the application has registered.
    let redirectURL: String?
    /// The APIs that the application may use; `nil` for an application that an earlier version has registered.
    var scopes: [String]?
}

/// A registration code, which links a login in a browser to the device that asked for the code.
struct RegistrationCode: Sendable, Codable {
    enum Outcome: Sendable, Codable {
        case open
        /// The viewer has opened the provider's login page.
        case begun
        case cancelled
        /// The login is finished, and has this session index.
        case loggedIn(String)
    }

    let code: String
    let id: String
    let requestorID: RequestorID
    var mvpdID: MVPDID?
    let deviceID: String
    let deviceInfo: String
    let userAgent: String
    let generated: Date
    let expires: Date
    var outcome = Outcome.open
    /// The session of the code in REST API v2; `nil` in the classic dialect.
    var session: AuthenticationSessionRecord?

    /// A Boolean value that indicates whether a login was made with the code.
    var isFinished: Bool {
        if case .loggedIn = outcome { true } else { false }
    }
}

/// A login that has begun at the provider.
///
/// Its key is the relay state.
struct PendingLogin: Sendable {
    let requestID: String
    let requestorID: RequestorID
    let mvpdID: MVPDID
    let registrationCode: String?
    let redirectURL: String
    var genericData: [String: MetadataValue] = [:]
    let expires: Date
}

/// A viewer's session at the service.
///
/// Its key is the session index.
struct Login: Sendable, Codable {
    let sessionIndex: String
    let nameID: String
    let guid: String
    let subject: Subject
    let requestorID: RequestorID
    let mvpdID: MVPDID
    let expires: Date
    var isLoggedOut = false
    /// A Boolean value that indicates whether several devices share the login, so that one of them cannot end it for
    /// all.
    var isShared = false
    /// The device for which the viewer has logged in; `nil` when it is not known.
    var deviceID: String?
    var began = Date(timeIntervalSince1970: 0)

    enum Subject: Sendable, Codable {
        /// The name of a viewer with an account.
        case viewer(String)
        /// The name of a viewer with an account who has logged in with the platform's sign-on.
        case platformViewer(String)
        case tempPass(Trial.Holder)
        /// Any viewer, because the provider is degraded and the service lets everybody in.
        case anybody
    }

    var viewer: String? {
        switch subject {
        case .viewer(let name), .platformViewer(let name): name
        case .tempPass, .anybody: nil
        }
    }
}

/// The session of an authentication code of REST API v2.
struct AuthenticationSessionRecord: Sendable, Codable {
    let owner: ProfileOwner
    /// The viewer's identities, which other devices share.
    let identities: [SharedIdentity]
    var domainName: String?
    var redirectURL: String?
    /// The provider that the viewer chose on the page for codes; `nil` if the television named the provider, or nobody
    /// has.
    var chosenOnPage: MVPDID?
}

/// The owner of a profile, which is an application on a device for one service provider.
struct ProfileOwner: Sendable, Codable {
    let clientID: String
    let deviceID: String
    let serviceProvider: RequestorID

    func key(_ mvpdID: MVPDID) -> String {
        SandboxState.key(clientID, deviceID, serviceProvider.text, mvpdID.text)
    }
    var key: String { SandboxState.key(clientID, deviceID, serviceProvider.text) }
}

/// The identity of a viewer on several devices, from a token of the platform or of the programmer's service.
struct SharedIdentity: Sendable, Codable {
    enum Kind: String, Sendable, Codable {
        /// A token of the platform.
        case platformSSO
        /// A token of the programmer's service.
        case serviceTokenSSO
    }

    let kind: Kind
    let subject: String

    func key(_ serviceProvider: RequestorID, _ mvpdID: MVPDID) -> String {
        SandboxState.key(kind.rawValue, subject, serviceProvider.text, mvpdID.text)
    }
}

/// A resource that a login has been denied.
struct DeniedResource: Hashable, Codable {
    let sessionIndex: ExactText
    let resource: ExactText
}

/// A provider's permission that the service remembers.
struct RememberedDecision: Sendable, Codable {
    let notBefore: Date
    let notAfter: Date
}

extension SandboxState.Tables {
    /// Returns the login with a session index; `nil` when it has ended.
    func login(_ index: String, _ now: Date) -> Login? {
        logins.entry(index, at: now).flatMap { $0.isLoggedOut ? nil : $0 }
    }

    /// Stores a login under its session index and its name.
    mutating func keep(_ login: Login, at now: Date) {
        logins.set(login, login.sessionIndex, until: login.expires, at: now)
        names.set(login.sessionIndex, login.nameID, until: login.expires, at: now)
    }

    /// Stores a login as the profile of its owner, and as a profile that other devices share by the identities.
    mutating func keep(_ login: Login, of owner: ProfileOwner, shared: [SharedIdentity], at now: Date) {
        profiles.set(login.sessionIndex, owner.key(login.mvpdID), until: login.expires, at: now)
        logins.change(login.sessionIndex) { $0.deviceID = owner.deviceID }
        if !shared.isEmpty { logins.change(login.sessionIndex) { $0.isShared = true } }
        for identity in shared {
            let key = identity.key(owner.serviceProvider, login.mvpdID)
            sharedProfiles.set(login.sessionIndex, key, until: login.expires, at: now)
        }
    }
}
