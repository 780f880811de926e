import TVEModels

/// A call of the classic services or of REST API v1 in a recording, with its replacement.
public struct OldCall: Sendable, Codable {
    /// The method and the path, with names in braces for its variable parts.
    public let call: String
    /// The requests of REST API v2 that replace it, and the differences.
    public let replacement: String
    /// The numbers of the first ten exchanges.
    public let exchanges: [Int]
    /// The total number of exchanges.
    public let count: Int

    static func all(in recording: Recording) -> [OldCall] {
        var found: [Int: [Int]] = [:]
        // The pages of a login and a logout have the same paths in both generations.
        let isNew = recording.known.contains { $0.endpoint?.isAPI == true }
        let pages: Set<String> = ["authenticate", "logout"]
        for call in recording.calls where call.endpoint == nil {
            guard let place = table.firstIndex(where: { fits($0.path, call.path) }) else { continue }
            if isNew, call.path[0] == "adobe-services", pages.contains(call.path[1]) { continue }
            found[place, default: []].append(call.id)
        }
        return table.indices.compactMap { place in
            guard let ids = found[place] else { return nil }
            return OldCall(
                call: "/" + table[place].path.joined(separator: "/"), replacement: table[place].replacement,
                exchanges: Array(ids.prefix(Finding.limit)), count: ids.count)
        }
    }

    private static func fits(_ pattern: [String], _ path: [String]) -> Bool {
        guard pattern.last == "…" ? path.count >= pattern.count - 1 : path.count == pattern.count else { return false }
        return zip(pattern, path).allSatisfy { $0.hasBytePrefix("{") || $0 == "…" || $0.isSameBytes(as: $1) }
    }

    // These texts have names, because a literal that is split in two would slow the compiler down inside the table.
    private static let loginPage =
        "the url of POST /api/v2/{serviceProvider}/sessions, which leads to "
        + "GET /api/v2/authenticate/{serviceProvider}/{code}"
    private static let authorization =
        "POST /api/v2/{serviceProvider}/decisions/authorize/{mvpd}, before every playback; "
        + "it contains the media token"

    private static let table: [(path: [String], replacement: String)] = [
        ("adobe-services/config/{requestor}", "GET /api/v2/{serviceProvider}/configuration, only before a picker"),
        (
            "api/v1/config/{requestor}", "GET /api/v2/{serviceProvider}/configuration, only before a picker"
        ),
        (
            "reggie/v1/{requestor}/regcode/…",
            "POST /api/v2/{serviceProvider}/sessions makes the code; GET …/sessions/{code} looks it up"
        ),
        ("adobe-services/authenticate/…", loginPage),
        ("api/v1/authenticate/…", "POST /api/v2/{serviceProvider}/sessions, then its url in the browser"),
        ("adobe-services/session", "GET /api/v2/{serviceProvider}/profiles/code/{code}"),
        ("adobe-services/sessionDevice", "GET /api/v2/{serviceProvider}/profiles/code/{code}"),
        ("api/v1/checkauthn/…", "GET /api/v2/{serviceProvider}/profiles/code/{code}, or GET …/profiles/{mvpd}"),
        (
            "api/v1/tokens/authn/…",
            "GET /api/v2/{serviceProvider}/profiles/{mvpd}; for a partner POST …/profiles/sso/{partner}"
        ),
        ("api/v1/tokens/usermetadata", "the attributes of the profile, without a request of their own"),
        ("adobe-services/userMetadata", "the attributes of the profile, without a request of their own"),
        ("adobe-services/authorize", authorization),
        ("adobe-services/authorizeDevice", authorization),
        ("api/v1/authorize/…", "POST /api/v2/{serviceProvider}/decisions/authorize/{mvpd}, before every playback"),
        ("api/v1/tokens/authz", "the decision of POST /api/v2/{serviceProvider}/decisions/authorize/{mvpd}"),
        ("adobe-services/shortAuthorize", "nothing: the decision contains the media token"),
        ("adobe-services/deviceShortAuthorize", "nothing: the decision contains the media token"),
        ("api/v1/tokens/media", "nothing: the decision contains the media token"),
        ("api/v1/mediatoken", "nothing: the decision contains the media token"),
        ("adobe-services/preauthorize", "POST /api/v2/{serviceProvider}/decisions/preauthorize/{mvpd}"),
        ("api/v1/preauthorize/…", "POST /api/v2/{serviceProvider}/decisions/preauthorize/{mvpd}"),
        ("adobe-services/logout", "GET /api/v2/{serviceProvider}/logout/{mvpd}, and what its answer asks for"),
        ("api/v1/logout", "GET /api/v2/{serviceProvider}/logout/{mvpd}, and what its answer asks for"),
        ("api/v1/{requestor}/profile-requests/{mvpd}", "POST /api/v2/{serviceProvider}/sessions/sso/{partner}"),
        ("indiv/devices", "nothing: AP-Device-Identifier names the device"),
    ].map { (path: $0.0.parts(separatedBy: "/").map { String($0) }, replacement: $0.1) }
}
