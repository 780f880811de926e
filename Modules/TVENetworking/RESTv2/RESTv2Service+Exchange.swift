import Foundation
import HTTPTypes
import TVEModels

extension RESTv2Service {
    /// The body of a request.
    enum Body {
        case none
        case form([(String, String)])
        case resources([Resource])
    }

    /// Which optional headers a request takes (REST API v2, request headers).
    struct Headers: OptionSet {
        let rawValue: Int
        /// Identifies the viewer at the programmer's own service.
        static let serviceToken = Headers(rawValue: 1)
        /// Sends the status of the platform's sign-on.
        static let platform = Headers(rawValue: 2)
    }

    /// Sends a request whose answer is a JSON document.
    func ask<Answer: Decodable>(
        _ type: Answer.Type, _ method: HTTPRequest.Method, _ path: [String], query: [(String, String)] = [],
        body: Body = .none, identity: String? = nil, headers: Headers = [], limits: UntrustedJSON.Limits = .answer
    ) async throws(ServiceError) -> Answer {
        let answer = try await send(method, path, query: query, body: body, identity: identity, headers: headers)
        guard answer.isSuccess else { throw answer.failure }
        return try Self.read(type, answer.body, limits)
    }

    static func read<Answer: Decodable>(
        _ type: Answer.Type, _ body: Data, _ limits: UntrustedJSON.Limits = .answer
    ) throws(ServiceError) -> Answer {
        do throws(UntrustedJSONError) {
            return try UntrustedJSON.decode(type, from: body, limits)
        } catch {
            throw .unreadableJSON
        }
    }

    /// Sends a protected request.
    ///
    /// A refused access token is replaced once; credentials only when the service says that they are invalid. When the
    /// service asks for a retry, there are at most two (REST API v2, 4.2 and 9.9).
    func send(
        _ method: HTTPRequest.Method, _ path: [String], query: [(String, String)] = [], body: Body = .none,
        identity: String? = nil, headers: Headers = []
    ) async throws(ServiceError) -> HTTPAnswer {
        let request = request(method, path, query, body, identity, headers)
        var token = try await registration.accessToken()
        var hasRenewed = false
        var attempt = 0
        while true {
            let answer = try await exchange(request, body, token)
            guard !answer.isSuccess else { return answer }
            let error = ErrorAnswer.read(answer.body)
            if answer.status == 401 || answer.status == 403 && error == nil && answer.namesUnknownClient {
                guard !hasRenewed else { throw error.map(ServiceError.init) ?? .accessTokenRefused("unauthorized") }
                hasRenewed = true
                token = try await registration.accessToken(
                    insteadOf: token,
                    isForgotten: error?.action == "application-registration" || answer.namesUnknownClient)
            } else if error?.action == "retry", attempt < Self.furtherAttempts {
                attempt += 1
                try await pause(before: attempt)
            } else {
                return answer
            }
        }
    }

    /// How many retries there are when the service asks for one.
    static let furtherAttempts = 2

    /// A second before the first retry, two before the second.
    func pause(before attempt: Int) async throws(ServiceError) {
        do {
            try await sleep(.seconds(1 << (attempt - 1)))
        } catch {
            throw .transport(.cancelled)
        }
    }

    private func request(
        _ method: HTTPRequest.Method, _ path: [String], _ query: [(String, String)], _ body: Body, _ identity: String?,
        _ headers: Headers
    ) -> HTTPRequest {
        let path = path.map(FormBody.escape).joined(separator: "/")
        let query = query.isEmpty ? "" : "?\(FormBody.query(query))"
        let options = options()
        let status = memory.withLock(\.platformStatus)
        var request = provider.request(method, "/api/v2/\(path)\(query)")
        request.headerFields[.accept] = "application/json"
        let fields = [
            ("AP-Device-Identifier", deviceHeader),
            ("X-Device-Info", options.deviceInfo ?? client.encodedDeviceInfo),
            ("AP-TempPass-Identity", identity),
            ("AD-Service-Token", headers.contains(.serviceToken) ? options.serviceToken : nil),
            ("AP-Partner-Framework-Status", headers.contains(.platform) ? status?.headerValue : nil),
        ]
        for (name, value) in fields {
            if let value, let name = HTTPField.Name(name) { request.headerFields[name] = value }
        }
        switch body {
        case .none: break
        case .form: request.headerFields[.contentType] = FormBody.contentType
        case .resources: request.headerFields[.contentType] = "application/json"
        }
        return request
    }

    private func exchange(
        _ request: HTTPRequest, _ body: Body, _ token: AccessToken
    ) async throws(ServiceError) -> HTTPAnswer {
        var request = request
        request.headerFields[.authorization] = "Bearer \(token.value)"
        let bytes: Data? =
            switch body {
            case .none: nil
            case .form(let fields): FormBody.encode(fields)
            case .resources(let resources): try? JSONEncoder().encode(["resources": resources.map(\.text)])
            }
        return try await transport.answer(to: request, body: bytes)
    }
}

extension HTTPAnswer {
    /// The error of an unsuccessful answer of REST API v2.
    var failure: ServiceError { ErrorAnswer.read(body).map(ServiceError.init) ?? .status(status) }

    /// Older parts of the service report this as an OAuth error.
    fileprivate var namesUnknownClient: Bool {
        (try? UntrustedJSON.decode([String: String].self, from: body, .small))?["error"] == "invalid_client"
    }
}
