public import Foundation
import HTTPTypes
import HTTPTypesFoundation
public import TVEModels
import TVETokenCodec

/// The classic XML services in their device dialect (wire protocol).
public struct ClassicXMLService: EntitlementService {
    let provider: ServiceProvider
    let client: ClientDescription
    let registration: ApplicationRegistration
    let transport: any HTTPTransport
    let now: @Sendable () -> Date

    /// Makes a service; nothing is sent before the first call.
    ///
    /// - Parameters:
    ///   - provider: where the service answers.
    ///   - client: what to tell it about this client.
    ///   - registration: brings access tokens.
    ///   - transport: how to reach it.
    ///   - now: the device's clock.
    public init(
        provider: ServiceProvider, client: ClientDescription, registration: ApplicationRegistration,
        transport: any HTTPTransport, now: @escaping @Sendable () -> Date
    ) {
        self.provider = provider
        self.client = client
        self.registration = registration
        self.transport = transport
        self.now = now
    }

    /// Loads the configuration of a requestor; see ``EntitlementService``.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Returns: the configuration; its providers name this service as theirs.
    /// - Throws: any ``ServiceError``; `.status(400)` for an unknown requestor.
    public func configuration(of requestorID: String) async throws(ServiceError) -> RequestorConfiguration {
        let (status, body) = try await send(.get, "adobe-services/config/\(FormBody.escape(requestorID))")
        guard status == 200 else { throw .status(status) }
        var configuration = try readable { () throws(TokenCodecError) in
            try ConfigurationReader().configuration(body)
        }
        for index in configuration.requestor.providers.indices {
            configuration.requestor.providers[index].serviceProvider = provider.root.absoluteString
        }
        return configuration
    }

    // MARK: - Sending

    /// The fields that tell the service which device asks.
    var deviceFields: [(String, String)] {
        [("device_id", client.deviceID), ("device_info", client.encodedDeviceInfo), ("networkType", "WIFI")]
    }

    /// Sends a protected call.
    ///
    /// A refused access token is replaced once.
    func send(
        _ method: HTTPRequest.Method, _ path: String, form: [(String, String)]? = nil
    ) async throws(ServiceError) -> (status: Int, body: Data) {
        let token = try await registration.accessToken()
        let first = try await exchange(method, path, form, token)
        // With an OAuth error, 401 and 403 are about the access token; other such answers are about the viewer.
        guard first.status == 401 || first.status == 403, let error = Self.oauthError(first.body) else { return first }
        let next = try await registration.accessToken(insteadOf: token, isForgotten: error == "invalid_client")
        return try await exchange(method, path, form, next)
    }

    private func exchange(
        _ method: HTTPRequest.Method, _ path: String, _ form: [(String, String)]?, _ token: AccessToken
    ) async throws(ServiceError) -> (status: Int, body: Data) {
        guard let url = URL(string: "\(provider.root.absoluteString)/\(path)") else { throw .transport(.invalid) }
        var request = HTTPRequest(method: method, url: url)
        request.headerFields[.authorization] = "Bearer \(token.value)"
        request.headerFields[.accept] = "*/*"
        if form != nil { request.headerFields[.contentType] = FormBody.contentType }
        do throws(TransportError) {
            let (response, body) = try await transport.send(request, body: form.map(FormBody.encode))
            return (response.status.code, body)
        } catch {
            throw .transport(error)
        }
    }

    private static func oauthError(_ body: Data) -> String? {
        (try? JSONDecoder().decode([String: String].self, from: body))?["error"]
    }

    // MARK: - Reading

    /// Runs a reader and wraps its refusal.
    func readable<Value>(_ read: () throws(TokenCodecError) -> Value) throws(ServiceError) -> Value {
        do throws(TokenCodecError) {
            return try read()
        } catch {
            throw .unreadable(error)
        }
    }

    /// Takes the token out of an answer: the body decides, then the status (wire protocol, denial status).
    func token(
        in answer: (status: Int, body: Data), _ read: (Data) throws(TokenCodecError) -> ServiceAnswer
    ) throws(ServiceError) -> (TokenText, UserMetadata?) {
        let isSuccess = (200...299).contains(answer.status)
        let parsed: ServiceAnswer
        do throws(TokenCodecError) {
            parsed = try read(answer.body)
        } catch {
            // A failure's body is often a page for people; its status says more than that it is no XML.
            throw isSuccess ? .unreadable(error) : .status(answer.status)
        }
        switch parsed {
        case .denied(let denial): throw .denied(denial)
        case .pendingLogout(let signal): throw .pendingLogout(signal)
        case .token(let text, let metadata):
            guard isSuccess else { throw .status(answer.status) }
            return (text, metadata.flatMap(Self.metadata))
        }
    }

    /// Metadata is a courtesy: when it cannot be read, the token that came with it still counts.
    private static func metadata(_ json: String) -> UserMetadata? {
        try? JSONDecoder().decode(UserMetadata.self, from: Data(json.utf8))
    }
}
