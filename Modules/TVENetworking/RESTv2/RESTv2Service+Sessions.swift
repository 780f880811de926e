public import Foundation
public import TVEModels

/// Begins a login on one screen and finishes it on another (REST API v2, 5.2 to 5.4).
extension RESTv2Service {
    /// Begins a login; an earlier code of this device becomes invalid.
    ///
    /// - Parameters:
    ///   - requestorID: the service provider.
    ///   - mvpdID: the TV provider; nil when another screen chooses it.
    ///   - redirectURL: where the browser ends; nil when another screen sets it.
    ///   - domains: the domains that the service provider's logins may come from, if they are known.
    /// - Returns: the next step.
    /// - Throws: any ``ServiceError``; `.registrationCodeRefused` for a failure that the service does not explain.
    public func createSession(
        requestorID: RequestorID, mvpdID: MVPDID?, redirectURL: URL?, domains: [String] = []
    ) async throws(ServiceError) -> AuthenticationSession {
        try await createSession(.createSession(of: requestorID, parameters(mvpdID, redirectURL, domains)))
    }

    func createSession(
        _ request: RESTv2Request, carrying proofs: CarriedProofs? = nil
    ) async throws(ServiceError) -> AuthenticationSession {
        do throws(ServiceError) {
            return try await ask(AuthenticationSession.self, request, carrying: proofs)
        } catch .status(let status) {
            throw .registrationCodeRefused(status: status)
        }
    }

    /// Adds parameters to a login that was begun, on this screen or another one.
    ///
    /// - Parameters:
    ///   - code: the authentication code, as the viewer typed it.
    ///   - requestorID: the service provider.
    ///   - mvpdID: the TV provider, nil to leave it open.
    ///   - redirectURL: where the browser ends, nil to leave it open.
    ///   - domains: the domains that the service provider's logins may come from, if they are known.
    /// - Returns: the next step.
    /// - Throws: any ``ServiceError``; `.refused` with `invalid_authentication_session` for a code that is invalid or
    ///   has expired.
    public func resumeSession(
        code: String, requestorID: RequestorID, mvpdID: MVPDID?, redirectURL: URL?, domains: [String] = []
    ) async throws(ServiceError) -> AuthenticationSession {
        try await ask(
            AuthenticationSession.self,
            .resumeSession(of: requestorID, code: Self.typed(code), parameters(mvpdID, redirectURL, domains)))
    }

    /// Fetches the state of a login that was begun.
    ///
    /// - Parameters:
    ///   - code: the authentication code, as the viewer typed it.
    ///   - requestorID: the service provider.
    /// - Returns: what is known and what is missing.
    /// - Throws: any ``ServiceError``; `.refused` with `invalid_authentication_session` for a code that is invalid or
    ///   has expired.
    public func session(
        code: String, requestorID: RequestorID
    ) async throws(ServiceError) -> AuthenticationSessionState {
        try await ask(AuthenticationSessionState.self, .session(of: requestorID, code: Self.typed(code)))
    }

    /// The page that finishes a login that was begun, for a browser on any screen.
    ///
    /// - Parameters:
    ///   - code: the authentication code, as the viewer typed it.
    ///   - requestorID: the service provider.
    /// - Returns: the page to open.
    public func loginPage(code: String, requestorID: RequestorID) -> URL? {
        URL(string: root.absoluteString + Endpoint.authenticate.path([requestorID.text, Self.typed(code)]))
    }

    func parameters(_ mvpdID: MVPDID?, _ redirectURL: URL?, _ domains: [String]) -> [Endpoint.Field: String] {
        let fields: [Endpoint.Field: String?] = [
            .mvpd: mvpdID?.text, .domainName: redirectURL.flatMap { Self.domain($0, domains) },
            .redirectUrl: redirectURL?.absoluteString,
        ]
        return fields.compactMapValues(\.self)
    }

    /// The domain that a login comes from: one that the configuration lists for the service provider, if it is known,
    /// else that of the application's redirect.
    ///
    /// Without either nothing is sent, and the service answers that the parameter is missing (REST API v2, 5.2).
    private static func domain(_ redirectURL: URL, _ listed: [String]) -> String? {
        let host = redirectURL.host().flatMap { $0.isEmpty ? nil : $0 }
        return listed.first { $0.lowercased() == host?.lowercased() } ?? listed.first ?? host
    }

    /// Returns a code as its screen shows it.
    ///
    /// A text without a letter or digit is sent as it is, and the service says what it thinks of it.
    private static func typed(_ code: String) -> String {
        let plain = TypedCode.plain(code)
        return plain.isEmpty ? code : plain
    }

    /// A URL of an answer, which may be relative to the service.
    func resolved(_ url: String?) -> URL? {
        guard let url = url.flatMap({ URL(string: $0, relativeTo: root)?.absoluteURL }),
            ["https", "http"].contains(url.scheme?.lowercased())
        else { return nil }
        return url
    }
}
