public import Foundation
import HTTPTypes
public import TVEModels
import TVETokenCodec

/// The classic XML services in their device dialect (wire protocol).
public struct ClassicXMLService: EntitlementService, PlatformSignOnService {
    let provider: ServiceProvider
    let client: ClientDescription
    let registration: ApplicationRegistration
    let transport: any HTTPTransport
    let options: @Sendable () -> ClientOptions
    let now: @Sendable () -> Date

    /// The service's root URL, without a path.
    public var root: URL { provider.root }

    /// Creates a service.
    ///
    /// It sends nothing before the first call.
    ///
    /// - Parameters:
    ///   - provider: the endpoint of the service.
    ///   - client: the description of this client.
    ///   - registration: the registration that supplies access tokens.
    ///   - transport: the transport that sends the requests. It may add the options that every request carries.
    ///   - options: returns the other options. They are read before every request.
    ///   - now: returns the current time, by the device's clock.
    public init(
        provider: ServiceProvider, client: ClientDescription, registration: ApplicationRegistration,
        transport: any HTTPTransport, options: @escaping @Sendable () -> ClientOptions = { ClientOptions() },
        now: @escaping @Sendable () -> Date
    ) {
        self.provider = provider
        self.client = client
        self.registration = registration
        self.transport = transport
        self.options = options
        self.now = now
    }

    /// Loads the configuration of a requestor; see ``EntitlementService``.
    public func configuration(of requestorID: RequestorID) async throws(ServiceError) -> RequestorConfiguration {
        var path = "adobe-services/config/\(FormBody.escape(requestorID.text))"
        if let profile = options().applicationProfile {
            path += "?\(FormBody.query([("applicationProfile", profile)]))"
        }
        let answer = try await send(.get, path)
        guard answer.status == 200 else { throw .status(answer.status) }
        return try readable(answer) { () throws(TokenCodecError) in
            try ConfigurationReader().configuration(answer.body)
        }.supplied(by: provider.root)
    }

    // MARK: - Stored logins

    /// Returns a Boolean value that indicates whether a login is a signed token of these services.
    ///
    /// - Parameter login: a stored login.
    public func recognizes(_ login: AuthenticationToken) -> Bool { !login.isCopy }

    // MARK: - Sending

    /// The form fields that identify the device to the service.
    var deviceFields: [(String, String)] {
        let options = options()
        let fields = [
            ("device_id", client.deviceID), ("device_info", client.encodedDeviceInfo(adding: options.deviceInfo)),
            ("networkType", client.connection().flatMap(Self.networkType)),
            ("applicationProfile", options.applicationProfile),
        ]
        return fields.compactMap { name, value in value.map { (name, $0) } }
    }

    /// Returns the name of a connection in these services, or nil if they have no name for it.
    private static func networkType(_ connection: DeviceInformation.Connection) -> String? {
        switch connection {
        case .wifi: "WIFI"
        case .lan: "ETHERNET"
        case .cellular: "MOBILE"
        default: nil
        }
    }

    /// Sends a protected request.
    ///
    /// If the service refuses the access token, the request is sent once more with a new one.
    func send(
        _ method: HTTPRequest.Method, _ path: String, form: [(String, String)]? = nil
    ) async throws(ServiceError) -> HTTPAnswer {
        var token = try await registration.accessToken()
        var answer = try await exchange(method, path, form: form, accessToken: token)
        if let refusal = answer.refusalOfToken {
            token = try await registration.accessToken(insteadOf: token, isForgotten: refusal == "invalid_client")
            answer = try await exchange(method, path, form: form, accessToken: token)
        }
        guard await registration.isOnTrial(token) else { return answer }
        // A web page comes from a network, and accepts no credentials on trial.
        let isOfService = WebPage.type(answer.headers[.contentType], answer.body) == nil
        if answer.isSuccess && isOfService || answer.refusalOfToken != nil {
            await registration.conclude(token, isAccepted: answer.isSuccess)
        }
        return answer
    }

    private func exchange(
        _ method: HTTPRequest.Method, _ path: String, form: [(String, String)]?, accessToken token: AccessToken
    ) async throws(ServiceError) -> HTTPAnswer {
        var request = provider.request(method, "/\(path)")
        request.headerFields[.authorization] = "Bearer \(token.value)"
        request.headerFields[.accept] = "*/*"
        if form != nil { request.headerFields[.contentType] = FormBody.contentType }
        return try await transport.answer(to: request, body: form.map(FormBody.encode))
    }

    /// Returns the form field with the app's data, or no field if there is no data.
    static func genericData(_ data: [String: MetadataValue]) -> [(String, String)] {
        FormBody.json(data).map { [("generic_data", String(decoding: $0, as: UTF8.self))] } ?? []
    }

    // MARK: - Reading

    /// Runs a reader of an answer and throws the reader's error as a ``ServiceError``.
    func readable<Value>(
        _ answer: HTTPAnswer, _ read: () throws(TokenCodecError) -> Value
    ) throws(ServiceError) -> Value {
        do throws(TokenCodecError) {
            return try read()
        } catch {
            throw answer.unread(.unreadable(error))
        }
    }

    /// Reads the token in an answer: the body decides, then the status (wire protocol, denial status).
    func token(
        in answer: HTTPAnswer, _ read: (Data) throws(TokenCodecError) -> ServiceAnswer
    ) throws(ServiceError) -> (TokenText, UserMetadata?) {
        let parsed: ServiceAnswer
        do throws(TokenCodecError) {
            parsed = try read(answer.body)
        } catch {
            // The body of a failure is often an HTML page, so its status says more than the parser's error.
            throw answer.isSuccess ? answer.unread(.unreadable(error)) : .status(answer.status)
        }
        switch parsed {
        case .denied(let denial): throw .denied(answer.explained(denial))
        case .pendingLogout(let signal): throw .pendingLogout(signal)
        case .token(let text, let metadata):
            guard answer.isSuccess else { throw .status(answer.status) }
            return (text, metadata.flatMap(Self.metadata))
        }
    }

    /// Reads the metadata beside a token, or returns nil if it is unreadable: the token is valid without metadata.
    private static func metadata(_ json: String) -> UserMetadata? {
        try? UntrustedJSON.read(UserMetadata.self, from: json)
    }
}

extension HTTPAnswer {
    /// The name of the OAuth error with which the service refuses the access token, or nil if it does not.
    ///
    /// Without such an error, 401 and 403 concern the viewer.
    fileprivate var refusalOfToken: String? { status == 401 || status == 403 ? OAuthErrorName.read(body) : nil }

    /// Returns the denial with the reason that the headers state (wire protocol, denial headers).
    fileprivate func explained(_ denial: AuthorizationDenial) -> AuthorizationDenial {
        var denial = denial
        let details = header("Authzf-Error-Details") ?? ""
        denial.reason =
            switch (header("Authzf-Error-Code"), header("Authzf-Sub-Error-Code")) {
            case ("authzNone", _): .degradation
            case ("invalid", _): .invalidResource
            case ("network", _): .network
            case (_, "1010"): .repetition
            default: details.lowercased().contains("network error") ? .network : .provider
            }
        // The body has the complete text. The text of the header is used only if the body has none.
        if denial.details == nil, !details.isEmpty { denial.details = details }
        return denial
    }

    private func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { headers[$0] }
    }
}
