public import Foundation
import HTTPTypes
import HTTPTypesFoundation
public import TVEModels
import TVETokenCodec

extension ClassicXMLService {
    /// Fetches a registration code and builds the login page's URL; see ``EntitlementService``.
    ///
    /// The page is requested once without following it: if it redirects straight to the end, there is nothing to show
    /// (wire protocol, TempPass, degradation and missing integrations).
    ///
    /// - Parameter request: the requestor, the provider and the kind of login.
    /// - Returns: the page to open, or that there is nothing to open.
    /// - Throws: any ``ServiceError``; `.registrationCodeRefused` when the service gives no code.
    public func login(_ request: LoginRequest) async throws(ServiceError) -> LoginPage {
        var page = try await loginPage(request)
        if request.kind != .passive { page.needsViewer = try await !needsNoPage(page) }
        return page
    }

    private func loginPage(_ request: LoginRequest) async throws(ServiceError) -> LoginPage {
        let form = [
            ("requestor", request.requestorID), ("deviceId", client.deviceID), ("mvpd", request.mvpdID),
            ("format", "json"),
        ]
        let path = "reggie/v1/\(FormBody.escape(request.requestorID))/regcode"
        let answer = try await send(.post, path, form: form + deviceFields.dropFirst())
        guard answer.isSuccess else { throw .registrationCodeRefused(status: answer.status) }
        guard let code = try? OutsideJSON.decode(RegistrationCode.self, from: answer.body, .small), !code.code.isEmpty
        else { throw .unreadableJSON }
        var query = [
            ("noflash", "true"), ("mso_id", request.mvpdID), ("requestor_id", request.requestorID),
            ("no_iframe", "true"),
            ("domain_name", "adobe.com"), ("client_type", client.clientType), ("client_version", client.clientVersion),
            ("reg_code", code.code),
        ]
        if request.kind == .passive { query.append(("passive", "true")) }
        query += Self.genericData(request.data)
        let redirectURL = request.redirectURL ?? client.redirectURL
        query.append(("redirect_url", redirectURL.absoluteString))
        guard
            let url = URL(
                string: "\(provider.root.absoluteString)/adobe-services/authenticate/saml?\(FormBody.query(query))")
        else { throw .transport(.invalid) }
        return LoginPage(
            url: url, redirectURL: redirectURL, requestorID: request.requestorID, mvpdID: request.mvpdID,
            registrationCode: code.code, expires: code.expiry(now: now()))
    }

    private func needsNoPage(_ page: LoginPage) async throws(ServiceError) -> Bool {
        do throws(TransportError) {
            let (response, _) = try await transport.send(HTTPRequest(method: .get, url: page.url), body: nil)
            guard (300...399).contains(response.status.code), let location = response.headerFields[.location] else {
                return false
            }
            return location.hasBytePrefix(page.redirectURL.absoluteString)
        } catch {
            throw .transport(error)
        }
    }

    /// Fetches the AuthN token of a finished login; see ``EntitlementService``.
    ///
    /// - Parameter login: the login whose page has reached its redirect.
    /// - Returns: the AuthN token and the viewer's metadata.
    /// - Throws: any ``ServiceError``; `.notLoggedIn` and `.pendingLogout` when the viewer did not log in.
    public func authentication(
        of login: LoginPage
    ) async throws(ServiceError) -> AuthenticationAnswer {
        try await session(of: [("requestor_id", login.requestorID), ("reg_code", login.registrationCode)])
    }

    /// Fetches the AuthN token for the given fields.
    func session(of fields: [(String, String)]) async throws(ServiceError) -> AuthenticationAnswer {
        let answer = try await send(
            .post, "adobe-services/sessionDevice", form: [("_method", "GET")] + fields + deviceFields)
        if answer.status == 401 { throw .notLoggedIn }
        let (text, metadata) = try token(in: answer, ServiceAnswerReader().session)
        let token = try readable { () throws(TokenCodecError) in
            try TokenDecoder().authenticationToken(text.rawValue)
        }
        return AuthenticationAnswer(token: token, metadata: metadata)
    }

    /// The logout page with the session's ids; see ``EntitlementService``.
    ///
    /// Nothing is sent: the page itself ends the session.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor the login was made for.
    ///   - mvpdID: its TV provider.
    ///   - login: the login to end; without it there is nothing to open.
    ///   - redirectURL: where the browser ends; nil for the client's usual redirect.
    /// - Returns: the page to open; nil for a TempPass or a degraded provider, which have no session to end.
    public func logOut(
        requestorID: String, mvpdID: String, _ login: AuthenticationToken?, redirectURL: URL?
    ) async -> LogoutPage? {
        guard let claims = login?.claims, !claims.isDegraded else { return nil }
        let redirectURL = redirectURL ?? client.redirectURL
        var fields = [("requestor_id", claims.requestorID), ("mso_id", claims.mvpdID), ("noflash", "true")]
        if let name = claims.samlNameID { fields.append(("name_id", name)) }
        if let index = claims.samlSessionIndex { fields.append(("session_index", index)) }
        fields.append(("redirect_url", redirectURL.absoluteString))
        return URL(string: "\(provider.root.absoluteString)/adobe-services/logout?\(FormBody.query(fields))")
            .map { LogoutPage(url: $0, redirectURL: redirectURL) }
    }

    private struct RegistrationCode: Decodable {
        let code: String
        let generated: Double?
        let expires: Double?

        /// The lifetime that the service specifies, counted by our own clock; half an hour when it specifies none.
        func expiry(now: Date) -> Date {
            guard let generated, let expires, expires > generated else { return now.addingTimeInterval(1_800) }
            return now.addingTimeInterval(min((expires - generated) / 1000, 36_000))
        }
    }
}
