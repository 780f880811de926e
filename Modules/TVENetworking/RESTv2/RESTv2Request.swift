import Foundation
import TVEModels

/// A request of REST API v2: what its endpoint has, and nothing else.
///
/// Each endpoint has one function here, with the values that its requests need.
struct RESTv2Request {
    let endpoint: Endpoint
    private var parameters: [String]
    private var fields: [Endpoint.Field: String] = [:]
    private var resources: [Resource] = []
    /// Ids of devices of a household.
    private var devices: [String] = []
    /// What the request shows to the single sign-on service; nil for every other service.
    private(set) var household: HouseholdHeaders?
    /// The viewer's id for a promotional TempPass.
    private(set) var identity: String?
    /// Whether the request tells the status of the platform's sign-on.
    private(set) var showsPlatform = false

    private init(_ endpoint: Endpoint, _ requestorID: RequestorID, _ parameters: String...) {
        self.endpoint = endpoint
        self.parameters = [requestorID.text] + parameters
    }

    /// The path with its query.
    var target: String {
        let query = endpoint.query.compactMap { name in fields[name].map { (name.rawValue, $0) } }
        return endpoint.path(parameters) + (query.isEmpty ? "" : "?\(FormBody.query(query))")
    }

    /// The bytes of the body; nil without one.
    var body: Data? {
        guard let body = endpoint.body else { return nil }
        switch body.kind {
        case .form: return FormBody.encode(body.fields.compactMap { name in fields[name].map { (name.rawValue, $0) } })
        case .json:
            let texts = endpoint == .unlink ? devices : resources.map(\.text)
            return body.fields.first.map { JSONBytes.object($0.rawValue, texts) }
        }
    }

    // MARK: - The single sign-on service

    static func serviceToken(of requestorID: RequestorID, account: String) -> Self {
        var request = Self(.serviceToken, requestorID)
        request.household = HouseholdHeaders(account: account)
        return request
    }

    static func serviceToken(of requestorID: RequestorID, code: String) -> Self {
        var request = Self(.serviceToken, requestorID)
        request.household = HouseholdHeaders(code: code)
        return request
    }

    static func renewServiceToken(of requestorID: RequestorID, _ token: String) -> Self {
        household(.renewServiceToken, requestorID, token)
    }

    static func link(of requestorID: RequestorID, _ token: String) -> Self { household(.link, requestorID, token) }

    static func householdDevices(of requestorID: RequestorID, _ token: String) -> Self {
        household(.householdDevices, requestorID, token)
    }

    static func unlink(of requestorID: RequestorID, _ devices: [String], _ token: String) -> Self {
        var request = household(.unlink, requestorID, token)
        request.devices = devices
        return request
    }

    private static func household(_ endpoint: Endpoint, _ requestorID: RequestorID, _ token: String) -> Self {
        var request = Self(endpoint, requestorID)
        request.household = HouseholdHeaders(token: token)
        return request
    }

    // MARK: - Endpoints

    /// - Parameter profile: another configuration of the service provider.
    static func configuration(of requestorID: RequestorID, profile: String?) -> Self {
        var request = Self(.configuration, requestorID)
        request.fields[.profile] = profile
        return request
    }

    static func createSession(of requestorID: RequestorID, _ fields: [Endpoint.Field: String]) -> Self {
        var request = Self(.createSession, requestorID)
        request.fields = fields
        return request
    }

    static func resumeSession(of requestorID: RequestorID, code: String, _ fields: [Endpoint.Field: String]) -> Self {
        var request = Self(.resumeSession, requestorID, code)
        request.fields = fields
        return request
    }

    static func session(of requestorID: RequestorID, code: String) -> Self { Self(.session, requestorID, code) }

    /// - Parameter mvpdID: one TV provider; nil for all.
    static func profiles(
        of requestorID: RequestorID, with mvpdID: MVPDID?, identity: String?, showsPlatform: Bool
    ) -> Self {
        var request = mvpdID.map { Self(.profile, requestorID, $0.text) } ?? Self(.profiles, requestorID)
        (request.identity, request.showsPlatform) = (identity, showsPlatform)
        return request
    }

    static func profile(of requestorID: RequestorID, code: String, identity: String?) -> Self {
        var request = Self(.profileOfCode, requestorID, code)
        request.identity = identity
        return request
    }

    static func authorize(
        _ resource: Resource, _ requestorID: RequestorID, _ mvpdID: MVPDID, identity: String?, showsPlatform: Bool
    ) -> Self {
        var request = Self(.authorize, requestorID, mvpdID.text)
        (request.resources, request.identity, request.showsPlatform) = ([resource], identity, showsPlatform)
        return request
    }

    static func preauthorize(
        _ resources: [Resource], _ requestorID: RequestorID, _ mvpdID: MVPDID, identity: String?, showsPlatform: Bool
    ) -> Self {
        var request = Self(.preauthorize, requestorID, mvpdID.text)
        request.resources = resources
        request.identity = identity
        request.showsPlatform = showsPlatform
        return request
    }

    static func logout(of requestorID: RequestorID, with mvpdID: MVPDID, redirectURL: URL) -> Self {
        var request = Self(.logout, requestorID, mvpdID.text)
        request.fields[.redirectUrl] = redirectURL.absoluteString
        return request
    }

    static func partnerSession(
        of requestorID: RequestorID, _ partner: String, _ fields: [Endpoint.Field: String]
    ) -> Self {
        var request = Self(.partnerSession, requestorID, partner)
        (request.fields, request.showsPlatform) = (fields, true)
        return request
    }

    static func partnerProfile(of requestorID: RequestorID, _ partner: String, samlResponse: String) -> Self {
        var request = Self(.partnerProfile, requestorID, partner)
        (request.fields, request.showsPlatform) = ([.samlResponse: samlResponse], true)
        return request
    }
}

/// What a request shows to the single sign-on service: an account, a code or a token.
struct HouseholdHeaders {
    var account: String?
    var code: String?
    var token: String?

    /// Whether an error of the answer can be about the code or the token, and not only about the access token.
    var canBeRefused: Bool { code != nil || token != nil }
}
