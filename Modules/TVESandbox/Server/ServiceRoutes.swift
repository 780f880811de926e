import FlyingFox
import Foundation

/// The routes of the service, of the TV provider and of the pages that viewers open.
struct ServiceRoutes {
    let state: SandboxState
    private static let openAPI = EmbeddedFile.text("OpenAPI.json")

    func respond(to request: SandboxRequest) throws(SandboxRefusal) -> HTTPResponse {
        if request.method == "OPTIONS" { return .status(204) }
        if request.path.starts(with: ["api", "v2"]) { return try RESTv2Router.respond(state, request) }
        if Throttle.applies(to: request.path), !state.admits(request) { return Throttle.refusalAboveTheLimit }
        let path = request.path
        if state.world.behavior.isClassicRetired, Self.isClassic(path) { return .status(410) }
        switch (request.method, path.first, path.count) {
        case (_, "api", 3) where HouseholdRoutes.names.contains(path[2]):
            return try HouseholdRoutes.respond(state, request)
        case ("GET", "openapi.json", 1), ("HEAD", "openapi.json", 1):
            return .text(Self.openAPI, type: "application/json;charset=UTF-8")
        case (_, "o", 3) where path[1] == "client": return try clientRegistration(path[2], request)
        // A client that `tve conformance` checks reports here that it plays something. No real service has this path.
        case ("POST", "conformance", 3) where path[1] == "plays": return .status(204)
        case (_, "activate", 1...2): return ActivationPages.respond(state, request)
        case ("GET", "api", 5) where path[1] == "v1" && path[3] == "profile-requests":
            return try PlatformRoutes.profileRequest(state, request)
        case ("POST", "api", 4) where Array(path[1...]) == ["v1", "tokens", "authn"]:
            return try PlatformRoutes.exchange(state, request)
        case ("POST", "indiv", 2) where path[1] == "devices": return try Individualization.device(state, request)
        case (_, "reggie", 4...5) where path[1] == "v1" && path[3] == "regcode":
            return try RegistrationCodes.respond(state, request)
        case (_, "adobe-services", 2...): return try service(path[1], request)
        case (_, "sp", 3) where path[1] == "saml": return try saml(path[2], request)
        case (_, "idp", 3): return try ProviderPages.respond(state, request)
        default: return .status(404)
        }
    }

    /// Returns a Boolean value that indicates whether only apps of the classic services use a path.
    ///
    /// The pages of a login and of a logout serve both dialects.
    private static func isClassic(_ path: [String]) -> Bool {
        switch path.first {
        case "reggie", "indiv": true
        case "api": !(path.count == 3 && HouseholdRoutes.names.contains(path[2]))
        case "adobe-services": !["authenticate", "logout"].contains(path.dropFirst().first)
        default: false
        }
    }

    private func clientRegistration(_ name: String, _ request: SandboxRequest) throws(SandboxRefusal) -> HTTPResponse {
        if state.world.behavior.isStrict, request.method == "POST",
            let objection = DocumentedRequests.ofTheSandbox.operations[name]?.objection(to: request)
        {
            throw objection.oauthRefusal
        }
        switch (name, request.method) {
        case ("register", "POST"): return try ClientRegistration.register(state, request)
        case ("token", "POST"): return try ClientRegistration.token(state, request)
        case ("register", _), ("token", _): return .notAllowed(["POST"])
        default: return .status(404)
        }
    }

    private func service(_ name: String, _ request: SandboxRequest) throws(SandboxRefusal) -> HTTPResponse {
        switch (request.method, name) {
        case ("GET", "config"): return try ConfigurationXML.respond(state, request)
        case ("GET", "authenticate"): return try LoginRoutes.authenticate(state, request)
        case ("GET", "logout"): return LogoutRoutes.logout(state, request)
        case ("POST", "session"): return try SessionRoutes.session(state, request, dialect: .web)
        case ("POST", "sessionDevice"): return try SessionRoutes.session(state, request, dialect: .device)
        case ("POST", "authorize"): return try AuthorizationRoutes.authorize(state, request, dialect: .web)
        case ("POST", "authorizeDevice"): return try AuthorizationRoutes.authorize(state, request, dialect: .device)
        case ("POST", "shortAuthorize"): return try AuthorizationRoutes.mediaToken(state, request, dialect: .web)
        case ("POST", "deviceShortAuthorize"):
            return try AuthorizationRoutes.mediaToken(state, request, dialect: .device)
        case ("POST", "preauthorize"): return try AuthorizationRoutes.preauthorize(state, request)
        default: return .status(404)
        }
    }

    private func saml(_ name: String, _ request: SandboxRequest) throws(SandboxRefusal) -> HTTPResponse {
        switch (request.method, name) {
        case ("POST", "SAMLAssertionConsumer"): try LoginRoutes.assertion(state, request)
        // The real endpoint is known to answer 503 to a request without a response in its form.
        case (_, "SAMLAssertionConsumer"): .status(503)
        case ("GET", "LogoutServiceHTTPRedirectResponse"): LogoutRoutes.logoutResponse(state, request)
        default: .status(404)
        }
    }
}
