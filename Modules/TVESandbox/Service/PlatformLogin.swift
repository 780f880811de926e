import Foundation
import TVEModels
import TVETokenCodec

/// The platform's sign-on in both dialects: a request for the platform, and a login by the platform's answer.
enum PlatformLogin {
    /// Returns the request that an app passes to the platform.
    static func request(_ state: SandboxState, requestorID: RequestorID, mvpdID: MVPDID) -> String {
        state.seal(content(requestorID, mvpdID))
    }

    private static func content(_ requestorID: RequestorID, _ mvpdID: MVPDID) -> String {
        "platform " + SandboxState.key(requestorID.text, mvpdID.text)
    }

    /// Logs a viewer in with the platform's answer; returns `nil` when the text does not answer the sandbox's request.
    ///
    /// The sandbox does not have the keys of real providers to check a real answer. For a viewer of the world it
    /// accepts
    /// `<Response InResponseTo="the request"><NameID>name</NameID></Response>`.
    static func login(
        _ state: SandboxState, requestorID: RequestorID, mvpdID: MVPDID, _ samlResponse: String
    ) -> Login? {
        guard state.provider(mvpdID, of: requestorID)?.platformID != nil,
            let answer = Data(base64Encoded: samlResponse),
            let root = try? XMLTree(parsing: answer, .token), root.name == "Response",
            let asked = root.attributes["InResponseTo"],
            isRequest(asked, state, requestorID: requestorID, mvpdID: mvpdID),
            let viewer = root.first("NameID").flatMap({ state.world.viewer($0.text) })
        else { return nil }
        let subject: Login.Subject =
            state.isDegraded(state.provider(mvpdID, of: requestorID), to: .authenticateAll)
            ? .anybody : .platformViewer(viewer.name)
        return LoginRoutes.logIn(state, subject, requestorID: requestorID, mvpdID: mvpdID)
    }

    /// Returns a Boolean value that indicates whether a text is the request for the platform.
    ///
    /// In REST API v2 the text may be the Base64 of the request.
    private static func isRequest(
        _ text: String, _ state: SandboxState, requestorID: RequestorID, mvpdID: MVPDID
    ) -> Bool {
        let unwrapped = Data(base64Encoded: text).map { String(decoding: $0, as: UTF8.self) }
        return [text, unwrapped].compactMap(\.self).contains { state.isSeal($0, of: content(requestorID, mvpdID)) }
    }
}
