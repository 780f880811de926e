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
        return .text(text(state, requestorID, mvpdID), type: "application/octet-stream")
    }

    /// `POST /api/v1/tokens/authn`: exchanges the platform's answer; the session call then returns the token.
    ///
    /// The answer for a viewer is `<Response InResponseTo="the request"><NameID>name</NameID></Response>`: the sandbox
    /// does not have the keys of real providers to check a real answer.
    static func exchange(_ state: SandboxState, _ request: SandboxRequest) throws(SandboxRefusal) -> HTTPResponse {
        try ClientRegistration.authorize(state, request)
        let requestorID = RequestorID(try request.required("requestor"))
        let mvpdID = MVPDID(try request.required("mvpd"))
        let deviceID = try request.required("deviceId")
        guard
            let login = login(state, requestorID: requestorID, mvpdID: mvpdID, try request.required("SAMLResponse"))
        else { return .status(400) }
        let key = key(deviceID: deviceID, requestorID: requestorID, mvpdID: mvpdID)
        state.withTables { tables, now in
            tables.platformLogins.set(login.sessionIndex, key, until: login.expires, at: now)
            tables.logins.change(login.sessionIndex) { $0.deviceID = deviceID }
        }
        return .status(204)
    }

    /// Logs a viewer in with the platform's answer, nil when it does not answer the request.
    static func login(
        _ state: SandboxState, requestorID: RequestorID, mvpdID: MVPDID, _ samlResponse: String
    ) -> Login? {
        guard state.provider(mvpdID, of: requestorID)?.platformID != nil,
            let answer = Data(base64Encoded: samlResponse),
            let root = try? XMLTree.parse(answer, .token), root.name == "Response",
            let asked = root.attributes["InResponseTo"], isRequest(asked, state, requestorID, mvpdID),
            let viewer = root.first("NameID").flatMap({ state.world.viewer($0.text) })
        else { return nil }
        let subject: Login.Subject =
            state.provider(mvpdID, of: requestorID)?.degradation == .authenticateAll
            ? .anybody : .platformViewer(viewer.name)
        return LoginRoutes.logIn(state, subject, requestorID: requestorID, mvpdID: mvpdID)
    }

    /// Whether the platform received this request, as it is or, in REST API v2, in Base64.
    private static func isRequest(
        _ text: String, _ state: SandboxState, _ requestorID: RequestorID, _ mvpdID: MVPDID
    ) -> Bool {
        let unwrapped = Data(base64Encoded: text).map { String(decoding: $0, as: UTF8.self) }
        return [text, unwrapped].compactMap(\.self).contains { state.isSeal($0, of: content(requestorID, mvpdID)) }
    }

    static func key(deviceID: String, requestorID: RequestorID, mvpdID: MVPDID) -> String {
        SandboxState.key(deviceID, requestorID.text, mvpdID.text)
    }

    /// The request for the platform.
    static func text(_ state: SandboxState, _ requestorID: RequestorID, _ mvpdID: MVPDID) -> String {
        state.seal(content(requestorID, mvpdID))
    }

    private static func content(_ requestorID: RequestorID, _ mvpdID: MVPDID) -> String {
        "platform " + SandboxState.key(requestorID.text, mvpdID.text)
    }
}
