public import Foundation
import HTTPTypes
import TVEModels

/// The registration of an application with its software statement, which supplies a valid access token.
///
/// The registration happens once and is stored permanently. A token is used until it expires. Calls that need a token
/// at the same time share one request (dynamic client registration).
public actor ApplicationRegistration {
    private let softwareStatement: SoftwareStatement
    private let provider: ServiceProvider
    private let transport: any HTTPTransport
    private let keeper: RegistrationKeeper
    private let deviceInfo: @Sendable () -> String?
    private let redirectURL: URL?
    private let now: @Sendable () -> Date
    /// The registration that was read or stored last, cached so that not every request reads the store.
    private var known: RegisteredApplication?
    private lazy var flight = SingleFlight<Result<AccessToken, ServiceError>>()

    /// Creates a registration.
    ///
    /// It sends nothing before the first request for a token.
    ///
    /// - Parameters:
    ///   - softwareStatement: the application's statement, a JWT.
    ///   - provider: the service to register with.
    ///   - transport: the transport to the service.
    ///   - keeper: the storage of credentials and token between starts.
    ///   - redirectURL: the URL at which logins of this application end, for a service that registers it with the
    ///     application. Pass nil to leave it to the software statement.
    ///   - deviceInfo: the description of the device in Base64, which the service requires here too. It is read for
    ///     each request.
    ///   - now: returns the current time, by the device's clock.
    public init(
        softwareStatement: String, provider: ServiceProvider, transport: any HTTPTransport, keeper: RegistrationKeeper,
        redirectURL: URL? = nil,
        deviceInfo: @escaping @autoclosure @Sendable () -> String? = nil, now: @escaping @Sendable () -> Date
    ) {
        self.softwareStatement = SoftwareStatement(softwareStatement)
        self.provider = provider
        self.transport = transport
        self.keeper = keeper
        self.redirectURL = redirectURL
        self.deviceInfo = deviceInfo
        self.now = now
    }

    /// Returns the stored registration of the application, or registers the application.
    ///
    /// - Returns: the credentials, and the service's answer about the application.
    /// - Throws: every error that ``accessToken(insteadOf:isForgotten:)`` throws.
    public func application() async throws(ServiceError) -> RegisteredApplication {
        if let kept = try kept() { return kept }
        _ = try await accessToken()
        guard let kept = try kept() else {
            throw .cannotKeepRegistration(reason: "The keeper stored nothing. Check its functions.")
        }
        return kept
    }

    /// Returns the stored token if it is valid, or requests a new one with the stored or with new credentials.
    ///
    /// - Parameters:
    ///   - rejected: a token that the service has just refused, and which must be replaced.
    ///   - isForgotten: a Boolean value that indicates whether the service no longer knows the credentials. If so, the
    ///     application is registered again, unless the service refused a new registration as well within the last day.
    /// - Returns: the token.
    /// - Throws: `ServiceError.unusableStatement`, `.registrationRefused`, `.accessTokenRefused`, `.transport`,
    ///   `.status`, `.webPage`, `.unreadableJSON`, `.cannotKeepRegistration`.
    public func accessToken(
        insteadOf rejected: AccessToken? = nil, isForgotten: Bool = false
    ) async throws(ServiceError) -> AccessToken {
        if let token = known?.accessToken, token != rejected, now() < token.expires { return token }
        // Another call may have registered the application again since the token was used.
        let used = known?.accessToken == rejected ? known?.clientID : nil
        // Another process may have stored a newer token.
        if let token = try kept()?.accessToken, token != rejected, now() < token.expires { return token }
        let token = try await flight.run { [self] () async throws(ServiceError) -> AccessToken in
            try await renew(insteadOf: isForgotten ? used : nil)
        }
        guard let token else { throw .transport(.cancelled) }
        return token
    }

    /// Returns a Boolean value that indicates whether a token belongs to new credentials that the service has not
    /// accepted with any request yet.
    func isOnTrial(_ token: AccessToken) -> Bool { known?.replaced != nil && known?.accessToken == token }

    /// Ends the trial of new credentials, once a request with them is answered.
    ///
    /// A service that refuses them as well, for example because of a mistake in its own configuration, gains nothing
    /// from another registration. The old credentials are then restored, because the viewer's logins belong to them.
    ///
    /// - Parameters:
    ///   - token: the access token of the request.
    ///   - isAccepted: a Boolean value that indicates whether the service accepted the token.
    func conclude(_ token: AccessToken, isAccepted: Bool) {
        guard isOnTrial(token), var application = known else { return }
        guard isAccepted else {
            _ = restored(insteadOf: application)
            return
        }
        application.replaced = nil
        // The trial is over for this process even if the store cannot be written.
        known = application
        _ = try? replace(application.clientID, with: application)
    }

    /// Restores the credentials that refused ones have replaced, and returns them.
    ///
    /// If another process has registered meanwhile, or the store fails, the refused ones stay, and the result is nil.
    private func restored(insteadOf application: RegisteredApplication) -> RegisteredApplication? {
        guard var old = application.replaced else { return nil }
        old.replacementRefused = now()
        guard (try? replace(application.clientID, with: old)) == true else { return nil }
        return old
    }

    /// Returns a Boolean value that indicates whether the service refused a new registration as well, within the last
    /// day.
    private func isRegisteredInVain(_ application: RegisteredApplication) -> Bool {
        application.replacementRefused.map { abs(now().timeIntervalSince($0)) < 86_400 } ?? false
    }

    /// - Parameter refused: the client id that the service no longer knows, or nil if it has not said so.
    private func renew(insteadOf refused: String?) async throws(ServiceError) -> AccessToken {
        var kept = try kept()
        // Credentials that were refused before any request with them succeeded are no better than the ones that they
        // replaced, which are restored.
        if let refused, let application = kept, refused.isSameBytes(as: application.clientID),
            let old = restored(insteadOf: application)
        {
            kept = old
        }
        // Another process may have registered already.
        if let kept, refused?.isSameBytes(as: kept.clientID) != true || isRegisteredInVain(kept) {
            do throws(ServiceError) {
                return try await token(for: kept)
            } catch .accessTokenRefused("invalid_client") where kept.replaced == nil && !isRegisteredInVain(kept) {
                // The service no longer knows these credentials, so the application is registered again.
            }
        }
        var application = try await register()
        if let kept {
            var old = kept.replaced ?? kept
            // The service grants another token with the old credentials, if they are ever used again.
            old.accessToken = nil
            application.replaced = old
            // If another process has registered in the meantime, its credentials are valid and these are not.
            let isKept = try replace(kept.clientID, with: application)
            return try await token(for: isKept ? application : self.kept() ?? application)
        }
        // The first process to register decides, because a login belongs to the credentials it was made with.
        try stored { try keeper.saveFirst(application) }
        if let decided = try self.kept() { return try await token(for: decided) }
        // The stored registration is unreadable.
        try stored { try keeper.save(application) }
        return try await token(for: application)
    }

    private func register() async throws(ServiceError) -> RegisteredApplication {
        if let fault = softwareStatement.fault { throw .unusableStatement(reason: fault) }
        // If the registration could not be stored, each attempt would create another one at the service.
        try stored { try keeper.checkIsWritable() }
        let fields: [Endpoint.Field: String?] = [
            .softwareStatement: softwareStatement.trimmed, .redirectURI: redirectURL?.absoluteString,
        ]
        let named = fields.compactMapValues(\.self).map { ($0.key.rawValue, $0.value) }
        let body = try? JSONEncoder().encode(Dictionary(uniqueKeysWithValues: named))
        let answer = try await post(.register, body ?? Data())
        if (400...403).contains(answer.status), let name = Self.oauthError(answer.body) {
            throw .registrationRefused(name)
        }
        guard answer.isSuccess else {
            throw Self.failure(
                answer, refusal: ServiceError.registrationRefused, unnamed: .registrationRefused("HTTP 400"))
        }
        guard let credentials = try? UntrustedJSON.read(RegistrationAnswer.self, from: answer.body, .small) else {
            throw answer.unread(.unreadableJSON)
        }
        return RegisteredApplication(
            clientID: credentials.clientID, clientSecret: credentials.clientSecret, scopes: credentials.scopes,
            redirectURLs: credentials.redirectURLs)
    }

    private func token(for application: RegisteredApplication) async throws(ServiceError) -> AccessToken {
        let fields: [(Endpoint.Field, String)] = [
            (.grantType, "client_credentials"), (.clientID, application.clientID),
            (.clientSecret, application.clientSecret),
        ]
        let answer = try await post(.token, FormBody.encode(fields.map { ($0.rawValue, $1) }))
        if (400...403).contains(answer.status), let name = Self.oauthError(answer.body) {
            _ = restored(insteadOf: application)
            throw .accessTokenRefused(name)
        }
        guard answer.isSuccess else {
            // The answer may come from a proxy or a network instead of the service, so it must not end a login that the
            // viewer is completing.
            throw Self.failure(answer, refusal: ServiceError.accessTokenRefused, unnamed: .status(answer.status))
        }
        guard let grant = try? UntrustedJSON.read(AccessTokenAnswer.self, from: answer.body, .small) else {
            throw answer.unread(.unreadableJSON)
        }
        // The expiry is computed by the clock of this device. With the service's `created_at`, a wrong device clock
        // would expire every token at once.
        let lifetime = grant.lifetime - min(Self.reserve, grant.lifetime / 10)
        let token = AccessToken(value: grant.token, expires: now().addingTimeInterval(lifetime))
        var registered = application
        registered.accessToken = token
        do throws(ServiceError) {
            // Credentials that another process has replaced must not be stored again. The token is used for this call
            // only.
            _ = try replace(application.clientID, with: registered)
        } catch {
            // The service can grant a token again, so a token that cannot be stored is used until it expires.
            known = registered
        }
        return token
    }

    /// The time before the end of a token at which it is replaced, if it lasts long: a minute.
    ///
    /// A token that ended on the way to the service would cost the viewer another exchange.
    private static let reserve: TimeInterval = 60

    /// Reads the stored registration.
    ///
    /// A failed read does not mean that nothing is stored. Registering again would end the viewer's login.
    private func kept() throws(ServiceError) -> RegisteredApplication? {
        known = try stored { try keeper.load() }
        return known
    }

    private func replace(_ clientID: String, with application: RegisteredApplication) throws(ServiceError) -> Bool {
        guard try stored({ try keeper.replace(clientID, application) }) else { return false }
        known = application
        return true
    }

    /// Runs a call of the keeper, and throws its error as a ``ServiceError``.
    private func stored<Value>(_ call: () throws -> Value) throws(ServiceError) -> Value {
        do {
            return try call()
        } catch {
            throw .cannotKeepRegistration(reason: "\(error)")
        }
    }

    private func post(_ endpoint: Endpoint, _ body: Data) async throws(ServiceError) -> HTTPAnswer {
        var request = provider.request(endpoint.method, endpoint.path)
        request.headerFields[.contentType] = endpoint.body?.kind.rawValue
        if let deviceInfo = deviceInfo(), let name = Endpoint.Header.deviceInfo.name {
            request.headerFields[name] = deviceInfo
        }
        return try await transport.answer(to: request, body: body)
    }

    /// Returns the name of the OAuth error with which the service refuses, or nil if the answer is no such refusal.
    ///
    /// The name becomes part of a message, so only a well-formed name is returned.
    private static func oauthError(_ body: Data) -> String? {
        OAuthErrorName.read(body).flatMap { isName($0) ? $0 : nil }
    }

    private static func isName(_ text: String) -> Bool {
        text.utf8.count <= 64 && text.wholeMatch(of: /[a-z_]+/) != nil
    }

    /// Returns the error for an answer that grants nothing and has no OAuth error.
    ///
    /// A filter or a proxy sends a web page with the status of a refusal. The code of an enhanced error only names the
    /// refusal: that the service no longer knows the application is said by OAuth's errors alone.
    ///
    /// - Parameters:
    ///   - answer: the answer.
    ///   - refusal: creates the error for a refusal with a name.
    ///   - unnamed: the error for an HTTP 400 without a name.
    private static func failure(
        _ answer: HTTPAnswer, refusal: (String) -> ServiceError, unnamed: ServiceError
    ) -> ServiceError {
        guard (400...403).contains(answer.status) else { return .status(answer.status) }
        guard answer.status == 400 else { return answer.unread(.status(answer.status)) }
        let name = EnhancedError.read(answer.body)?.code.flatMap { code in
            isName(code) && !["invalid_client", "unauthorized"].contains(code) ? code : nil
        }
        return answer.unread(name.map(refusal) ?? unnamed)
    }
}
