import Crypto
import Foundation
import TVEModels

/// A profile: of a real login, or of a virtual one that needs no viewer.
struct SandboxProfile {
    let login: Login
    let type: String
    let issuer: String
    let notBefore: Date
    let notAfter: Date

    /// The profile with an MVPD that the caller may see; nil when there is none.
    static func find(_ provider: SandboxWorld.Provider, _ call: RESTv2Call) -> SandboxProfile? {
        find(provider, call.state, call.owner, call.identities, call.platform)
    }

    /// The profile with an MVPD of the owner who asked for a code.
    static func find(
        _ provider: SandboxWorld.Provider, _ session: AuthenticationSessionRecord, _ state: SandboxState
    ) -> SandboxProfile? {
        find(provider, state, session.owner, session.identities, nil)
    }

    private static func find(
        _ provider: SandboxWorld.Provider, _ state: SandboxState, _ owner: ProfileOwner,
        _ identities: [SharedIdentity], _ platform: PartnerStatus?
    ) -> SandboxProfile? {
        state.withTables { tables, now in
            if let login = tables.login(tables.profiles.entry(owner.key(provider.id), at: now), now) {
                guard case .platformViewer = login.subject else {
                    return SandboxProfile(login, "regular", issuer: provider.id, state)
                }
                // The profile is only shown to a request that shows that the platform still confirms it.
                if let platform, platform.problem(now) == nil, platform.providerID.isSameBytes(as: provider.platformID)
                {
                    return SandboxProfile(login, "appleSSO", issuer: "Apple", state)
                }
            }
            for identity in identities {
                let index = tables.sharedProfiles.entry(identity.key(owner.serviceProvider, provider.id), at: now)
                if let login = tables.login(index, now) {
                    return SandboxProfile(login, identity.kind.rawValue, issuer: provider.id, state)
                }
            }
            return nil
        }
    }

    /// The virtual profile of a TempPass or a degraded provider; nil for any other provider.
    static func virtual(
        _ provider: SandboxWorld.Provider, _ call: RESTv2Call, deviceID: String
    ) throws(SandboxRefusal) -> SandboxProfile? {
        let state = call.state
        func login(_ subject: Login.Subject, _ guid: String) -> Login {
            Login(
                sessionIndex: "", nameID: "", guid: guid, subject: subject, requestorID: call.serviceProvider.id,
                mvpdID: provider.id, expires: state.now)
        }
        if provider.login == .none {
            guard let key = Trials.key(provider, deviceID: deviceID, call.temporaryIdentity ?? [:]) else {
                throw .enhanced("invalid_header_identity_for_temporary_access")
            }
            let hash = Insecure.SHA1.hash(data: Data(deviceID.utf8)).hexadecimal
            let login = login(.tempPass(key), "temppass_\(hash)")
            return SandboxProfile(
                login: login, type: "temporary", issuer: "Adobe", notBefore: state.now,
                notAfter: Trials.expiry(key, login, state))
        }
        guard provider.degradation == .authenticateAll else { return nil }
        let hash = Insecure.SHA1.hash(data: Data(provider.id.utf8)).hexadecimal
        return SandboxProfile(
            login: login(.anybody, "95cf93bcd183214a\(hash)"), type: "degraded", issuer: "Adobe", notBefore: state.now,
            notAfter: state.now.addingTimeInterval(60))
    }

    private init(login: Login, type: String, issuer: String, notBefore: Date, notAfter: Date) {
        self.login = login
        self.type = type
        self.issuer = issuer
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    init(_ login: Login, _ type: String, issuer: String, _ state: SandboxState) {
        let lifetime = TimeInterval(state.world.behavior.authenticationLifetime)
        self.init(
            login: login, type: type, issuer: issuer, notBefore: login.expires.addingTimeInterval(-lifetime),
            notAfter: login.expires)
    }

    /// The profile as it is sent.
    func json(_ state: SandboxState) -> JSON {
        let metadata = UserMetadataJSON.metadata(of: login, state)
        let secret = state.world.behavior.restV2.usesOtherSpelling ? "encrypted" : "enc"
        var attributes = metadata.data.mapValues { JSON.Attribute(value: $0, state: "plain") }
        for name in metadata.encrypted { attributes[name]?.state = secret }
        let userID = login.viewer == nil ? login.guid : UserMetadataJSON.userID(of: login)
        if case .tempPass(let key) = login.subject {
            attributes.merge(
                Trials.attributes(key, login, state).mapValues { JSON.Attribute(value: $0, state: "plain") }
            ) { $1 }
        }
        attributes["userID"] = .init(value: .string(userID), state: "plain")
        attributes["mvpd"] = .init(value: .string(login.mvpdID), state: "plain")
        return JSON(
            notBefore: notBefore.milliseconds, notAfter: notAfter.milliseconds, issuer: issuer, type: type,
            attributes: attributes)
    }

    struct JSON: Encodable {
        struct Attribute: Encodable {
            let value: MetadataValue
            var state: String
        }

        let notBefore: Int64
        let notAfter: Int64
        let issuer: String
        let type: String
        let attributes: [String: Attribute]
    }
}

extension SandboxState.Tables {
    fileprivate func login(_ index: String?, _ now: Date) -> Login? {
        index.flatMap { logins.entry($0, at: now) }.flatMap { $0.isLoggedOut ? nil : $0 }
    }
}
