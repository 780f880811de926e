import FlyingFox
import Foundation
import TVEModels

/// Dynamic client registration, which exchanges a software statement for credentials, and credentials for access
/// tokens.
enum ClientRegistration {
    /// Returns the software statement that the sandboxes with a key share and accept.
    ///
    /// - Parameters:
    ///   - key: the key that signs the statement.
    ///   - isForRESTv2: a Boolean value that indicates whether the application may use REST API v2.
    /// - Throws: any error of the cryptographic library.
    static func softwareStatement(_ key: SandboxKey, isForRESTv2: Bool = true) throws -> String {
        let scopes = isForRESTv2 ? allScopes : allScopes.filter { $0 != "api:client:v2" }
        return try key.statement(granting: scopes) {
            try key.jwt(Statement(software_id: "sandbox-application", jti: SandboxState.randomID(), scopes: scopes))
        }
    }

    static func register(_ state: SandboxState, _ request: SandboxRequest) throws(SandboxRefusal) -> HTTPResponse {
        guard let body = try? UntrustedJSON.decode(Registration.self, from: request.body, .small) else {
            return error("invalid_request", 400)
        }
        guard let statement = state.key.claims(Statement.self, ofJWT: body.software_statement) else {
            return error("invalid_software_statement", 400)
        }
        if let redirect = body.redirect_uri, RedirectURL.checked(redirect) == nil {
            return error("invalid_redirect_uri", 400)
        }
        let id = SandboxState.randomID()
        let secret = SandboxState.randomID()
        let client = RegisteredClient(secret: secret, redirectURL: body.redirect_uri, scopes: statement.scopes)
        state.withTables { tables, _ in tables.clients[ExactText(id)] = client }
        let credentials: MetadataValue = [
            "client_id": .string(id), "client_secret": .string(secret),
            "client_id_issued_at": .number(state.now.timeIntervalSince1970.rounded(.down)),
            "redirect_uris": .array(state.redirects(of: client).map { .string($0) }),
            "grant_types": ["client_credentials"],
            "scopes": .array(statement.scopes.map { .string($0) }),
        ]
        return .json(credentials, status: 201)
    }

    static func token(_ state: SandboxState, _ request: SandboxRequest) throws(SandboxRefusal) -> HTTPResponse {
        // The three values may stand in the form or in the query.
        func value(_ name: String) -> String? { request.form[name] ?? request.query[name] }
        guard let grant = value("grant_type"), let id = value("client_id"), let secret = value("client_secret") else {
            return error("invalid_request", 400)
        }
        guard grant == "client_credentials" else { return error("unsupported_grant_type", 400) }
        guard let client = state.withTables({ tables, _ in tables.clients[ExactText(id)] }),
            client.secret.isSameBytes(as: secret)
        else { return error("invalid_client", 400) }
        let issued = state.now.timeIntervalSince1970.rounded(.down)
        let lifetime = TimeInterval(state.world.behavior.accessTokenLifetime)
        let access: MetadataValue = [
            "sub": .string(id), "iss": "auth.adobe.com", "nbf": .number(issued), "iat": .number(issued),
            "exp": .number(issued + lifetime), "scopes": .string((client.scopes ?? allScopes).joined(separator: ",")),
        ]
        guard let token = try? state.key.jwt(access) else { return .status(500) }
        state.withTables { tables, now in
            tables.accessTokens.set(id, token, until: now.addingTimeInterval(lifetime), at: now)
        }
        let answer: MetadataValue = [
            "id": .string(SandboxState.randomID()), "access_token": .string(token),
            "created_at": .number(issued * 1000), "expires_in": .number(lifetime), "token_type": "bearer",
        ]
        return .json(answer, status: 201)
    }

    /// Refuses a request without a valid bearer token.
    static func authorize(_ state: SandboxState, _ request: SandboxRequest) throws(SandboxRefusal) {
        // The table contains only tokens that the sandbox has issued, so their signatures need no check.
        guard let token = request.bearer ?? request.form["access_token"] ?? request.query["access_token"],
            state.find({ $0.accessTokens.entry(token, at: $1) }) != nil
        else { throw SandboxRefusal(error("access_denied", 401)) }
    }

    /// Returns the client id of the application that sends a request of REST API v2.
    ///
    /// The request is refused without a valid token, when the application's credentials were revoked, or when the
    /// application may not use REST API v2.
    static func client(_ state: SandboxState, _ request: SandboxRequest) throws(SandboxRefusal) -> String {
        guard let id = state.find({ $0.accessTokens.entry(request.bearer ?? "", at: $1) }) else {
            throw SandboxRefusal(error("access_denied", 401))
        }
        // No document names the answer to an application without the scope.
        guard let client = state.withTables({ tables, _ in tables.clients[ExactText(id)] }),
            client.scopes?.contains(where: { $0.isSameBytes(as: "api:client:v2") }) ?? true
        else { throw .enhanced("invalid_access_token_client_application") }
        return id
    }

    /// Removes all credentials for `DELETE /sandbox/clients`, so that a tester sees how a client reacts.
    static func revokeAll(_ state: SandboxState) -> HTTPResponse {
        state.withTables { tables, _ in tables.clients = [:] }
        return .status(204)
    }

    private static let allScopes = [
        "platform:sso", "config:client", "decisions:client", "profile:client", "tokens:client", "api:client:v2",
    ]

    private static func error(_ name: String, _ status: Int) -> HTTPResponse {
        .json(["error": name], status: status)
    }

    // The properties have the names of the JSON members.
    private struct Statement: Codable {
        let software_id: String
        let jti: String
        let scopes: [String]
    }

    private struct Registration: Decodable {
        let software_statement: String
        let redirect_uri: String?
    }
}
