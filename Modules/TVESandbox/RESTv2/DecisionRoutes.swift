import FlyingFox
import Foundation
import TVEModels
import TVETokenCodec

/// The routes that decide what a viewer may watch (REST API v2, 5.9 and 5.10).
enum DecisionRoutes {
    /// Returns a Boolean value that indicates whether an endpoint reports an error for each resource rather than for
    /// the whole request.
    static func answersInside(_ endpoint: RESTv2Router.Endpoint, _ code: String) -> Bool {
        guard endpoint == .authorize || endpoint == .preauthorize else { return false }
        // A TempPass permits every preauthorization, so that endpoint's page has neither error.
        if errorsOfTempPass.contains(code) { return endpoint == .authorize }
        return code.containsBytes(of: "denied_by") || code.hasBytePrefix("network_")
            || code.hasBytePrefix("temporary_access_")
            || code.hasBytePrefix("authenticated_profile_") || code == "identity_not_recognized_by_mvpd"
            || code == "maximum_execution_time_exceeded"
    }

    /// The errors of a TempPass beside its limits.
    private static let errorsOfTempPass: Set<String> = [
        "invalid_configuration_temporary_access", "invalid_header_identity_for_temporary_access",
    ]

    /// Returns the source of a decision that has a forced error.
    private static func forcedSource(of code: String) -> MetadataValue {
        if code.hasBytePrefix("temporary_access_") || errorsOfTempPass.contains(code) { return "temppass" }
        return code == "authorization_denied_by_degradation_rule" ? "degradation" : "mvpd"
    }

    static func decide(
        _ call: RESTv2Call, _ endpoint: RESTv2Router.Endpoint, mvpdID: MVPDID
    ) throws(SandboxRefusal) -> HTTPResponse {
        let body = try? UntrustedJSON.decode(RequestedResources.self, from: call.request.body, .small)
        guard let resources = body?.resources, !resources.isEmpty, !resources.contains("") else {
            throw .enhanced("invalid_parameter_resources")
        }
        let provider = try call.provider(mvpdID)
        let limit = endpoint == .authorize ? 1 : call.state.world.behavior.preauthorizationLimit
        guard resources.count <= limit else { throw .enhanced("too_many_resources") }
        guard let channels = try? resources.map({ try $0.channelID() }) else {
            throw .enhanced("invalid_parameter_resources")
        }
        let context = Context(call: call, endpoint: endpoint, provider: provider)
        var decisions: [MetadataValue] = []
        var denials: [Denial] = []
        for (resource, channel) in zip(resources, channels) {
            let (decision, decider) = try decision(context, on: resource, channel: channel)
            decisions.append(decision)
            if let decider { denials.append(Denial(decider: decider, resource: channel)) }
        }
        return HTTPResponse.json(["decisions": decisions]).explaining(denials)
    }

    private struct Context {
        let call: RESTv2Call
        let endpoint: RESTv2Router.Endpoint
        let provider: SandboxWorld.Provider

        var isForReal: Bool { endpoint == .authorize }

        /// Returns the members that every decision has.
        func decision(_ resource: Resource, source: MetadataValue, isAuthorized: Bool) -> [String: MetadataValue] {
            [
                "resource": "\(resource)", "serviceProvider": "\(call.serviceProvider.id)", "mvpd": "\(provider.id)",
                "source": source, "authorized": .bool(isAuthorized),
            ]
        }
    }

