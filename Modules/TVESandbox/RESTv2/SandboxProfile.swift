import Crypto
import Foundation
import TVEModels

/// The profile of a real login, or of a virtual one that needs no viewer.
struct SandboxProfile {
    let login: Login
    let type: String
    let issuer: String
    let notBefore: Date
    let notAfter: Date

    /// Returns the profile with an MVPD that the caller may see; `nil` when there is none.
    static func find(_ provider: SandboxWorld.Provider, _ call: RESTv2Call) -> SandboxProfile? {
        find(provider, of: call.owner, identities: call.identities, platform: call.platform, in: call.state)
    }

    /// Returns the profile with an MVPD that belongs to the owner of a session; `nil` when there is none.
    static func find(
        _ provider: SandboxWorld.Provider, for session: AuthenticationSessionRecord, in state: SandboxState
    ) -> SandboxProfile? {
        find(provider, of: session.owner, identities: session.identities, platform: nil, in: state)
    }

    private static func find(
        _ provider: SandboxWorld.Provider, of owner: ProfileOwner, identities: [SharedIdentity],
        platform: PartnerStatus?, in state: SandboxState
    ) -> SandboxProfile? {
        state.find { tables, now in
            if let index = tables.profiles.entry(owner.key(provider.id), at: now), let login = tables.login(index, now)
            {
                guard case .platformViewer = login.subject else {
                    return SandboxProfile(login, type: "regular", issuer: provider.id.text)
                }
                // The service shows the profile only to a request that proves that the platform still confirms it.
                if let platform, platform.problem(now) == nil, platform.names(provider) {
                    return SandboxProfile(login, type: "appleSSO", issuer: "Apple")
                }
            }
            for identity in identities {
                let key = identity.key(owner.serviceProvider, provider.id)
                if let index = tables.sharedProfiles.entry(key, at: now), let login = tables.login(index, now) {
                    return SandboxProfile(login, type: identity.kind.rawValue, issuer: provider.id.text)
                }
            }
            return nil
        }
    }

    /// Returns the virtual profile of a TempPass or of a degraded provider; `nil` for any other provider.
    static func virtual(
        _ provider: SandboxWorld.Provider, _ call: RESTv2Call, deviceID: String
    ) throws(SandboxRefusal) -> SandboxProfile? {
        let state = call.state
        func login(_ subject: Login.Subject, _ guid: String) -> Login {
            Login(
                sessionIndex: "", nameID: "", guid: guid, subject: subject, requestorID: call.serviceProvider.id,
                mvpdID: provider.id, expires: state.serviceTime)
        }
        if provider.login == .none {
            guard
                let holder = Trials.holder(
                    of: provider, deviceID: deviceID, data: call.temporaryIdentity ?? [:], in: state)
            else {
                throw .enhanced("invalid_header_identity_for_temporary_access")
            }
            let hash = Insecure.SHA1.hash(data: Data(deviceID.utf8)).hexadecimal
            let login = login(.tempPass(holder), "temppass_\(hash)")
            return SandboxProfile(
                login: login, type: "temporary", issuer: "Adobe", notBefore: state.now,
                notAfter: Trials.expiry(of: holder, login: login, in: state))
        }
        guard state.isDegraded(provider, to: .authenticateAll) else { return nil }
        let hash = Insecure.SHA1.hash(data: Data(provider.id.text.utf8)).hexadecimal
        return SandboxProfile(
            login: login(.anybody, "95cf93bcd183214a\(hash)"), type: "degraded", issuer: "Adobe", notBefore: state.now,
            notAfter: state.now.addingTimeInterval(60))
    }

    /// Returns the profile in the form in which the service sends it.
    func json(_ state: SandboxState) -> MetadataValue {
        let metadata = UserMetadataJSON.metadata(of: login, state)
        let secret: MetadataValue = state.world.behavior.restV2.usesOtherSpelling ? "encrypted" : "enc"
        func attribute(_ value: MetadataValue, _ state: MetadataValue = "plain") -> MetadataValue {
            ["value": value, "state": state]
        }
        var attributes = metadata.data.mapValues { attribute($0) }
        for name in metadata.encrypted { attributes[name] = metadata.data[name].map { attribute($0, secret) } }
        if case .tempPass(let holder) = login.subject {
            attributes.merge(Trials.attributes(of: holder, login: login, in: state).mapValues { attribute($0) }) { $1 }
        }
        attributes["userID"] = attribute(.string(login.viewer == nil ? login.guid : UserMetadataJSON.userID(of: login)))
        attributes["mvpd"] = attribute("\(login.mvpdID)")
        return [
            "notBefore": .milliseconds(notBefore), "notAfter": .milliseconds(notAfter), "issuer": .string(issuer),
            "type": .string(type), "attributes": .object(attributes),
        ]
    }
}

extension SandboxProfile {
    init(_ login: Login, type: String, issuer: String) {
        self.init(login: login, type: type, issuer: issuer, notBefore: login.began, notAfter: login.expires)
    }
}
