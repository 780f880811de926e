import FlyingFox
import Foundation
import TVEModels
import TVETokenCodec

/// The routes of the platform's sign-on: the request for the platform, and the exchange of the platform's answer for a
/// login (REST API v1 pages, profile requests and token exchange).
enum PlatformRoutes {
    /// Returns an opaque text for the platform, for `GET /api/v1/{requestor}/profile-requests/{mvpd}`.
    static func profileRequest(
        _ state: SandboxState, _ request: SandboxRequest
    ) throws(SandboxRefusal) -> HTTPResponse {
        try ClientRegistration.authorize(state, request)
        let requestorID = RequestorID(request.path[2])
        let mvpdID = MVPDID(request.path[4])
        guard state.provider(mvpdID, of: requestorID)?.platformID != nil, request.query["deviceType"] != nil else {
            return .status(400)
        }
        return .text(
            PlatformLogin.request(state, requestorID: requestorID, mvpdID: mvpdID), type: "application/octet-stream")
    }

    /// Exchanges the platform's answer for a login, for `POST /api/v1/tokens/authn`.
    ///
    /// The app then gets the token with a session request.
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
