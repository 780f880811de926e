package import HTTPTypes
import TVEModels

/// The endpoints of REST API v2 and of registration, with the contents that each request may have (REST API v2, 3 and
/// 5).
///
/// A ``RESTv2Request`` sends nothing that is not in this table. A test compares the table with the sandbox's document.
package enum Endpoint: String, Sendable, CaseIterable {
    case register, token
    case configuration
    case createSession, resumeSession, session
    /// A page that a browser opens.
    case authenticate
    case profiles, profile, profileOfCode
    case preauthorize, authorize
    case logout
    case partnerSession, partnerProfile
    /// The vendor's single sign-on service, which stands beside REST API v2.
    case serviceToken, renewServiceToken, link, householdDevices, unlink

    /// The headers that only some endpoints accept.
    package enum Header: String, Sendable, CaseIterable {
        case authorization = "Authorization"
        case deviceIdentifier = "AP-Device-Identifier"
        case deviceInfo = "X-Device-Info"
        case visitor = "AP-Visitor-Identifier"
        case tempPassIdentity = "AP-TempPass-Identity"
        case partnerStatus = "AP-Partner-Framework-Status"
        case serviceToken = "AD-Service-Token"
        /// The id of the viewer's account at the programmer.
        case account = "X-SSO-ID"
        case linkCode = "X-SSO-LINK"

        /// The name in the form that a transport sends.
        var name: HTTPField.Name? { Self.names[self] }

        private static let names = Dictionary(
            uniqueKeysWithValues: allCases.compactMap { header in
                HTTPField.Name(header.rawValue).map { (header, $0) }
            })
    }

    /// The names of query parameters, form fields and JSON members.
    package enum Field: String, Sendable, CaseIterable {
        case profile
        case mvpd, domainName, redirectUrl
        case resources, devices
        case samlResponse = "SAMLResponse"
        case softwareStatement = "software_statement"
        case redirectURI = "redirect_uri"
        case grantType = "grant_type"
        case clientID = "client_id"
        case clientSecret = "client_secret"
    }

    /// The encoding of a body.
    package enum BodyKind: String, Sendable {
        case form = "application/x-www-form-urlencoded"
        case json = "application/json;charset=utf-8"
    }

    /// The path, with the names of its parameters in braces.
    package var path: String {
        switch self {
        case .register: "/o/client/register"
        case .token: "/o/client/token"
        case .configuration: "/api/v2/{serviceProvider}/configuration"
        case .createSession: "/api/v2/{serviceProvider}/sessions"
        case .resumeSession, .session: "/api/v2/{serviceProvider}/sessions/{code}"
        case .authenticate: "/api/v2/authenticate/{serviceProvider}/{code}"
        case .profiles: "/api/v2/{serviceProvider}/profiles"
        case .profile: "/api/v2/{serviceProvider}/profiles/{mvpd}"
        case .profileOfCode: "/api/v2/{serviceProvider}/profiles/code/{code}"
        case .preauthorize: "/api/v2/{serviceProvider}/decisions/preauthorize/{mvpd}"
        case .authorize: "/api/v2/{serviceProvider}/decisions/authorize/{mvpd}"
        case .logout: "/api/v2/{serviceProvider}/logout/{mvpd}"
        case .partnerSession: "/api/v2/{serviceProvider}/sessions/sso/{partner}"
        case .partnerProfile: "/api/v2/{serviceProvider}/profiles/sso/{partner}"
        case .serviceToken, .renewServiceToken: "/api/{serviceProvider}/serviceToken"
        case .link: "/api/{serviceProvider}/link"
        case .householdDevices: "/api/{serviceProvider}/list"
        case .unlink: "/api/{serviceProvider}/unlink"
        }
    }

    /// The method.
    ///
    /// Requests with a body are POST requests, and so are two requests without one.
    package var method: HTTPRequest.Method {
        self == .serviceToken || self == .link || body != nil ? .post : .get
    }

    /// The encoding and the field names of the body, or nil if the request has no body.
    package var body: (kind: BodyKind, fields: [Field])? {
        switch self {
        case .register: (.json, [.softwareStatement, .redirectURI])
        case .token: (.form, [.grantType, .clientID, .clientSecret])
        case .createSession, .resumeSession: (.form, [.mvpd, .domainName, .redirectUrl])
        case .partnerSession: (.form, [.domainName, .redirectUrl])
        case .partnerProfile: (.form, [.samlResponse])
        case .preauthorize, .authorize: (.json, [.resources])
        case .unlink: (.json, [.devices])
        case .configuration, .session, .authenticate, .profiles, .profile, .profileOfCode, .logout: nil
        case .serviceToken, .renewServiceToken, .link, .householdDevices: nil
        }
    }

    package var query: [Field] {
        switch self {
        case .configuration: [.profile]
        case .logout: [.redirectUrl]
        default: []
        }
    }

    /// The headers, without those that the transport adds.
    ///
    /// The pages of `resumeSession`, `session` and `profileOfCode` do not list the two headers about the device, and
    /// the page of the single sign-on service does not list both for every request. The vendor's acceptance list
    /// requires both with every request.
    package var headers: [Header] {
        let usual: [Header] = [.authorization, .deviceIdentifier, .deviceInfo]
        return switch self {
        case .register, .token: [.deviceInfo]
        case .authenticate: []
        case .configuration: usual
        case .resumeSession, .session: usual + [.visitor]
        case .createSession, .logout: usual + [.visitor, .serviceToken]
        case .profileOfCode: usual + [.visitor, .tempPassIdentity]
        case .profiles: usual + [.visitor, .serviceToken, .partnerStatus]
        // The page about preauthorization does not list the viewer's id for a TempPass, but the vendor's OpenAPI file
        // does.
        case .profile, .authorize, .preauthorize: usual + [.visitor, .serviceToken, .partnerStatus, .tempPassIdentity]
        case .partnerSession, .partnerProfile: usual + [.visitor, .partnerStatus]
        case .serviceToken: usual + [.account, .linkCode]
        case .renewServiceToken, .link, .householdDevices, .unlink: usual + [.serviceToken]
        }
    }

    /// Returns a Boolean value that indicates whether a value can be sent as one segment of a path.
    ///
    /// Clients and servers remove the parts `.` and `..`, however they are encoded, and an empty one leads to another
    /// endpoint. Servers refuse a path that is too long for them, each with an error of its own.
    static func isSegment(_ value: String) -> Bool {
        !["", ".", ".."].contains(value) && value.utf8.count <= longestSegment
    }

    /// The largest number of bytes of a value in a path, each of which may take three characters there.
    private static let longestSegment = 2_000

    /// Returns the path with its parameters replaced by values.
    ///
    /// - Parameter parameters: the values, in the order of the path.
    func path(_ parameters: [String]) -> String {
        let template = path.utf8
        var parameters = parameters[...]
        var filled: [UInt8] = []
        // The capacity covers the usual ids. A longer path grows.
        filled.reserveCapacity(template.count + 64)
        // The bytes are copied one by one, because every request needs a path, and slices of a text take longer.
        var isInName = false
        for byte in template {
            switch byte {
            case UInt8(ascii: "{"):
                filled += FormBody.escape(parameters.popFirst() ?? "").utf8
                isInName = true
            case UInt8(ascii: "}"): isInName = false
            default: if !isInName { filled.append(byte) }
            }
        }
        return String(decoding: filled, as: UTF8.self)
    }
}
