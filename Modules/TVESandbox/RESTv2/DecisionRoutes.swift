import FlyingFox
import Foundation
import TVEModels
import TVETokenCodec

/// Decisions: what a viewer may watch (REST API v2, 5.9 and 5.10).
enum DecisionRoutes {
    /// Whether an error is reported per resource rather than for the whole request.
    static func answersInside(_ endpoint: RESTv2Router.Endpoint, _ code: String) -> Bool {
        guard endpoint == .authorize || endpoint == .preauthorize else { return false }
        return code.contains("denied_by") || code.hasPrefix("network_") || code.hasPrefix("temporary_access_")
            || code.hasPrefix("authenticated_profile_") || code == "identity_not_recognized_by_mvpd"
            || code == "maximum_execution_time_exceeded"
    }

    static func decide(
        _ call: RESTv2Call, _ endpoint: RESTv2Router.Endpoint, mvpdID: String
    ) throws(SandboxRefusal) -> HTTPResponse {
        let body = try? OutsideJSON.decode(Question.self, from: call.request.body, .small)
        guard let texts = body?.resources, !texts.isEmpty, !texts.contains("") else {
            throw .enhanced("invalid_parameter_resources")
        }
        let provider = try call.provider(mvpdID)
        let limit = endpoint == .authorize ? 1 : call.state.world.behavior.preauthorizationLimit
        guard texts.count <= limit else { throw .enhanced("too_many_resources") }
        let resources = texts.map { Resource($0) }
        guard let channels = try? resources.map({ try $0.channelID() }) else {
            throw .enhanced("invalid_parameter_resources")
        }
        let question = Context(call: call, endpoint: endpoint, provider: provider)
        var decisions: [Decision] = []
        for (resource, channel) in zip(resources, channels) {
            decisions.append(try decision(question, resource, channel))
        }
        return .json(["decisions": decisions])
    }

    private struct Context {
        let call: RESTv2Call
        let endpoint: RESTv2Router.Endpoint
        let provider: SandboxWorld.Provider

        var isForReal: Bool { endpoint == .authorize }
    }

    private static func decision(
        _ context: Context, _ resource: Resource, _ channel: String
    ) throws(SandboxRefusal) -> Decision {
        let (call, provider) = (context.call, context.provider)
        let behavior = call.state.world.behavior.restV2
        func denied(_ code: String, source: String = "mvpd", details: String? = nil) -> Decision {
            Decision(
                resource: resource.text, serviceProvider: call.serviceProvider.id, mvpd: provider.id, source: source,
                authorized: false, error: EnhancedErrorRow.of(code)?.error(details: details))
        }
        if let forced = behavior.forcedErrors[context.endpoint.rawValue] { return denied(forced) }
        let virtual: SandboxProfile?
        do throws(SandboxRefusal) {
            virtual = try SandboxProfile.virtual(provider, call, deviceID: call.owner.deviceID)
        } catch {
            return denied("invalid_header_identity_for_temporary_access", source: "temppass")
        }
        guard let profile = virtual ?? SandboxProfile.find(provider, call) else {
            // The decisions of a degraded provider need no viewer.
            switch provider.degradation {
            case .authorizeAll: return permit(context, resource, nil, source: "degradation")
            case .authorizeNone: return denied("authorization_denied_by_degradation_rule", source: "degradation")
            case .authenticateAll, nil: break
            }
            let code = hadProfile(context) ? "authenticated_profile_expired" : "authenticated_profile_missing"
            if behavior.failsWithoutProfile { throw .enhanced(code) }
            return denied(code)
        }
        let verdict = Verdict(of: channel, profile.login, provider, call.state, isForReal: context.isForReal)
        let source = source(profile, provider)
        switch verdict {
        case .allowed: return permit(context, resource, profile.login, source: source)
        case .deniedByProvider(let text), .deniedRepeatedly(let text):
            let code = context.isForReal ? "authorization_denied_by_mvpd" : "preauthorization_denied_by_mvpd"
            return denied(code, details: text)
        case .deniedByDegradation: return denied("authorization_denied_by_degradation_rule", source: "degradation")
        case .providerUnreachable: return denied("network_received_error")
        case .trialIsOver(.time): return denied("temporary_access_duration_limit_exceeded", source: "temppass")
        case .trialIsOver(.resources):
            return denied("temporary_access_resources_limit_exceeded", source: "temppass")
        }
    }

