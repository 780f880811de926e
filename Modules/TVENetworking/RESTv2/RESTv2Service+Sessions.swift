public import Foundation
public import TVEModels

/// The calls for a login that begins on one screen and finishes on another (REST API v2, 5.2 to 5.4).
extension RESTv2Service {
    /// Begins a login.
    ///
    /// An earlier code of this device becomes invalid.
    ///
    /// - Parameters:
    ///   - requestorID: the service provider.
    ///   - mvpdID: the TV provider, or nil if another screen chooses it.
    ///   - redirectURL: the URL at which the browser ends, or nil if another screen sets it.
    ///   - domains: the domains that the service provider's logins may come from, if they are known.
    /// - Returns: the next step.
    /// - Throws: any ``ServiceError``, including `.registrationCodeRefused` for a failure that the service does not
    ///   explain.
    public func createSession(
        requestorID: RequestorID, mvpdID: MVPDID?, redirectURL: URL?, domains: [String] = []
    ) async throws(ServiceError) -> AuthenticationSession {
        try await createSession(
            .createSession(
                of: requestorID, parameters(mvpdID: mvpdID, redirectURL: redirectURL, domains: domains)))
    }

    func createSession(
        _ request: RESTv2Request, carrying proofs: CarriedProofs? = nil
    ) async throws(ServiceError) -> AuthenticationSession {
        do throws(ServiceError) {
            return try await fetch(AuthenticationSession.self, request, carrying: proofs)
        } catch .status(let status) {
            throw .registrationCodeRefused(status: status)
        }
    }

    /// Adds parameters to a login that has begun on this screen or on another one.
    ///
    /// - Parameters:
    ///   - code: the authentication code, as the viewer typed it.
    ///   - requestorID: the service provider.
    ///   - mvpdID: the TV provider, or nil to leave it open.
    ///   - redirectURL: the URL at which the browser ends, or nil to leave it open.
    ///   - domains: the domains that the service provider's logins may come from, if they are known.
    /// - Returns: the next step.
    /// - Throws: any ``ServiceError``, including `.refused` with `invalid_authentication_session` for a code that is
    ///   invalid or has expired.
    public func resumeSession(
        code: String, requestorID: RequestorID, mvpdID: MVPDID?, redirectURL: URL?, domains: [String] = []
    ) async throws(ServiceError) -> AuthenticationSession {
        try await fetch(
            AuthenticationSession.self,
            .resumeSession(
                of: requestorID, code: Self.typed(code),
                parameters(mvpdID: mvpdID, redirectURL: redirectURL, domains: domains)))
    }

    /// Requests the state of a login that has begun.
    ///
    /// - Parameters:
    ///   - code: the authentication code, as the viewer typed it.
    ///   - requestorID: the service provider.
    /// - Returns: the known parameters and the names of the missing ones.
    /// - Throws: any ``ServiceError``, including `.refused` with `invalid_authentication_session` for a code that is
    ///   invalid or has expired.
    public func session(
        code: String, requestorID: RequestorID
    ) async throws(ServiceError) -> AuthenticationSessionState {
        try await fetch(AuthenticationSessionState.self, .session(of: requestorID, code: Self.typed(code)))
    }

    /// Returns the page that finishes a login that has begun, for a browser on any screen.
    ///
    /// - Parameters:
    ///   - code: the authentication code, as the viewer typed it.
    ///   - requestorID: the service provider.
    /// - Returns: the URL of the page to open, or nil for a text that is no code.
    public func loginPage(code: String, requestorID: RequestorID) -> URL? {
        page(ofCode: Self.typed(code), requestorID: requestorID)
    }

    /// Returns the page of a code as the service writes it, or nil for a text that is no code.
    func page(ofCode code: String, requestorID: RequestorID) -> URL? {
        let parameters = [requestorID.text, code]
        guard parameters.allSatisfy(Endpoint.isSegment) else { return nil }
        return URL(string: root.absoluteString + Endpoint.authenticate.path(parameters))
    }

    func parameters(mvpdID: MVPDID?, redirectURL: URL?, domains: [String]) -> [Endpoint.Field: String] {
        let fields: [Endpoint.Field: String?] = [
            .mvpd: mvpdID?.text, .domainName: redirectURL.flatMap { Self.domain($0, domains) },
            .redirectUrl: redirectURL?.absoluteString,
        ]
        return fields.compactMapValues(\.self)
    }

    /// Returns the domain that a login comes from.
    ///
    /// The domain is one that the configuration lists for the service provider, or, if it lists none, the host of the
    /// application's redirect. Without either, the request carries no domain, and the service answers that the
    /// parameter is missing (REST API v2, 5.2).
    private static func domain(_ redirectURL: URL, _ listed: [String]) -> String? {
        let host = redirectURL.host().flatMap { $0.isEmpty ? nil : $0 }
        return listed.first { $0.isSameBytesIgnoringASCIICase(as: host ?? "") } ?? listed.first ?? host
    }

    /// Returns a code as its screen shows it.
    ///
    /// A text without a letter or digit is sent unchanged, and the service refuses it. A text that cannot be a part of
    /// a path is refused without a request.
    private static func typed(_ code: String) -> String {
        let plain = TypedCode.plain(code)
        return plain.isEmpty ? code : plain
    }

    /// Returns the absolute URL for a URL in an answer, which may be relative to the service.
    func resolved(_ url: String?) -> URL? {
        guard let url = url.flatMap({ URL(string: $0, relativeTo: root)?.absoluteURL }),
            ["https", "http"].contains(url.scheme?.lowercased())
        else { return nil }
        return url
    }
}
