import Foundation
import TVEModels
import TVETokenCodec

/// The platform's sign-on as both dialects have it: a request for the platform, and a login by its answer.
enum PlatformLogin {
    /// The request for the platform.
    static func request(_ state: SandboxState, _ requestorID: RequestorID, _ mvpdID: MVPDID) -> String {
        state.seal(content(requestorID, mvpdID))
    }

    private static func content(_ requestorID: RequestorID, _ mvpdID: MVPDID) -> String {
        "platform " + SandboxState.key(requestorID.text, mvpdID.text)
    }

    /// Logs a viewer in with the platform's answer, nil when it does not answer the request.
    ///
    /// The answer for a viewer is `<Response InResponseTo="the request"><NameID>name</NameID></Response>`: the sandbox
    /// does not have the keys of real providers to check a real answer.
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
}
