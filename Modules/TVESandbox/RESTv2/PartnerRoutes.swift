import FlyingFox
import Foundation
import TVEModels

/// The routes of the sign-on with the platform's account (REST API v2, 5.12 and 5.13).
enum PartnerRoutes {
    static func session(_ call: RESTv2Call, partner: String) throws(SandboxRefusal) -> HTTPResponse {
        try check(partner)
        var parameters = try AuthenticationSessions.Parameters(call, namesProvider: false)
        let status = call.platform
        let provider = self.provider(status, call)
        guard let status, call.state.find({ status.problem($1) }) == nil, let provider else {
            // An invalid status is not an error. The viewer logs in the ordinary way.
            parameters.provider = provider
            return .json(fallback(call, parameters, reason: "pfs_fallback"))
        }
        parameters.provider = provider
        let found = SandboxProfile.find(provider, call)
        if let reason = AuthenticationSessions.reasonToSkip(provider, found, in: call.state) {
            return .json(SessionAnswer.authorize(call, provider.id, reason: reason))
        }
        guard parameters.domainName != nil, parameters.redirectURL != nil else {
            return .json(fallback(call, parameters, reason: "missing_parameters_fallback"))
        }
        guard provider.boardingStatus ?? "SUPPORTED" == "SUPPORTED" else {
            return .json(fallback(call, parameters, reason: "configuration_fallback"))
        }
        var answer = SessionAnswer(
            call, action: "partner_profile", mvpdID: provider.id, reason: "none",
            path: "profiles/sso/\(partner.escapedForPath)")
        answer.authenticationRequest = .init(
            request: Data(
                PlatformLogin.request(call.state, requestorID: call.serviceProvider.id, mvpdID: provider.id).utf8
            )
            .base64EncodedString())
        return .json(answer)
    }

    static func profile(_ call: RESTv2Call, partner: String) throws(SandboxRefusal) -> HTTPResponse {
        try check(partner)
        guard let status = call.platform else {
            throw .enhanced("invalid_header_pfs_permission_access_not_present")
        }
        if let problem = call.state.find({ status.problem($1) }) { throw .enhanced(problem) }
        guard let provider = provider(status, call) else {
            throw .enhanced("invalid_header_pfs_provider_id_not_determined")
        }
        if let virtual = try SandboxProfile.virtual(provider, call, deviceID: call.owner.deviceID) {
            return ProfileRoutes.answer([provider.id: virtual.json(call.state)])
        }
        guard let response = call.request.form["SAMLResponse"],
            let login = PlatformLogin.login(
                call.state, requestorID: call.serviceProvider.id, mvpdID: provider.id, response)
        else { throw .enhanced("invalid_parameter_saml_response") }
        call.state.withTables { $0.keep(login, of: call.owner, shared: [], at: $1) }
        let profile = SandboxProfile(login, type: "appleSSO", issuer: "Apple")
        return ProfileRoutes.answer([provider.id: profile.json(call.state)], status: 201)
    }

    private static func check(_ partner: String) throws(SandboxRefusal) {
        guard partner.lowercased() == "apple" else { throw .enhanced("invalid_parameter_partner") }
    }

    private static func provider(_ status: PartnerStatus?, _ call: RESTv2Call) -> SandboxWorld.Provider? {
        guard let status else { return nil }
        return call.serviceProvider.providers.lazy.compactMap { call.state.provider($0, of: call.serviceProvider.id) }
            .first(where: status.names)
    }

    private static func fallback(
        _ call: RESTv2Call, _ parameters: AuthenticationSessions.Parameters, reason: String
    ) -> SessionAnswer {
        let record = AuthenticationSessions.open(parameters, call)
        var answer = AuthenticationSessions.answer(record, call, whenMissing: "resume")
        // The provider is no parameter of this request: the status names it.
        let lacksParameter = record.missingParameters.contains { $0 != "mvpd" }
        answer.reasonType = lacksParameter ? "missing_parameters_fallback" : reason
        return answer
    }
}

/// The content of the header `AP-Partner-Framework-Status` (REST API v2, 3.6).
struct PartnerStatus: Sendable {
    /// The platform's id of the viewer's provider; `nil` when the header does not name one.
    let providerID: String?
    /// The closure that returns the error code of an invalid header at a time; `nil` when the header is valid.
    let problem: @Sendable (Date) -> String?

    init(_ header: String) {
        let content = Data(base64Encoded: header)
            .flatMap { try? UntrustedJSON.read(MetadataValue.self, from: $0, .small) }
        let provider = content?["frameworkProviderInfo"]
        let id = provider?["id"]?.stringValue
        providerID = id
        // The documents have a string with milliseconds. The sandbox accepts a number as well.
        let date = provider?["expirationDate"]
        let expires = (date?.stringValue.flatMap(Double.init) ?? date?.doubleValue).map { $0 / 1000 }
        problem = { now in
            switch content?["frameworkPermissionInfo"]?["accessStatus"]?.stringValue {
            case nil: "invalid_header_pfs_permission_access_not_present"
            case "notDetermined": "invalid_header_pfs_permission_access_not_determined"
            case "granted":
                if id == nil {
                    "invalid_header_pfs_provider_id_not_determined"
                } else if let date, date != .null, expires.map({ $0 <= now.timeIntervalSince1970 }) ?? true {
                    "invalid_header_pfs_provider_info_expired"
                } else {
                    nil
                }
            default: "invalid_header_pfs_permission_access_not_granted"
            }
        }
    }

    /// Returns a Boolean value that indicates whether the header names a provider.
    func names(_ provider: SandboxWorld.Provider) -> Bool {
        guard let providerID, let platformID = provider.platformID else { return false }
        return providerID.isSameBytes(as: platformID)
    }
}
