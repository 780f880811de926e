import FlyingFox
import Foundation
import TVEModels
import TVETokenCodec

/// The routes of the classic services for authorization, media tokens and preauthorization.
enum AuthorizationRoutes {
    static func authorize(
        _ state: SandboxState, _ request: SandboxRequest, dialect: Dialect
    ) throws(SandboxRefusal) -> HTTPResponse {
        try ClientRegistration.authorize(state, request)
        let device = try PresentedDevice(state, request, dialect: dialect)
        let (token, login) = try PresentedToken.authentication(state, request, boundTo: device.fingerprint)
        guard MVPDID(try request.required("mso_id")) == token.claims.mvpdID else {
            return .xmlError("invalidRequest", "The token is from another provider", status: 400)
        }
        let resource = Resource(try request.required("resource_id"))
        let channel: String
        do throws(TokenCodecError) {
            channel = try resource.channelID()
        } catch {
            return denied(state, code: "invalid", "The resource is malformed.")
        }
        let provider = state.provider(login.mvpdID, of: login.requestorID)
        let verdict = Verdict(of: channel, for: login, at: provider, in: state)
        if let refusal = refusal(verdict, state) {
            let decider = verdict.decider(of: channel, for: login, at: login.mvpdID, in: state)
            return refusal.explaining(decider.map { [Denial(decider: $0, resource: channel)] } ?? [])
        }
        let lifetime = TimeInterval(state.world.behavior.authorizationLifetime)
        var claims = AuthorizationToken.Claims(
            requestorID: try request.requiredRequestor(), resource: resource,
            expires: state.tokenDate(state.now.addingTimeInterval(lifetime)), mvpdID: token.claims.mvpdID,
            fingerprint: device.fingerprint)
        claims.authorizesAll = state.isDegraded(provider, to: .authorizeAll)
        guard let signed = try? state.sign(TokenWriter.body(claims)) else { return .status(500) }
        state.withTables {
            $0.authorized.set(login.sessionIndex, state.seal(signed.rawValue), until: claims.expires.date, at: $1)
        }
        let metadata =
            request.form["userMeta"] == "1"
            ? "<userMeta>\(UserMetadataJSON.text(of: login, state).escapedForXML)</userMeta>" : ""
        return .xml("<result><authzToken>\(signed.rawValue.escapedForXML)</authzToken>\(metadata)</result>")
    }

    static func mediaToken(
        _ state: SandboxState, _ request: SandboxRequest, dialect: Dialect
    ) throws(SandboxRefusal) -> HTTPResponse {
        try ClientRegistration.authorize(state, request)
        let device = try PresentedDevice(state, request, dialect: dialect)
        let token = try PresentedToken.authorization(state, request, boundTo: device.fingerprint)
        // An AuthZ token does not name the viewer, so the sandbox remembers the login of each token.
        let viewer = state.find { tables, now in
            tables.authorized.entry(state.seal(token.text.rawValue), at: now).flatMap { tables.login($0, now) }
        }
        guard let viewer else { return .pendingLogout(1) }
        let claims = token.claims
        guard
            let signed = state.mediaToken(
                for: viewer, requestorID: claims.requestorID, resource: claims.resource, mvpdID: claims.mvpdID)
        else {
            return .status(500)
        }
        return .text(signed.rawValue, type: "text/plain;charset=UTF-8")
    }

    static func preauthorize(_ state: SandboxState, _ request: SandboxRequest) throws(SandboxRefusal) -> HTTPResponse {
        try ClientRegistration.authorize(state, request)
        let (_, login) = try PresentedToken.authentication(state, request, boundTo: nil)
        let resources = request.form.all("resource_id")
        guard resources.count <= state.world.behavior.preauthorizationLimit else {
            return .xml("<resources></resources>")
        }
        var denials: [Denial] = []
        let rows = resources.map { text in
            let channel = try? Resource(text).channelID()
            let isAuthorized = channel.map { Verdict.providerDenial(of: $0, for: login, in: state) == nil } ?? false
            if let channel, !isAuthorized {
                let isFault = state.isDeniedByFault(channel, to: login)
                denials.append(Denial(decider: isFault ? .fault : .viewer, resource: channel))
            }
            // Old clients parse by position, so the id must come first.
            return "<resource><id>\(text.escapedForXML)</id><authorized>\(isAuthorized)</authorized></resource>"
        }
        return .xml("<resources>\(rows.joined())</resources>").explaining(denials)
    }

    /// Returns the answer that denies a channel; `nil` when the verdict allows it.
    private static func refusal(_ verdict: Verdict, _ state: SandboxState) -> HTTPResponse? {
        switch verdict {
        case .allowed: nil
        case .deniedByProvider, .trialIsOver: denied(state, code: nil, verdict.details)
        case .deniedRepeatedly: denied(state, code: nil, subCode: "1010", verdict.details)
        case .deniedByDegradation: denied(state, code: "authzNone", verdict.details)
        case .providerUnreachable: denied(state, code: "network", verdict.details)
        }
    }

    private static func denied(
        _ state: SandboxState, code: String?, subCode: String? = nil, _ details: String
    ) -> HTTPResponse {
        var response = HTTPResponse.xmlError("notAuthorized", details, status: state.world.behavior.denialStatus)
        if let code { response.headers[HTTPHeader("Authzf-Error-Code")] = code }
        if let subCode { response.headers[HTTPHeader("Authzf-Sub-Error-Code")] = subCode }
        // A header can contain only printable ASCII. The body has the full text.
        response.headers[HTTPHeader("Authzf-Error-Details")] = String(
            decoding: details.utf8.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
        return response
    }
}
