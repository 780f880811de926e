public import Foundation
import HTTPTypes
public import TVEModels
import TVETokenCodec

extension ClassicXMLService {
    /// Requests a registration code and builds the URL of the login page; see ``EntitlementService``.
    ///
    /// The page is requested once without following its redirect. If the page redirects straight to the redirect URL,
    /// there is nothing to show (wire protocol, TempPass, degradation and missing integrations).
    public func login(_ request: LoginRequest) async throws(ServiceError) -> LoginPage {
        let redirectURL =
            switch request.kind {
            case .here(let redirect), .passive(let redirect): redirect ?? client.redirectURL
            // The login page that the other screen opens ends at the same URL as one on this device.
            case .otherScreen: client.redirectURL
            }
        let code = try await registrationCode(request)
        let url = try pageURL(for: request, code: code, redirectURL: redirectURL)
        var step = LoginPage.Step.open(url, redirect: redirectURL)
        switch request.kind {
        case .passive: break
        case .here: if try await needsNoPage(url, redirectURL) { step = .nothing }
        case .otherScreen: step = try await needsNoPage(url, redirectURL) ? .nothing : .typeCode
        }
        return LoginPage(
            step: step, requestorID: request.requestorID, mvpdID: request.mvpdID, registrationCode: code.code,
            expires: code.expiry(now: now()))
    }

    private func registrationCode(_ request: LoginRequest) async throws(ServiceError) -> RegistrationCode {
        let form = [
            ("requestor", request.requestorID.text), ("deviceId", client.deviceID), ("mvpd", request.mvpdID.text),
            ("format", "json"),
        ]
        let path = "reggie/v1/\(FormBody.escape(request.requestorID.text))/regcode"
        let answer = try await send(.post, path, form: form + deviceFields.dropFirst())
        guard answer.isSuccess else { throw .registrationCodeRefused(status: answer.status) }
        guard let code = try? UntrustedJSON.read(RegistrationCode.self, from: answer.body, .small), !code.code.isEmpty
        else { throw answer.unread(.unreadableJSON) }
        return code
    }

    private func pageURL(
        for request: LoginRequest, code: RegistrationCode, redirectURL: URL
    ) throws(ServiceError) -> URL {
        var query = [
            ("noflash", "true"), ("mso_id", request.mvpdID.text), ("requestor_id", request.requestorID.text),
            ("no_iframe", "true"),
            ("domain_name", "adobe.com"), ("client_type", client.clientType), ("client_version", client.clientVersion),
            ("reg_code", code.code),
        ]
        if case .passive = request.kind { query.append(("passive", "true")) }
        query += Self.genericData(request.data)
        query.append(("redirect_url", redirectURL.absoluteString))
        let page = "\(provider.root.absoluteString)/adobe-services/authenticate/saml?\(FormBody.query(query))"
        guard let url = URL(string: page) else { throw .transport(.invalid) }
        return url
    }

    private func needsNoPage(_ url: URL, _ redirectURL: URL) async throws(ServiceError) -> Bool {
        let answer = try await transport.answer(to: HTTPRequest(method: .get, url: url))
        guard (300...399).contains(answer.status), let location = answer.headers[.location] else { return false }
        guard location.hasBytePrefix(redirectURL.absoluteString) else { return false }
        // The address of a provider's page may begin like a redirect on the web.
        let isOnWeb = redirectURL.scheme?.lowercased().hasBytePrefix("http") == true
        return !isOnWeb || URL(string: location)?.isRedirect(redirectURL) == true
    }

    /// Requests the AuthN token of a finished login; see ``EntitlementService``.
    public func authentication(of login: LoginPage) async throws(ServiceError) -> AuthenticationAnswer {
        try await session(of: [("requestor_id", login.requestorID.text), ("reg_code", login.registrationCode)])
    }

    /// Requests the AuthN token that the fields name.
    func session(of fields: [(String, String)]) async throws(ServiceError) -> AuthenticationAnswer {
        let answer = try await send(
            .post, "adobe-services/sessionDevice", form: [("_method", "GET")] + fields + deviceFields)
        if answer.status == 401 { throw .notLoggedIn }
        let (text, metadata) = try token(in: answer, ServiceAnswerReader().session)
        let token = try readable(answer) { () throws(TokenCodecError) in
            try TokenDecoder().authenticationToken(text.rawValue)
        }
        return AuthenticationAnswer(token: token, metadata: metadata)
    }

    /// Returns the logout page with the identifiers of the session; see ``EntitlementService``.
    ///
    /// This method sends no request, because the page itself ends the session.
    public func logout(
        requestorID: RequestorID, mvpdID: MVPDID, _ login: AuthenticationToken?, redirectURL: URL?
    ) async -> LogoutStep {
        guard let claims = login?.claims, !claims.isDegraded else { return .nothing }
        let redirectURL = redirectURL ?? client.redirectURL
        var fields = [("requestor_id", claims.requestorID.text), ("mso_id", claims.mvpdID.text), ("noflash", "true")]
        if let name = claims.samlNameID { fields.append(("name_id", name)) }
        if let index = claims.samlSessionIndex { fields.append(("session_index", index)) }
        fields.append(("redirect_url", redirectURL.absoluteString))
        return URL(string: "\(provider.root.absoluteString)/adobe-services/logout?\(FormBody.query(fields))")
            .map { .open(LogoutPage(url: $0, redirectURL: redirectURL)) } ?? .nothing
    }

    private struct RegistrationCode: JSONReadable {
        let code: String
        let generated: Double?
        let expires: Double?

        private enum Field: String, CaseIterable { case code, generated, expires }

        private static let names = JSONNames<Field>()

        init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
            var code: String?
            var generated: Double?
            var expires: Double?
            _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
                switch field {
                case .code: code = try json.trimmedText()
                case .generated: generated = try json.decimal()
                case .expires: expires = try json.decimal()
                }
            }
            guard let code else { return nil }
            self.code = code
            self.generated = generated
            self.expires = expires
        }

        /// Returns the time at which the code expires, by the clock of this device.
        ///
        /// The service states when it generated the code and when the code expires; their difference is the lifetime,
        /// ten hours at most. Without both times, the lifetime is half an hour.
        func expiry(now: Date) -> Date {
            guard let generated, let expires, expires > generated else { return now.addingTimeInterval(1_800) }
            return now.addingTimeInterval(min((expires - generated) / 1000, 36_000))
        }
    }
}
