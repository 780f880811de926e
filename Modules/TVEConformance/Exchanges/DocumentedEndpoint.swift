import TVEModels

/// The endpoints of REST API v2 and of the registration that comes before it, each with what a client may send.
///
/// The names are those of the pages of each endpoint. A test compares this table with the sandbox's OpenAPI document.
enum DocumentedEndpoint: String, CaseIterable {
    case register, token
    case configuration, createSession, resumeSession, session, authenticate
    case profiles, profile, profileOfCode, preauthorize, authorize, logout, partnerSession, partnerProfile
    /// The vendor's single sign-on service.
    case serviceToken, renewServiceToken, link, householdDevices, unlink

    /// The endpoint of a request; nil where the documents have none.
    ///
    /// - Parameter path: the decoded segments.
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
        guard path[0] == "api", path[1] == "v2", path.count >= 4 else { return [] }
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

    /// Whether it belongs to REST API v2 and the client sends it, not the viewer's browser.
    var isAPI: Bool { ![.register, .token, .authenticate].contains(self) }

    /// Whether it belongs to the single sign-on service.
    var isOfHousehold: Bool {
        [.serviceToken, .renewServiceToken, .link, .householdDevices, .unlink].contains(self)
    }

    /// Whether its questions are JSON.
    var asksInJSON: Bool { [.register, .preauthorize, .authorize, .unlink].contains(self) }

    /// Whether its answer says who is logged in.
    var tellsProfiles: Bool { [.profiles, .profile, .profileOfCode, .partnerProfile].contains(self) }

    /// Whether its answer consists of decisions.
    var decides: Bool { self == .preauthorize || self == .authorize }

    /// Whether its parameters stand in the query.
    var hasQuery: Bool { self == .configuration || self == .logout }

    /// The documented names in the body, or in the query where there is no body.
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

    /// The documented headers of this endpoint, in lower case, besides those of every request.
    var headers: Set<String> {
        switch self {
        case .register, .token, .authenticate, .configuration, .resumeSession, .session: []
        case .createSession: DocumentedHeaders.ofIdentity
        case .profiles: DocumentedHeaders.ofIdentity.union([DocumentedHeaders.partnerStatus])
        case .profile, .preauthorize, .authorize:
            DocumentedHeaders.ofIdentity.union([DocumentedHeaders.partnerStatus, DocumentedHeaders.tempPassIdentity])
        case .profileOfCode: [DocumentedHeaders.tempPassIdentity]
        case .logout: DocumentedHeaders.ofIdentity
        case .partnerSession: DocumentedHeaders.ofIdentity.union([DocumentedHeaders.partnerStatus])
        case .partnerProfile: [DocumentedHeaders.partnerStatus, DocumentedHeaders.tempPassIdentity]
        case .serviceToken: DocumentedHeaders.ofHousehold
        case .renewServiceToken, .link, .householdDevices, .unlink: [DocumentedHeaders.serviceToken]
        }
    }
}