    private static func source(_ profile: SandboxProfile, _ provider: SandboxWorld.Provider) -> String {
        switch (profile.type, provider.degradation) {
        case ("temporary", _): "temppass"
        case ("degraded", _), (_, .authorizeAll): "degradation"
        default: "mvpd"
        }
    }

    /// Whether there was a profile recently.
    private static func hadProfile(_ context: Context) -> Bool {
        let key = context.call.owner.key(context.provider.id)
        return context.call.state.withTables { tables, now in
            guard tables.profiles.entry(key, at: now) == nil else { return false }
            let index = tables.profiles.entry(key, at: now.addingTimeInterval(-Self.grace))
            return index.flatMap { tables.logins.entry($0, at: now.addingTimeInterval(-Self.grace)) }?.isLoggedOut
                == false
        }
    }

    private static let grace: TimeInterval = 3_600

    private static func permit(_ context: Context, _ resource: Resource, _ login: Login?, source: String) -> Decision {
        let (call, state) = (context.call, context.call.state)
        var decision = Decision(
            resource: resource.text, serviceProvider: call.serviceProvider.id, mvpd: context.provider.id,
            source: source, authorized: true)
        guard context.isForReal else { return decision }
        let now = state.now
        let lifetime = state.world.behavior.mediaLifetime
        let claims = MediaToken.Claims(
            sessionGUID: login.map(UserMetadataJSON.userID) ?? "", requestorID: call.serviceProvider.id,
            resource: resource, timeToLive: Int64(lifetime) * 1000,
            issued: TokenDate(
                secondsSince1970: Int64(now.timeIntervalSince1970),
                utcOffsetMinutes: state.world.behavior.tokenUTCOffsetMinutes),
            mvpdID: context.provider.id)
        guard let signed = try? state.sign(TokenWriter.body(claims)) else { return decision }
        decision.token = Decision.Token(
            notBefore: now.milliseconds, notAfter: now.milliseconds + Int64(lifetime) * 1000,
            serializedToken: Data(signed.rawValue.utf8).base64EncodedString())
        // Without a viewer there is nothing to remember, and the samples have no dates.
        guard let login else { return decision }
        let remembered = remembered(login, resource, state)
        var end = remembered.notAfter
        if case .tempPass(let key) = login.subject { end = min(end, Trials.expiry(key, login, state)) }
        decision.notBefore = remembered.notBefore.milliseconds
        decision.notAfter = end.milliseconds
        return decision
    }

    /// A provider is not asked again while its permission is valid.
    private static func remembered(_ login: Login, _ resource: Resource, _ state: SandboxState) -> RememberedDecision {
        let lifetime = TimeInterval(state.world.behavior.authorizationLifetime)
        let key = SandboxState.key(login.sessionIndex, login.guid, login.requestorID, login.mvpdID, resource.text)
        return state.withTables { tables, now in
            if let known = tables.decisions.entry(key, at: now) { return known }
            let new = RememberedDecision(notBefore: now, notAfter: now.addingTimeInterval(lifetime))
            tables.decisions.set(new, key, until: new.notAfter, at: now)
            return new
        }
    }

    private struct Question: Decodable {
        let resources: [String]
    }

    private struct Decision: Encodable {
        struct Token: Encodable {
            let notBefore: Int64
            let notAfter: Int64
            let serializedToken: String
        }

        let resource: String
        let serviceProvider: String
        let mvpd: String
        let source: String
        let authorized: Bool
        var error: EnhancedErrorJSON?
        var token: Token?
        var notBefore: Int64?
        var notAfter: Int64?
    }
}
