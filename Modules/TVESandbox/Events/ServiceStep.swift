/// A documented step of a client, which the method and the path of a request identify.
package struct ServiceStep: Sendable {
    package enum Dialect: String, Sendable, CaseIterable {
        case classic, restV2, platform, pages, sandbox

        package var title: String {
            switch self {
            case .classic: "Classic"
            case .restV2: "REST v2"
            case .platform: "Platform"
            case .pages: "Pages"
            case .sandbox: "Sandbox"
            }
        }
    }

    /// The program that sends the request.
    package enum Sender: Sendable {
        case app, browser
    }

    /// The name by which faults and programs identify the step.
    package let id: String
    package let title: String
    package let dialect: Dialect
    package let sender: Sender
    /// A Boolean value that indicates whether the TV provider answers the request, and not the service.
    package var isProvider = false
    /// A description of the step, based on the documents, in one or two sentences.
    package let about: String
    /// The place in the documents that describes the step.
    package let source: String

    /// Returns the step of a request.
    ///
    /// - Parameters:
    ///   - method: the HTTP method.
    ///   - path: the decoded segments of the path, without the version segment that old clients send.
    static func of(_ method: String, _ path: [String]) -> ServiceStep {
        // A browser sends such a request before the step, which must not take the faults of the step.
        method == "OPTIONS" ? other : all[id(method, path)] ?? other
    }

    package static func named(_ id: String) -> ServiceStep? { all[id] }

    private static func id(_ method: String, _ path: [String]) -> String {
        switch (path.first, path.count) {
        case ("o", 3): path[2] == "register" ? "register" : path[2] == "token" ? "token" : ""
        case ("indiv", 2): "individualize"
        case ("reggie", 4): "makeCode"
        case ("reggie", 5): method == "DELETE" ? "deleteCode" : "readCode"
        case ("activate", _): "activate"
        case ("sandbox", _), ("openapi.json", 1): "sandbox"
        case ("conformance", 3): method == "POST" && path[1] == "plays" ? "play" : ""
        case ("idp", 3): path[2] == "logout" ? "providerLogout" : path[2] == "sso" ? "providerPage" : "providerLogin"
        case ("sp", 3): path[2] == "SAMLAssertionConsumer" ? "assertion" : "logoutResponse"
        case ("adobe-services", 2...): classic[path[1]] ?? ""
        case ("api", 3): HouseholdRoutes.step(method, path[2]) ?? ""
        case ("api", 4...) where path[1] == "v1":
            path[3] == "profile-requests" ? "profileRequest" : path[2] == "tokens" ? "platformExchange" : ""
        case ("api", 4...) where path[1] == "v2":
            RESTv2Router.endpoint(method, Array(path.dropFirst(2)))?.rawValue ?? ""
        default: ""
        }
    }

    private static let classic = [
        "config": "config", "authenticate": "authenticateSAML", "session": "sessionWeb",
        "sessionDevice": "sessionDevice", "authorize": "authorizeWeb", "authorizeDevice": "authorizeDevice",
        "shortAuthorize": "mediaTokenWeb", "deviceShortAuthorize": "mediaTokenDevice",
        "preauthorize": "preauthorizeClassic", "logout": "logoutClassic",
    ]

    private static let all = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })

    /// The step of a request that no document describes.
    package static let other = ServiceStep(
        id: "other", title: "Undocumented request", dialect: .sandbox, sender: .app,
        about: "No document describes a request with this method and path.", source: "–")
}
