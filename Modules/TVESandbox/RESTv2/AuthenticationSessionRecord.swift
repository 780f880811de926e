import Foundation
import TVEModels

/// The session of an authentication code of REST API v2.
struct AuthenticationSessionRecord: Sendable {
    /// The owner of the login's profile.
    let owner: ProfileOwner
    /// The viewer's identities on other devices.
    let identities: [SharedIdentity]
    var domainName: String?
    var redirectURL: String?
}

/// The owner of a profile: an application on a device, for one service provider.
struct ProfileOwner: Sendable {
    let clientID: String
    let deviceID: String
    let serviceProvider: String

    func key(_ mvpdID: String) -> String { SandboxState.key(clientID, deviceID, serviceProvider, mvpdID) }
    var key: String { SandboxState.key(clientID, deviceID, serviceProvider) }
}

/// The identity of a viewer across devices, from a token of the platform or of the programmer's service.
struct SharedIdentity: Sendable {
    enum Kind: String, Sendable {
        /// From the platform.
        case platformSSO
        /// From a service of the programmer.
        case serviceTokenSSO
    }

    let kind: Kind
    let subject: String

    func key(_ serviceProvider: String, _ mvpdID: String) -> String {
        SandboxState.key(kind.rawValue, subject, serviceProvider, mvpdID)
    }
}

/// A provider's permission that the service remembers.
struct RememberedDecision: Sendable {
    let notBefore: Date
    let notAfter: Date
}

extension SandboxState.Tables {
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
