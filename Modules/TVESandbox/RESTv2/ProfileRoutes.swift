import FlyingFox
import Foundation
import TVEModels

/// The routes of the profiles, which are the logins of a device (REST API v2, 5.6 to 5.8).
enum ProfileRoutes {
    /// Returns the profiles of all real logins.
    static func all(_ call: RESTv2Call) -> HTTPResponse {
        var found: [MVPDID: MetadataValue] = [:]
        for id in call.serviceProvider.providers {
            guard let provider = call.state.provider(id, of: call.serviceProvider.id) else { continue }
            found[id] = SandboxProfile.find(provider, call)?.json(call.state)
        }
        return answer(found)
    }

    static func one(_ call: RESTv2Call, mvpdID: MVPDID) throws(SandboxRefusal) -> HTTPResponse {
        let provider = try call.provider(mvpdID)
        // The table of error codes: the status must not name another provider than the request.
        if let status = call.platform, status.providerID != nil, !status.names(provider) {
            throw .enhanced("invalid_header_pfs_provider_id_mismatch")
        }
        let profile: SandboxProfile?
        if let virtual = try SandboxProfile.virtual(provider, call, deviceID: call.owner.deviceID) {
            try checkTrial(virtual, call)
            profile = virtual
        } else {
            profile = SandboxProfile.find(provider, call)
        }
        return answer(profile.map { [mvpdID: $0.json(call.state)] } ?? [:])
    }

    static func ofCode(_ call: RESTv2Call, code: String) throws(SandboxRefusal) -> HTTPResponse {
        let record = try AuthenticationSessions.find(call, code)
        guard call.state.admitsPoll(of: record.code, by: call.owner) else {
            throw SandboxRefusal(
                Throttle.refusal.objecting(
                    "A client may poll the profile of a code every three seconds, not more often."))
        }
        guard let mvpdID = record.mvpdID, let provider = call.state.provider(mvpdID, of: record.requestorID) else {
            return answer([:])
        }
        if let virtual = try SandboxProfile.virtual(provider, call, deviceID: record.deviceID) {
            try checkTrial(virtual, call)
            return answer([mvpdID: virtual.json(call.state)])
        }
        if case .loggedIn(let index) = record.outcome, let login = call.state.login(index) {
            let delay = call.state.scenario.profileDelay
            if call.state.judge({ $0 < login.began.addingTimeInterval(delay) }) {
                if delay > 0 { call.state.note(.lateProfile) }
                return answer([:])
            }
            // The viewer may have chosen another provider after the page of this one had opened.
            let profile = SandboxProfile(login, type: "regular", issuer: login.mvpdID.text)
            return answer([login.mvpdID: profile.json(call.state)])
        }
        // The code has no login when the second screen has found that none is needed.
        let known = record.session.flatMap { SandboxProfile.find(provider, for: $0, in: call.state) }
        return answer(known.map { [mvpdID: $0.json(call.state)] } ?? [:])
    }

    static func answer(_ profiles: [MVPDID: MetadataValue], status: Int = 200) -> HTTPResponse {
        .json(["profiles": profiles], status: status)
    }

    private static func checkTrial(_ profile: SandboxProfile, _ call: RESTv2Call) throws(SandboxRefusal) {
        guard case .tempPass(let holder) = profile.login.subject else { return }
        // A pass whose resources are used up has no profile (the page's fifth sample). The resources that it has opened
        // stay open until it expires, because no document says otherwise.
        switch Trials.reachedLimit(of: holder, login: profile.login, in: call.state) {
        case .time: throw .enhanced("temporary_access_duration_limit_exceeded")
        case .resources: throw .enhanced("temporary_access_resources_limit_exceeded")
        case nil: break
        }
    }
}
