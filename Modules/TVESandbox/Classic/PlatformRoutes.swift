import FlyingFox
import Foundation
import TVEModels
import TVETokenCodec

/// The platform's sign-on: the request for it, and the exchange of its answer for a login (REST API v1 pages, profile
/// requests and token exchange).
enum PlatformRoutes {
    /// `GET /api/v1/{requestor}/profile-requests/{mvpd}`: an opaque text for the platform.
    static func profileRequest(
        _ state: SandboxState, _ request: SandboxRequest
    ) throws(SandboxRefusal) -> HTTPResponse {
        try ClientRegistration.authorize(state, request)
        let (requestorID, mvpdID) = (RequestorID(request.path[2]), MVPDID(request.path[4]))
        guard state.provider(mvpdID, of: requestorID)?.platformID != nil, request.query["deviceType"] != nil else {
            return .status(400)
        }
        return .text(PlatformLogin.request(state, requestorID, mvpdID), type: "application/octet-stream")
    }

    /// `POST /api/v1/tokens/authn`: exchanges the platform's answer; the session call then returns the token.
    static func exchange(_ state: SandboxState, _ request: SandboxRequest) throws(SandboxRefusal) -> HTTPResponse {
        try ClientRegistration.authorize(state, request)
        let requestorID = RequestorID(try request.required("requestor"))
        let mvpdID = MVPDID(try request.required("mvpd"))
        let deviceID = try request.required("deviceId")
        guard
            let login = PlatformLogin.login(
                state, requestorID: requestorID, mvpdID: mvpdID, try request.required("SAMLResponse"))
        else { return .status(400) }
        let key = key(deviceID: deviceID, requestorID: requestorID, mvpdID: mvpdID)
        state.withTables { tables, now in
            tables.platformLogins.set(login.sessionIndex, key, until: login.expires, at: now)
            tables.logins.change(login.sessionIndex) { $0.deviceID = deviceID }
        }
        return .status(204)
    }

    static func key(deviceID: String, requestorID: RequestorID, mvpdID: MVPDID) -> String {
        SandboxState.key(deviceID, requestorID.text, mvpdID.text)
    }
}
