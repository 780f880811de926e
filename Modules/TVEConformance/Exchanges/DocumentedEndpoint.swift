import TVEModels

/// The endpoints of REST API v2 and of the registration that precedes it, each with the values that a client may send.
///
/// Each case has the name of the endpoint's page. A test compares this table with the sandbox's OpenAPI document.
enum DocumentedEndpoint: String, CaseIterable {
    case register, token
    case configuration, createSession, resumeSession, session, authenticate
    case profiles, profile, profileOfCode, preauthorize, authorize, logout, partnerSession, partnerProfile
    /// The endpoints of the vendor's single sign-on service.
    case serviceToken, renewServiceToken, link, householdDevices, unlink

    /// Returns the endpoint of a request, or nil where the documentation has none.
    ///
    /// - Parameter path: the decoded segments of the path.
    static func of(_ method: String, _ path: [String]) -> DocumentedEndpoint? {
        at(path).first { $0.method.isSameBytes(as: method) }
    }

    private static func at(_ path: [String]) -> [DocumentedEndpoint] {
        guard path.count >= 3 else { return [] }
        if path[0] == "o", path[1] == "client", path.count == 3 {
            return path[2] == "register" ? [.register] : path[2] == "token" ? [.token] : []
        }
        if path[0] == "api", path.count == 3 {
            switch path[2] {
            case "serviceToken": return [.serviceToken, .renewServiceToken]
            case "link": return [.link]
            case "list": return [.householdDevices]
            case "unlink": return [.unlink]
            default: return []
            }
        }
        guard path[0] == "api", path[1] == "v2" else { return [] }
        if path[2] == "authenticate" { return path.count == 5 ? [.authenticate] : [] }
        switch (path[3], path.count) {
        case ("configuration", 4): return [.configuration]
        case ("sessions", 4): return [.createSession]
        case ("sessions", 5): return [.resumeSession, .session]
        case ("sessions", 6) where path[4] == "sso": return [.partnerSession]
        case ("profiles", 4): return [.profiles]
        case ("profiles", 5): return [.profile]
        case ("profiles", 6) where path[4] == "code": return [.profileOfCode]
        case ("profiles", 6) where path[4] == "sso": return [.partnerProfile]
        case ("decisions", 6) where path[4] == "preauthorize": return [.preauthorize]
        case ("decisions", 6) where path[4] == "authorize": return [.authorize]
        case ("logout", 5): return [.logout]
        default: return []
        }
    }

    var method: String {
        switch self {
        case .register, .token, .createSession, .resumeSession, .preauthorize, .authorize, .partnerSession,
            .partnerProfile, .serviceToken, .link, .unlink:
            "POST"
        default: "GET"
        }
    }

    /// A Boolean value that indicates whether the endpoint belongs to REST API v2 and the client, not the viewer's
    /// browser, calls it.
    var isAPI: Bool { ![.register, .token, .authenticate].contains(self) }

    /// A Boolean value that indicates whether the endpoint belongs to the single sign-on service.
    var isOfHousehold: Bool {
        [.serviceToken, .renewServiceToken, .link, .householdDevices, .unlink].contains(self)
    }

    /// A Boolean value that indicates whether the endpoint's requests have JSON bodies.
    var takesJSON: Bool { [.register, .preauthorize, .authorize, .unlink].contains(self) }

    /// A Boolean value that indicates whether the endpoint's responses contain the viewer's profiles.
    var returnsProfiles: Bool { [.profiles, .profile, .profileOfCode, .partnerProfile].contains(self) }

    /// A Boolean value that indicates whether the endpoint's responses consist of decisions.
    var decides: Bool { self == .preauthorize || self == .authorize }

    /// A Boolean value that indicates whether the endpoint's parameters are in the query.
    var hasQuery: Bool { self == .configuration || self == .logout }

    /// The documented names in the body, or in the query if the endpoint has no body.
    var parameters: Set<String> {
        switch self {
        case .register: ["software_statement", "redirect_uri"]
        case .token: ["client_id", "client_secret", "grant_type"]
        case .createSession, .resumeSession: ["mvpd", "domainName", "redirectUrl"]
        case .partnerSession: ["domainName", "redirectUrl"]
        case .partnerProfile: ["SAMLResponse"]
        case .preauthorize, .authorize: ["resources"]
        case .logout: ["redirectUrl"]
        case .configuration: ["profile"]
        case .unlink: ["devices"]
        case .session, .authenticate, .profiles, .profile, .profileOfCode, .serviceToken, .renewServiceToken, .link,
            .householdDevices:
            []
        }
    }

    /// The documented headers of this endpoint, in lower case, in addition to those of every request.
    var headers: Set<String> {
        switch self {
        case .register, .token, .authenticate, .configuration, .resumeSession, .session: []
        case .createSession: DocumentedHeaders.ofIdentity
        case .profiles: DocumentedHeaders.ofIdentity.union([DocumentedHeaders.partnerStatus])
        case .profile, .preauthorize, .authorize:
            DocumentedHeaders.ofIdentity.union([DocumentedHeaders.partnerStatus, DocumentedHeaders.tempPassIdentity])
        case .profileOfCode: [DocumentedHeaders.tempPassIdentity]
        case .logout: DocumentedHeaders.ofIdentity
        case .partnerSession, .partnerProfile: [DocumentedHeaders.partnerStatus]
        case .serviceToken: DocumentedHeaders.ofHousehold
        case .renewServiceToken, .link, .householdDevices, .unlink: [DocumentedHeaders.serviceToken]
        }
    }
}
