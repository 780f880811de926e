import FlyingFox
import Foundation
import TVEModels

/// The TV provider's own site, with its login page and its logout.
enum ProviderPages {
    static func respond(_ state: SandboxState, _ request: SandboxRequest) throws(SandboxRefusal) -> HTTPResponse {
        guard let provider = state.world.provider(MVPDID(request.path[1])), provider.login != .none else {
            return .status(404)
        }
        if provider.refusesWebViews == true, request.path[2] != "logout",
            isWebView(request.header("User-Agent") ?? "")
        {
            return Page.failure(
                "This TV provider cannot be used in an app's own web view. Open it in a browser.", status: 403)
        }
        switch (request.method, request.path[2]) {
        case ("GET", "sso"), ("POST", "sso"): return try start(provider, request)
        case ("POST", "login"): return try login(state, request, at: provider)
        case ("GET", "logout"): return logout(request)
        default: return .status(404)
        }
    }

    /// Returns a Boolean value that indicates whether a user agent is a web view inside an app.
    ///
    /// On Apple's systems the user agent of a web view does not name Safari. On Android it contains `wv`.
    private static func isWebView(_ userAgent: String) -> Bool {
        guard userAgent.containsBytes(of: "AppleWebKit/") else { return false }
        if userAgent.containsBytes(of: "; wv)") { return true }
        return ["iPhone", "iPad", "iPod", "Macintosh"].contains { userAgent.containsBytes(of: $0) }
            && !["Safari/", "Chrome/"].contains { userAgent.containsBytes(of: $0) }
    }

    private static func start(
        _ provider: SandboxWorld.Provider, _ request: SandboxRequest
    ) throws(SandboxRefusal) -> HTTPResponse {
        guard let message = request.form["SAMLRequest"] ?? request.query["SAMLRequest"],
            let requestID = SAMLMessages.requestID(message)
        else { return Page.failure("The login request is not valid.") }
        return Page.login(provider, requestID: requestID, relayState: try request.required("RelayState"), message: nil)
    }

    private static func login(
        _ state: SandboxState, _ request: SandboxRequest, at provider: SandboxWorld.Provider
    ) throws(SandboxRefusal) -> HTTPResponse {
        let requestID = try request.required("requestID")
        let relayState = try request.required("RelayState")
        if request.form["action"] == "cancel" {
            let answer = SAMLMessages.Answer(requestID: requestID, mvpdID: provider.id, viewer: nil)
            return SAMLMessages.toService(answer, relayState: relayState, state)
        }
        let name = request.form["username"] ?? ""
        guard let viewer = state.world.viewer(name), viewer.password.isSameBytes(as: request.form["password"] ?? "")
        else {
            return Page.login(
                provider, requestID: requestID, relayState: relayState, name: name,
                message: wrongPassword)
        }
        let answer = SAMLMessages.Answer(requestID: requestID, mvpdID: provider.id, viewer: viewer.name)
        return SAMLMessages.toService(answer, relayState: relayState, state)
    }

    /// The message on the login page after a wrong name or password.
    static let wrongPassword = "The user name or password is not correct."

    /// Redirects the browser back to the service, because the provider has no session of its own.
    private static func logout(_ request: SandboxRequest) -> HTTPResponse {
        guard let relayState = request.query["RelayState"] else {
            return Page.failure("The logout request is not valid.")
        }
        return .redirect("/sp/saml/LogoutServiceHTTPRedirectResponse?RelayState=\(relayState.escapedForPath)")
    }
}
