import Foundation
import TVEModels

/// A request of REST API v2 that has only the contents its endpoint allows.
///
/// Each endpoint has one function here, which takes the values that its requests need.
struct RESTv2Request {
    let endpoint: Endpoint
    private let parameters: [String]
    private let fields: [Endpoint.Field: String]
    /// The elements of the list in a JSON body.
    private let texts: [String]
    /// The values that the request presents to the single sign-on service, or nil for every other service.
    let household: HouseholdHeaders?
    /// The viewer's id for a promotional TempPass.
    let identity: String?
    /// A Boolean value that indicates whether the request carries the status of the platform's sign-on.
    let showsPlatform: Bool

    private init(
        _ endpoint: Endpoint, of requestorID: RequestorID, _ parameters: [String] = [],
        fields: [Endpoint.Field: String] = [:], texts: [String] = [], household: HouseholdHeaders? = nil,
        identity: String? = nil, showsPlatform: Bool = false
    ) {
        self.endpoint = endpoint
        self.parameters = [requestorID.text] + parameters
        self.fields = fields
        self.texts = texts
        self.household = household
        self.identity = identity
        self.showsPlatform = showsPlatform
    }

    /// The error of a request that must not be sent, or nil for any other request.
    ///
    /// Such a request would have the path of another endpoint, or would name an empty account, whose household
    /// everybody without an account would join.
    var validationError: ServiceError? {
        if let account = household?.account, account.isBlank {
            return .refused(
                EnhancedError(status: 400, code: "header_missing", message: "The id of the account is empty."))
        }
        guard !parameters.allSatisfy(Endpoint.isSegment) else { return nil }
        // The first parameter is the requestor. The service has no error code for an invalid one.
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
        case .json: return body.fields.first.map { JSONBytes.object($0.rawValue, texts) }
        }
    }

    // MARK: - The single sign-on service

    static func serviceToken(of requestorID: RequestorID, account: String) -> Self {
        Self(.serviceToken, of: requestorID, household: HouseholdHeaders(account: account))
    }

    static func serviceToken(of requestorID: RequestorID, code: String) -> Self {
        Self(.serviceToken, of: requestorID, household: HouseholdHeaders(code: code))
    }

    static func renewServiceToken(of requestorID: RequestorID, _ token: String) -> Self {
        Self(.renewServiceToken, of: requestorID, household: HouseholdHeaders(token: token))
    }

    static func link(of requestorID: RequestorID, _ token: String) -> Self {
        Self(.link, of: requestorID, household: HouseholdHeaders(token: token))
    }

    static func householdDevices(of requestorID: RequestorID, _ token: String) -> Self {
        Self(.householdDevices, of: requestorID, household: HouseholdHeaders(token: token))
    }

    static func unlink(of requestorID: RequestorID, _ devices: [String], _ token: String) -> Self {
        Self(.unlink, of: requestorID, texts: devices, household: HouseholdHeaders(token: token))
    }

    // MARK: - Endpoints

    /// Creates a request for a configuration.
    ///
    /// - Parameter profile: the name of another configuration of the service provider. A blank name or nil selects the
    ///   usual one.
    static func configuration(of requestorID: RequestorID, profile: String?) -> Self {
        var fields: [Endpoint.Field: String] = [:]
        if let profile, !profile.isBlank { fields[.profile] = profile }
        return Self(.configuration, of: requestorID, fields: fields)
    }

    static func createSession(of requestorID: RequestorID, _ fields: [Endpoint.Field: String]) -> Self {
        Self(.createSession, of: requestorID, fields: fields)
    }

    static func resumeSession(of requestorID: RequestorID, code: String, _ fields: [Endpoint.Field: String]) -> Self {
        Self(.resumeSession, of: requestorID, [code], fields: fields)
    }

    static func session(of requestorID: RequestorID, code: String) -> Self { Self(.session, of: requestorID, [code]) }

    /// Creates a request for profiles.
    ///
    /// - Parameter mvpdID: the TV provider, or nil for all.
    static func profiles(
        of requestorID: RequestorID, with mvpdID: MVPDID?, identity: String?, showsPlatform: Bool
    ) -> Self {
        let parameters = mvpdID.map { [$0.text] } ?? []
        return Self(
            mvpdID == nil ? .profiles : .profile, of: requestorID, parameters, identity: identity,
            showsPlatform: showsPlatform)
    }

    static func profile(of requestorID: RequestorID, code: String, identity: String?) -> Self {
        Self(.profileOfCode, of: requestorID, [code], identity: identity)
    }

    static func authorize(
        _ resource: Resource, of requestorID: RequestorID, with mvpdID: MVPDID, identity: String?, showsPlatform: Bool
    ) -> Self {
        Self(
            .authorize, of: requestorID, [mvpdID.text], texts: [resource.text], identity: identity,
            showsPlatform: showsPlatform)
    }

    static func preauthorize(
        _ resources: [Resource], of requestorID: RequestorID, with mvpdID: MVPDID, identity: String?,
        showsPlatform: Bool
    ) -> Self {
        Self(
            .preauthorize, of: requestorID, [mvpdID.text], texts: resources.map(\.text), identity: identity,
            showsPlatform: showsPlatform)
    }

    static func logout(of requestorID: RequestorID, with mvpdID: MVPDID, redirectURL: URL) -> Self {
        Self(.logout, of: requestorID, [mvpdID.text], fields: [.redirectUrl: redirectURL.absoluteString])
    }

    static func partnerSession(
        of requestorID: RequestorID, _ partner: String, _ fields: [Endpoint.Field: String]
    ) -> Self {
        Self(.partnerSession, of: requestorID, [partner], fields: fields, showsPlatform: true)
    }

    static func partnerProfile(of requestorID: RequestorID, _ partner: String, samlResponse: String) -> Self {
        Self(.partnerProfile, of: requestorID, [partner], fields: [.samlResponse: samlResponse], showsPlatform: true)
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
