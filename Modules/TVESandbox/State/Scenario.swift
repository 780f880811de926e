import Foundation
import TVEModels

/// The effects of a request's faults on a login of REST API v2.
struct Scenario {
    /// The number of seconds after the login before its code has a profile.
    var profileDelay: TimeInterval = 0
    /// The TV provider with which each login gets a second profile; `nil` for no second profile.
    var secondProvider: MVPDID?
    /// A Boolean value that indicates whether the profiles of the device end before the request is answered.
    var endsProfiles = false
    /// A Boolean value that indicates whether the polled code ends before the request is answered, as if the device had
    /// requested another one.
    var replacesCode = false

    /// Ends the profiles and the code of the caller, if a fault asks for it, before the request is answered.
    func happen(to call: RESTv2Call) {
        guard endsProfiles || replacesCode else { return }
        call.state.withTables { tables, now in
            if endsProfiles {
                for provider in call.serviceProvider.providers {
                    guard let index = tables.profiles.entry(call.owner.key(provider), at: now) else { continue }
                    if tables.login(index, now) != nil { call.state.note(.profileEnded) }
                    tables.endLogin(index, at: now)
                }
            }
            if replacesCode, let code = call.request.path.last {
                if tables.codes.remove(code.uppercased(), at: now) != nil { call.state.note(.codeReplaced) }
            }
        }
    }

    /// Logs the viewer in with the second provider as well, if a fault asks for it.
    func addProfile(beside login: Login, _ state: SandboxState, code: String?) {
        guard let secondProvider, let session = code.flatMap(state.code)?.session,
            state.provider(secondProvider, of: login.requestorID) != nil
        else { return }
        state.note(.secondProfile)
        let second = LoginRoutes.logIn(
            state, login.subject, requestorID: login.requestorID, mvpdID: secondProvider)
        state.withTables { $0.keep(second, of: session.owner, shared: [], at: $1) }
    }
}
