import Foundation
import TVEModels

/// What belongs to an authentication code of REST API v2.
struct AuthenticationSessionRecord: Sendable {
    /// Whose profile the login becomes.
    let owner: ProfileOwner
    /// Who the viewer is on other devices too.
    let identities: [SharedIdentity]
    var domainName: String?
    var redirectURL: String?
}

/// Whose a profile is: an application's on a device, for one service provider.
struct ProfileOwner: Sendable {
    let clientID: String
    let deviceID: String
    let serviceProvider: String

    func key(_ mvpdID: String) -> String { SandboxState.key(clientID, deviceID, serviceProvider, mvpdID) }
    var key: String { SandboxState.key(clientID, deviceID, serviceProvider) }
}

/// Who a viewer is beyond one device, by a token of somebody else.
struct SharedIdentity: Sendable {
    enum Kind: String, Sendable {
        /// The platform's.
        case platformSSO
        /// A service's of the programmer.
        case serviceTokenSSO
    }

    let kind: Kind
    let subject: String

    func key(_ serviceProvider: String, _ mvpdID: String) -> String {
        SandboxState.key(kind.rawValue, subject, serviceProvider, mvpdID)
    }
}

/// A provider's yes that the service does not ask for again.
struct RememberedDecision: Sendable {
    let notBefore: Date
    let notAfter: Date
}

extension SandboxState.Tables {
    /// Makes a login a profile.
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