    private static func decision(
        _ context: Context, on resource: Resource, channel: String
    ) throws(SandboxRefusal) -> (MetadataValue, Denial.Decider?) {
        let call = context.call
        let provider = context.provider
        let behavior = call.state.world.behavior.restV2
        func denied(
            _ code: String, by decider: Denial.Decider?, source: MetadataValue = "mvpd", details: String? = nil
        ) -> (MetadataValue, Denial.Decider?) {
            var decision = context.decision(resource, source: source, isAuthorized: false)
            decision["error"] = EnhancedErrorRow.of(code)?.error(details: details)
            return (.object(decision), decider)
        }
        if let forced = behavior.forcedErrors[context.endpoint.rawValue] {
            let isFault = call.state.noteForcedError(at: context.endpoint)
            return denied(forced, by: isFault ? .fault : .behavior, source: forcedSource(of: forced))
        }
        let virtual: SandboxProfile?
        do throws(SandboxRefusal) {
            virtual = try SandboxProfile.virtual(provider, call, deviceID: call.owner.deviceID)
        } catch {
            // The page of a preauthorization lists no header for the viewer's id. Without the id the limits of the pass
            // are not known.
            if !context.isForReal { return (permit(context, resource, to: nil, source: "temppass"), nil) }
            return denied("invalid_header_identity_for_temporary_access", by: .pass, source: "temppass")
        }
        guard let profile = virtual ?? SandboxProfile.find(provider, call) else {
            // The decisions of a degraded provider do not depend on a viewer.
            if call.state.isDegraded(provider, to: .authorizeAll) {
                return (permit(context, resource, to: nil, source: "degradation"), nil)
            }
            if call.state.isDegraded(provider, to: .authorizeNone) {
                let decider: Denial.Decider = call.state.isDenyingByFault(provider.id) ? .fault : .provider
                return denied("authorization_denied_by_degradation_rule", by: decider, source: "degradation")
            }
            let code = hadProfile(context) ? "authenticated_profile_expired" : "authenticated_profile_missing"
            if behavior.failsWithoutProfile { throw .enhanced(code) }
            return denied(code, by: .login)
        }
        let verdict = Verdict(
            of: channel, for: profile.login, at: provider, in: call.state, isForReal: context.isForReal)
        let source = source(profile, provider)
        let decider = verdict.decider(of: channel, for: profile.login, at: provider.id, in: call.state)
        switch verdict {
        case .allowed: return (permit(context, resource, to: profile.login, source: source), nil)
        case .deniedByProvider(let text), .deniedRepeatedly(let text):
            let code = context.isForReal ? "authorization_denied_by_mvpd" : "preauthorization_denied_by_mvpd"
            return denied(code, by: decider, details: text)
        case .deniedByDegradation:
            return denied("authorization_denied_by_degradation_rule", by: decider, source: "degradation")
        case .providerUnreachable: return denied("network_received_error", by: decider)
        case .trialIsOver(.time):
            return denied("temporary_access_duration_limit_exceeded", by: decider, source: "temppass")
        case .trialIsOver(.resources):
            return denied("temporary_access_resources_limit_exceeded", by: decider, source: "temppass")
        }
    }

    private static func source(_ profile: SandboxProfile, _ provider: SandboxWorld.Provider) -> MetadataValue {
        switch (profile.type, provider.degradation) {
        case ("temporary", _): "temppass"
        case ("degraded", _), (_, .authorizeAll): "degradation"
        default: "mvpd"
        }
    }

    /// Returns a Boolean value that indicates whether there was a profile in the last hour that has expired since.
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

    private static func permit(
        _ context: Context, _ resource: Resource, to login: Login?, source: MetadataValue
    ) -> MetadataValue {
        let call = context.call
        let state = call.state
        var decision = context.decision(resource, source: source, isAuthorized: true)
        guard context.isForReal else { return .object(decision) }
        let now = state.now
        let signed = state.mediaToken(
            for: login, requestorID: call.serviceProvider.id, resource: resource, mvpdID: context.provider.id)
        guard let signed else { return .object(decision) }
        decision["token"] = [
            "notBefore": .milliseconds(now),
            "notAfter": .milliseconds(now.addingTimeInterval(TimeInterval(state.world.behavior.mediaLifetime))),
            "serializedToken": .string(Data(signed.rawValue.utf8).base64EncodedString()),
        ]
        // Without a viewer there is nothing to remember, and the samples of such answers have no dates.
        guard let login else { return .object(decision) }
        let remembered = remembered(resource, for: login, in: state)
        var end = remembered.notAfter
        if case .tempPass(let holder) = login.subject {
            end = min(end, Trials.expiry(of: holder, login: login, in: state))
        }
        decision["notBefore"] = .milliseconds(remembered.notBefore)
        decision["notAfter"] = .milliseconds(end)
        return .object(decision)
    }

    /// Returns the permission that the service remembers, so that it does not ask the provider again while the
    /// permission is valid.
    private static func remembered(
        _ resource: Resource, for login: Login, in state: SandboxState
    ) -> RememberedDecision {
        let lifetime = TimeInterval(state.world.behavior.authorizationLifetime)
        let key = SandboxState.key(
            login.sessionIndex, login.guid, login.requestorID.text, login.mvpdID.text, resource.text)
        return state.withTables { tables, now in
            if let known = tables.decisions.entry(key, at: now) { return known }
            let new = RememberedDecision(notBefore: now, notAfter: now.addingTimeInterval(lifetime))
            tables.decisions.set(new, key, until: new.notAfter, at: now)
            return new
        }
    }

    private struct RequestedResources: Decodable {
        let resources: [Resource]
    }
}
