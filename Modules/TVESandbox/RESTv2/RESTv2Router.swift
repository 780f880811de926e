import FlyingFox
import TVEModels

/// The router of REST API v2, which finds the endpoint of a request and performs the checks of all endpoints in the
/// documented order.
enum RESTv2Router {
    typealias Endpoint = SandboxWorld.Behavior.RESTv2.Endpoint

    static func respond(_ state: SandboxState, _ request: SandboxRequest) throws(SandboxRefusal) -> HTTPResponse {
        let path = Array(request.path.dropFirst(2))
        let endpoints = Self.endpoints(path)
        guard !endpoints.isEmpty else { return .status(404).objecting("No endpoint has this path.") }
        guard let endpoint = endpoints[request.method] else {
            return .notAllowed(endpoints.keys.sorted()).objecting("The path does not allow this method.")
        }
        guard state.admits(request) else { return Throttle.refusalAboveTheLimit }
        let forced = state.world.behavior.restV2.forcedErrors[endpoint.rawValue]
        if endpoint == .authenticate {
            if let objection = objection(to: request, endpoint, state) {
                return Page.failure(objection.sentence).objecting(objection.sentence)
            }
            if let row = forced.flatMap(EnhancedErrorRow.of) {
                state.noteForcedError(at: endpoint)
                return Page.failure(row.message, status: row.status)
            }
            return AuthenticationSessions.authenticate(
                state, request, serviceProvider: RequestorID(path[1]), code: path[2])
        }
        let call = try RESTv2Call(state, request, at: endpoint, serviceProvider: RequestorID(path[0]))
        if let objection = objection(to: request, endpoint, state) { throw objection.refusal }
        state.scenario.happen(to: call)
        if let forced, !DecisionRoutes.answersInside(endpoint, forced) {
            state.noteForcedError(at: endpoint)
            throw .enhanced(forced)
        }
        switch endpoint {
        case .configuration: return ConfigurationJSON.respond(call)
        case .createSession: return try AuthenticationSessions.create(call)
        case .resumeSession: return try AuthenticationSessions.resume(call, code: path[2])
        case .session: return try AuthenticationSessions.inspect(call, code: path[2])
        case .profiles: return ProfileRoutes.all(call)
        case .profile: return try ProfileRoutes.one(call, mvpdID: MVPDID(path[2]))
        case .profileOfCode: return try ProfileRoutes.ofCode(call, code: path[3])
        case .preauthorize, .authorize: return try DecisionRoutes.decide(call, endpoint, mvpdID: MVPDID(path[3]))
        case .logout: return try LogoutActions.logout(call, mvpdID: MVPDID(path[2]))
        case .partnerSession: return try PartnerRoutes.session(call, partner: path[3])
        case .partnerProfile: return try PartnerRoutes.profile(call, partner: path[3])
        case .authenticate: return .status(404)
        }
    }

    /// Returns the reason for which a strict sandbox refuses a request to an endpoint; `nil` when it does not.
    private static func objection(
        to request: SandboxRequest, _ endpoint: Endpoint, _ state: SandboxState
    ) -> Objection? {
        guard state.world.behavior.isStrict else { return nil }
        return DocumentedRequests.ofTheSandbox.operations[endpoint.rawValue]?.objection(to: request)
    }

    /// Returns the endpoint of a request by its method and its path after `/api/v2`; `nil` where there is none.
    static func endpoint(_ method: String, _ path: [String]) -> Endpoint? { endpoints(path)[method] }

    /// Returns the endpoints at a path after `/api/v2`, by method.
    private static func endpoints(_ path: [String]) -> [String: Endpoint] {
        guard path.count > 1 else { return [:] }
        if path[0] == "authenticate" { return path.count == 3 ? ["GET": .authenticate] : [:] }
        switch (path[1], path.count) {
        case ("configuration", 2): return ["GET": .configuration]
        case ("sessions", 2): return ["POST": .createSession]
        case ("sessions", 3): return ["POST": .resumeSession, "GET": .session]
        case ("sessions", 4) where path[2] == "sso": return ["POST": .partnerSession]
        case ("profiles", 2): return ["GET": .profiles]
        case ("profiles", 3): return ["GET": .profile]
        case ("profiles", 4) where path[2] == "code": return ["GET": .profileOfCode]
        case ("profiles", 4) where path[2] == "sso": return ["POST": .partnerProfile]
        case ("decisions", 4) where path[2] == "preauthorize": return ["POST": .preauthorize]
        case ("decisions", 4) where path[2] == "authorize": return ["POST": .authorize]
        case ("logout", 3): return ["GET": .logout]
        default: return [:]
        }
    }
}
