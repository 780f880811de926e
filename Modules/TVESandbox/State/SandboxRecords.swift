import Foundation
import TVEModels

/// The credentials of an application on a device.
struct RegisteredClient: Sendable, Codable {
    let secret: String
    /// The redirect with which it registered.
    let redirectURL: String?
}

/// A registration code: links a login in a browser to the device that asked for the code.
struct RegistrationCode: Sendable, Codable {
    enum Outcome: Sendable, Codable {
        case open
        /// The viewer is at the provider's login.
        case begun
        case cancelled
        /// The session index of the login.
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
    /// The session of the code in REST API v2; nil in the classic dialect.
    var session: AuthenticationSessionRecord?
}

/// A login at the provider; its key is the relay state.
struct PendingLogin: Sendable {
    let requestID: String
    let requestorID: RequestorID
    let mvpdID: MVPDID
    let registrationCode: String?
    let redirectURL: String
    var genericData: [String: MetadataValue] = [:]
    let expires: Date
}

/// A viewer's session at the service; its key is the session index.
struct Login: Sendable, Codable {
    let sessionIndex: String
    let nameID: String
    let guid: String
    let subject: Subject
    let requestorID: RequestorID
    let mvpdID: MVPDID
    let expires: Date
    var isLoggedOut = false
    /// Whether other devices share it, so that one of them does not end it for all.
    var isShared = false
    /// The device that the login was made for, if known.
    var deviceID: String?
    var began = Date(timeIntervalSince1970: 0)

    enum Subject: Sendable, Codable {
        /// A viewer with an account, by name.
        case viewer(String)
        /// A viewer with an account who logged in with the platform.
        case platformViewer(String)
        case tempPass(Trial.Holder)
        /// Any viewer, because the provider is degraded.
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
    /// The viewer's identities on other devices.
    let identities: [SharedIdentity]
    var domainName: String?
    var redirectURL: String?
}

/// The owner of a profile: an application on a device, for one service provider.
struct ProfileOwner: Sendable, Codable {
    let clientID: String
    let deviceID: String
    let serviceProvider: RequestorID

    func key(_ mvpdID: MVPDID) -> String {
        SandboxState.key(clientID, deviceID, serviceProvider.text, mvpdID.text)
    }
    var key: String { SandboxState.key(clientID, deviceID, serviceProvider.text) }
}

/// The identity of a viewer across devices, from a token of the platform or of the programmer's service.
struct SharedIdentity: Sendable, Codable {
    enum Kind: String, Sendable, Codable {
        /// From the platform.
        case platformSSO
        /// From a service of the programmer.
        case serviceTokenSSO
    }

    let kind: Kind
    let subject: String

    func key(_ serviceProvider: RequestorID, _ mvpdID: MVPDID) -> String {
        SandboxState.key(kind.rawValue, subject, serviceProvider.text, mvpdID.text)
    }
}

/// A resource that a login was denied.
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
    /// The login of a session index, unless it has ended.
    func login(_ index: String, _ now: Date) -> Login? {
        logins.entry(index, at: now).flatMap { $0.isLoggedOut ? nil : $0 }
    }

    /// Stores a login as a profile.
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
