import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVETestSupport
import Testing

/// A transport that refuses every request except the expected ones, in their order.
final class StrictTransport: HTTPTransport {
    private let expected: Guarded<[(request: String, answer: ScriptedTransport.Answer)]>
    private let challenge: String?
    private let retryAfter: String?

    /// - Parameters:
    ///   - expected: the method and path of each request without its query, and the answer.
    ///   - challenge: the header field `WWW-Authenticate` of the answers with the status 401.
    ///   - retryAfter: the header field `Retry-After` of every answer.
    init(
        _ expected: [(String, ScriptedTransport.Answer)], challenge: String? = nil, retryAfter: String? = nil
    ) {
        self.retryAfter = retryAfter
        self.expected = Guarded(expected)
        self.challenge = challenge
    }

    /// The expected requests that have not arrived.
    var left: [String] { expected.withLock { $0.map(\.request) } }

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let path = request.path.map { String($0.divided(at: "?").before) } ?? ""
        let name = "\(request.method.rawValue) \(path)"
        let next = expected.withLock { $0.first?.request == name ? $0.removeFirst().answer : nil }
        switch next {
        case .response(let status, let body)?:
            var response = HTTPResponse(status: .init(code: status))
            response.headerFields[.retryAfter] = retryAfter
            if status == 401 { response.headerFields[.wwwAuthenticate] = challenge }
            return (response, Data(body.utf8))
        case .failure(let error)?: throw error
        case .rewritten?, nil:
            Issue.record("\(name) was not expected; expected are \(left)")
            throw .invalid
        }
    }
}

/// A device whose application is registered and has an access token, over a strict transport.
struct StrictDesk {
    let clock = ManualClock(shortWait: .seconds(60))
    let transport: StrictTransport
    let service: RESTv2Service
    let pauses = Guarded<[Duration]>([])
    /// The stored registration.
    let kept = Guarded(
        RegisteredApplication(
            clientID: "id", clientSecret: "secret", accessToken: AccessToken(value: "t", expires: .distantFuture)))

    /// - Parameters:
    ///   - expected: the expected requests and their answers.
    ///   - challenge: the header field `WWW-Authenticate` of the answers with the status 401.
    ///   - retryAfter: the header field `Retry-After` of every answer.
    ///   - isPaced: a Boolean value that indicates whether requests pass through the transport of a session.
    ///   - proofs: the source of the proofs that some logins need.
    init(
        _ expected: [(String, ScriptedTransport.Answer)], challenge: String? = nil, retryAfter: String? = nil,
        isPaced: Bool = false, proofs: LoginProofs = LoginProofs()
    ) throws {
        let transport = StrictTransport(expected, challenge: challenge, retryAfter: retryAfter)
        self.transport = transport
        let clock = clock
        let pauses = pauses
        let kept = kept
        let provider = try ServiceProvider("https://sp.example.com")
        let paced = PacedTransport(next: transport, now: { clock.now }) { duration in
            pauses.withLock { $0.append(duration) }
            clock.advance(by: duration / .seconds(1))
        }
        let registration = ApplicationRegistration(
            softwareStatement: "a.b.c", provider: provider, transport: transport,
            keeper: RegistrationKeeper(
                load: { kept.withLock(\.self) }, save: { new in kept.withLock { $0 = new } }), now: { clock.now })
        let client = ClientDescription(
            deviceID: "d", deviceInfo: DeviceInformation(model: "m"), clientType: "t", clientVersion: "1",
            redirectURL: try #require(URL(string: "adobepass://ios.app")))
        service = RESTv2Service(
            provider: provider, client: client, fingerprint: "fp", registration: registration,
            transport: isPaced ? paced : transport, proofs: proofs, now: { clock.now },
            sleep: { duration in pauses.withLock { $0.append(duration) } })
    }

    /// A login with a provider in the form that the device stores.
    static let login = Result {
        try StoredProfile.token(
            TokenText(
                #"{"serviceProvider":"DEMO","mvpd":"A","type":"regular","notAfter":4102444800000,"fingerprint":"fp"}"#))
    }
}

/// The calls of REST API v2 with their requests.
enum RESTv2Call: CaseIterable, Sendable {
    case configuration, createSession, resumeSession, session, login, authentication, logins, authorization,
        preauthorization, logout, platformRequest, platformAuthentication

    var request: String {
        switch self {
        case .configuration: "GET /api/v2/DEMO/configuration"
        case .createSession, .login: "POST /api/v2/DEMO/sessions"
        case .resumeSession: "POST /api/v2/DEMO/sessions/CODE"
        case .session: "GET /api/v2/DEMO/sessions/CODE"
        case .authentication: "GET /api/v2/DEMO/profiles/code/CODE"
        case .logins: "GET /api/v2/DEMO/profiles"
        case .authorization: "POST /api/v2/DEMO/decisions/authorize/A"
        case .preauthorization: "POST /api/v2/DEMO/decisions/preauthorize/A"
        case .logout: "GET /api/v2/DEMO/logout/A"
        case .platformRequest: "POST /api/v2/DEMO/sessions/sso/Apple"
        case .platformAuthentication: "POST /api/v2/DEMO/profiles/sso/Apple"
        }
    }

    func perform(_ service: RESTv2Service) async throws {
        let login = try StrictDesk.login.get()
        let redirect = try #require(URL(string: "adobepass://ios.app"))
        let request = LoginRequest(requestorID: "DEMO", mvpdID: "A")
        switch self {
        case .configuration: _ = try await service.configuration(of: "DEMO")
        case .createSession:
            _ = try await service.createSession(requestorID: "DEMO", mvpdID: "A", redirectURL: redirect)
        case .resumeSession:
            _ = try await service.resumeSession(code: "code", requestorID: "DEMO", mvpdID: "A", redirectURL: redirect)
        case .session: _ = try await service.session(code: "code", requestorID: "DEMO")
        case .login: _ = try await service.login(request)
        case .authentication:
            let page = LoginPage(
                step: .open(redirect, redirect: redirect), requestorID: "DEMO", mvpdID: "A", registrationCode: "CODE",
                expires: .distantFuture)
            _ = try await service.authentication(of: page)
        case .logins: _ = try await service.logins(of: "DEMO", with: nil, knowing: nil)
        case .authorization:
            _ = try await service.authorization(for: "R", requestorID: "DEMO", data: [:], login)
        case .preauthorization:
            _ = try await service.preauthorization(of: ["R"], requestorID: "DEMO", usesServiceCache: true, login)
        case .logout: _ = try await service.logout(requestorID: "DEMO", mvpdID: "A", login, redirectURL: redirect)
        case .platformRequest: _ = try await service.platformRequest(request)
        case .platformAuthentication:
            _ = try await service.authentication(from: "answer", requestorID: "DEMO", mvpdID: "A")
        }
    }
}
