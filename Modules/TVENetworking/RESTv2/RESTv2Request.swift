import Foundation
import TVEModels

/// A request of REST API v2 that has only the contents its endpoint allows.
///
/// Each endpoint has one function here, which takes the values that its requests need.
struct RESTv2Request {
    let endpoint: Endpoint
    private var parameters: [String]
    private var fields: [Endpoint.Field: String] = [:]
    private var resources: [Resource] = []
    /// The ids of devices of a household.
    private var devices: [String] = []
    /// The values that the request presents to the single sign-on service, or nil for every other service.
    private(set) var household: HouseholdHeaders?
    /// The viewer's id for a promotional TempPass.
    private(set) var identity: String?
    /// A Boolean value that indicates whether the request carries the status of the platform's sign-on.
    private(set) var showsPlatform = false

    private init(_ endpoint: Endpoint, of requestorID: RequestorID, _ parameters: String...) {
        self.endpoint = endpoint
        self.parameters = [requestorID.text] + parameters
    }

    /// The error of a request that must not be sent, or nil for any other request.
    ///
    /// Such a request would have the path of another endpoint, or would name an empty account, whose household
    /// everybody without an account would join.
    var misdirection: ServiceError? {
        if let account = household?.account, account.isBlank {
            return .refused(
                EnhancedError(status: 400, code: "header_missing", message: "The id of the account is empty."))
        }
        guard !parameters.allSatisfy(Endpoint.isSegment) else { return nil }
        // The first parameter is the requestor, about which no code of the service says this.
        guard parameters.prefix(1).allSatisfy(Endpoint.isSegment) else { return .transport(.invalid) }
        switch endpoint {
        case .resumeSession, .session, .profileOfCode:
            return .refused(
                EnhancedError(status: 400, code: "invalid_parameter_code", message: "The text is not a code."))
        case .profile, .authorize, .preauthorize, .logout:
            return .refused(
                EnhancedError(
                    status: 400, code: "invalid_parameter_mvpd", message: "The id is not that of a TV provider."))
        default: return .transport(.invalid)
        }
    }

    /// The path with its query.
    var target: String {
        let query = endpoint.query.compactMap { name in fields[name].map { (name.rawValue, $0) } }
        return endpoint.path(parameters) + (query.isEmpty ? "" : "?\(FormBody.query(query))")
    }

    /// The bytes of the body, or nil if the request has none.
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
        var request = Self(.serviceToken, of: requestorID)
        request.household = HouseholdHeaders(account: account)
        return request
    }

    static func serviceToken(of requestorID: RequestorID, code: String) -> Self {
        var request = Self(.serviceToken, of: requestorID)
        request.household = HouseholdHeaders(code: code)
        return request
    }

    static func renewServiceToken(of requestorID: RequestorID, _ token: String) -> Self {
        household(.renewServiceToken, of: requestorID, token: token)
    }

    static func link(of requestorID: RequestorID, _ token: String) -> Self {
        household(.link, of: requestorID, token: token)
    }

    static func householdDevices(of requestorID: RequestorID, _ token: String) -> Self {
        household(.householdDevices, of: requestorID, token: token)
    }

    static func unlink(of requestorID: RequestorID, _ devices: [String], _ token: String) -> Self {
        var request = household(.unlink, of: requestorID, token: token)
        request.devices = devices
        return request
    }

    private static func household(_ endpoint: Endpoint, of requestorID: RequestorID, token: String) -> Self {
        var request = Self(endpoint, of: requestorID)
        request.household = HouseholdHeaders(token: token)
        return request
    }

    // MARK: - Endpoints

    /// Creates a request for a configuration.
    ///
    /// - Parameter profile: the name of another configuration of the service provider. A blank name or nil selects the
    ///   usual one.
    static func configuration(of requestorID: RequestorID, profile: String?) -> Self {
        var request = Self(.configuration, of: requestorID)
        if let profile, !profile.isBlank { request.fields[.profile] = profile }
        return request
    }

    static func createSession(of requestorID: RequestorID, _ fields: [Endpoint.Field: String]) -> Self {
        var request = Self(.createSession, of: requestorID)
        request.fields = fields
        return request
    }

    static func resumeSession(of requestorID: RequestorID, code: String, _ fields: [Endpoint.Field: String]) -> Self {
        var request = Self(.resumeSession, of: requestorID, code)
        request.fields = fields
        return request
    }

    static func session(of requestorID: RequestorID, code: String) -> Self { Self(.session, of: requestorID, code) }

    /// Creates a request for profiles.
    ///
    /// - Parameter mvpdID: the TV provider, or nil for all.
    static func profiles(
        of requestorID: RequestorID, with mvpdID: MVPDID?, identity: String?, showsPlatform: Bool
    ) -> Self {
        var request = mvpdID.map { Self(.profile, of: requestorID, $0.text) } ?? Self(.profiles, of: requestorID)
        request.identity = identity
        request.showsPlatform = showsPlatform
        return request
    }

    static func profile(of requestorID: RequestorID, code: String, identity: String?) -> Self {
        var request = Self(.profileOfCode, of: requestorID, code)
        request.identity = identity
        return request
    }

    static func authorize(
        _ resource: Resource, of requestorID: RequestorID, with mvpdID: MVPDID, identity: String?, showsPlatform: Bool
    ) -> Self {
        var request = Self(.authorize, of: requestorID, mvpdID.text)
        request.resources = [resource]
        request.identity = identity
        request.showsPlatform = showsPlatform
        return request
    }

    static func preauthorize(
        _ resources: [Resource], of requestorID: RequestorID, with mvpdID: MVPDID, identity: String?,
        showsPlatform: Bool
    ) -> Self {
        var request = Self(.preauthorize, of: requestorID, mvpdID.text)
        request.resources = resources
        request.identity = identity
        request.showsPlatform = showsPlatform
        return request
    }

    static func logout(of requestorID: RequestorID, with mvpdID: MVPDID, redirectURL: URL) -> Self {
        var request = Self(.logout, of: requestorID, mvpdID.text)
        request.fields[.redirectUrl] = redirectURL.absoluteString
        return request
    }

    static func partnerSession(
        of requestorID: RequestorID, _ partner: String, _ fields: [Endpoint.Field: String]
    ) -> Self {
        var request = Self(.partnerSession, of: requestorID, partner)
        request.fields = fields
        request.showsPlatform = true
        return request
    }

    static func partnerProfile(of requestorID: RequestorID, _ partner: String, samlResponse: String) -> Self {
        var request = Self(.partnerProfile, of: requestorID, partner)
        request.fields = [.samlResponse: samlResponse]
        request.showsPlatform = true
        return request
    }
}

extension String {
    /// A Boolean value that indicates whether a header with this text would have no value.
    var isBlank: Bool { utf8.allSatisfy { $0 <= UInt8(ascii: " ") } }
}

/// The account, code or token that a request presents to the single sign-on service.
struct HouseholdHeaders {
    var account: String?
    var code: String?
    var token: String?

    /// A Boolean value that indicates whether an error of the answer may concern the code or the token.
    ///
    /// Other errors concern the access token alone.
    var canBeRefused: Bool { code != nil || token != nil }
}
