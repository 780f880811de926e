public import Foundation
import HTTPTypes
public import TVEModels
import TVETokenCodec

extension ClassicXMLService {
    /// Fetches a registration code and builds the login page's URL; see ``EntitlementService``.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: the page to open.
    /// - Throws: any ``ServiceError``; `.registrationCodeRefused` when the service gives no code.
    public func login(requestorID: String, mvpdID: String) async throws(ServiceError) -> LoginPage {
        let form = [("requestor", requestorID), ("deviceId", client.deviceID), ("mvpd", mvpdID), ("format", "json")]
        let path = "reggie/v1/\(FormBody.escape(requestorID))/regcode"
        let (status, body) = try await send(.post, path, form: form + deviceFields.dropFirst())
        guard (200...299).contains(status) else { throw .registrationCodeRefused(status: status) }
        guard let code = try? JSONDecoder().decode(RegistrationCode.self, from: body), !code.code.isEmpty else {
            throw .unreadableJSON
        }
        let query = FormBody.query([
            ("noflash", "true"), ("mso_id", mvpdID), ("requestor_id", requestorID), ("no_iframe", "true"),
            ("domain_name", "adobe.com"), ("client_type", client.clientType), ("client_version", client.clientVersion),
            ("reg_code", code.code), ("redirect_url", client.redirectURL.absoluteString),
        ])
        guard let url = URL(string: "\(provider.root.absoluteString)/adobe-services/authenticate/saml?\(query)") else {
            throw .transport(.invalid)
        }
        return LoginPage(
            url: url, redirectURL: client.redirectURL, requestorID: requestorID, mvpdID: mvpdID,
            registrationCode: code.code, expires: code.expiry(now: now()))
    }

    /// Fetches the AuthN token of a finished login; see ``EntitlementService``.
    ///
    /// - Parameter login: the login whose page has reached its redirect.
    /// - Returns: the AuthN token and the viewer's metadata.
    /// - Throws: any ``ServiceError``; `.notLoggedIn` and `.pendingLogout` when the viewer did not log in.
    public func authentication(
        of login: LoginPage
    ) async throws(ServiceError) -> (AuthenticationToken, UserMetadata?) {
        let form = [("_method", "GET"), ("requestor_id", login.requestorID), ("reg_code", login.registrationCode)]
        let answer = try await send(.post, "adobe-services/sessionDevice", form: form + deviceFields)
        if answer.status == 401 { throw .notLoggedIn }
        let (text, metadata) = try token(in: answer, ServiceAnswerReader().session)
        let token = try readable { () throws(TokenCodecError) in
            try TokenDecoder().authenticationToken(text.rawValue)
        }
        return (token, metadata)
    }

    /// The logout page with the session's ids; see ``EntitlementService``.
    ///
    /// - Parameter authentication: the login to end.
    /// - Returns: the page to open and where it ends.
    public func logoutPage(for authentication: AuthenticationToken) -> (url: URL, redirectURL: URL)? {
        let claims = authentication.claims
        var fields = [("requestor_id", claims.requestorID), ("mso_id", claims.mvpdID), ("noflash", "true")]
        if let name = claims.samlNameID { fields.append(("name_id", name)) }
        if let index = claims.samlSessionIndex { fields.append(("session_index", index)) }
        fields.append(("redirect_url", client.redirectURL.absoluteString))
        return URL(string: "\(provider.root.absoluteString)/adobe-services/logout?\(FormBody.query(fields))")
            .map { ($0, client.redirectURL) }
    }

    private struct RegistrationCode: Decodable {
        let code: String
        let generated: Double?
        let expires: Double?

        /// The lifetime the service names, counted from our own clock; half an hour when it names none.
        func expiry(now: Date) -> Date {
            guard let generated, let expires, expires > generated else { return now.addingTimeInterval(1_800) }
            return now.addingTimeInterval(min((expires - generated) / 1000, 36_000))
        }
    }
}
