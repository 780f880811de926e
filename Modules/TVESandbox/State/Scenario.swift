import Foundation
import TVEModels

/// What the faults of a request do to a login of REST API v2.
struct Scenario {
    /// How many seconds after the login its code has a profile.
    var profileDelay: TimeInterval = 0
    /// A TV provider with which each login gets a second profile.
    var secondProvider: MVPDID?
    /// Whether the profiles of the device end now.
    var endsProfiles = false
    /// Whether the code that is polled ends now, as if another one had been made.
    var replacesCode = false

    /// Does to the caller's login what happens before the request is answered.
    func happen(to call: RESTv2Call) {
        guard endsProfiles || replacesCode else { return }
        call.state.withTables { tables, now in
            if endsProfiles {
                for provider in call.serviceProvider.providers {
                    guard let index = tables.profiles.entry(call.owner.key(provider), at: now) else { continue }
                    tables.endLogin(index, at: now)
                }
            }
            if replacesCode, let code = call.request.path.last {
                _ = tables.codes.remove(code.uppercased(), at: now)
            }
        }
    }

    /// Logs the viewer in with the second provider too.
    func addProfile(beside login: Login, _ state: SandboxState, code: String?) {
        guard let secondProvider, let session = code.flatMap(state.code)?.session,
            state.provider(secondProvider, of: login.requestorID) != nil
        else { return }
        let second = LoginRoutes.logIn(
            state, login.subject, requestorID: login.requestorID, mvpdID: secondProvider)
        state.withTables { $0.keep(second, of: session.owner, shared: [], at: $1) }
    }
}
