import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVETestSupport
import TVETestTraits
import Testing

/// Answers of the classic services that are written in an unusual way, or that a network has replaced.
@Suite(.timeLimit(.hanging))
struct ClassicAnswerTests {
    private static let request = LoginRequest(requestorID: "DEMO", mvpdID: "cable")

    /// Returns a service of a registered application, whose transport has an answer to each expected request.
    private static func service(_ expected: [(String, ScriptedTransport.Answer)]) throws -> ClassicXMLService {
        try service(over: StrictTransport(expected))
    }

    /// Returns a service of a registered application over a transport.
    private static func service(over transport: any HTTPTransport) throws -> ClassicXMLService {
        let provider = try ServiceProvider("https://sp.example.com")
        let application = RegisteredApplication(
            clientID: "id", clientSecret: "secret", accessToken: AccessToken(value: "t", expires: .distantFuture))
        return ClassicXMLService(
            provider: provider,
            client: ClientDescription(
                deviceID: "d", deviceInfo: DeviceInformation(model: "m"), clientType: "t", clientVersion: "1",
                redirectURL: try #require(URL(string: "adobepass://ios.app"))),
            registration: ApplicationRegistration(
                softwareStatement: "a.b.c", provider: provider, transport: transport,
                keeper: RegistrationKeeper(load: { application }, save: { _ in }), now: { Date() }),
            transport: transport, now: { Date() })
    }

    @Test(arguments: [#"{"code":"ABC2345"}"#, #"{"code":" ABC2345\r\n"}"#, #"{"code":"\n\tABC2345 "}"#])
    func whiteSpaceAroundACode_isNoPartOfIt(body: String) async throws {
        let service = try Self.service([
            ("POST /reggie/v1/DEMO/regcode", .response(status: 201, body: body)),
            ("GET /adobe-services/authenticate/saml", .response(status: 200, body: "")),
        ])
        let page = try await service.login(Self.request)
        #expect(page.registrationCode == "ABC2345")
        guard case .open(let url, _) = page.step else {
            Issue.record("There is no page.")
            return
        }
        #expect(url.query()?.contains("reg_code=ABC2345&") == true, "\(url)")
    }

    @Test(arguments: ["", " ", "\\n"]) func aCodeOfWhiteSpaceAlone_isNone(code: String) async throws {
        let answer = ScriptedTransport.Answer.response(status: 201, body: #"{"code":"\#(code)"}"#)
        let service = try Self.service([("POST /reggie/v1/DEMO/regcode", answer)])
        await #expect(throws: ServiceError.unreadableJSON) { try await service.login(Self.request) }
    }

    /// A provider behind a web redirect may have pages whose addresses begin like the redirect.
    @Test(arguments: [
        ("adobepass://ios.app", "adobepass://ios.app?x=1", true),
        ("https://app.example.com/done", "https://app.example.com/done?x=1", true),
        ("https://app.example.com/done", "https://app.example.com/done-with-an-advertisement", false),
        ("https://app.example.com", "https://app.example.com.provider.example/login", false),
        ("https://app.example.com", "https://app.example.com@provider.example/login", false),
    ])
    func aPageThatLeadsStraightToTheRedirect_isNotShown(redirect: String, location: String, isEnd: Bool) async throws {
        let service = try Self.service(over: Redirecting(location: location))
        let redirectURL = try #require(URL(string: redirect))
        let page = try await service.login(
            LoginRequest(requestorID: "DEMO", mvpdID: "cable", kind: .here(redirect: redirectURL)))
        #expect((page.step == .nothing) == isEnd)
    }

    // MARK: - The platform

    private static func platform(_ body: String) throws -> ClassicXMLService {
        try service([("GET /api/v1/DEMO/profile-requests/cable", .response(status: 200, body: body))])
    }

    @Test(arguments: ["<AuthnRequest/>", "\n <AuthnRequest/>\r\n"])
    func whiteSpaceAroundARequestToThePlatform_isNoPartOfIt(body: String) async throws {
        guard case .ask(let question, let names) = try await Self.platform(body).platformRequest(Self.request) else {
            Issue.record("The platform is not asked.")
            return
        }
        #expect(question == "<AuthnRequest/>" && names == [])
    }

    @Test(arguments: [
        ("<html>Log in</html>", ServiceError.webPage(status: 200, type: "text/html")),
        ("\u{FEFF}\n<!DOCTYPE html><title>Log in</title>", .webPage(status: 200, type: "text/html")),
        ("", .unreadableJSON), (" \r\n", .unreadableJSON),
    ])
    func whatIsNoRequestToThePlatform_isRefused(body: String, error: ServiceError) async throws {
        let service = try Self.platform(body)
        await #expect(throws: error) { try await service.platformRequest(Self.request) }
    }
}

/// A service that issues a registration code, and redirects from its login page.
private struct Redirecting: HTTPTransport {
    let location: String

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        guard request.method == .get else {
            return (HTTPResponse(status: .created), Data(#"{"code":"ABC2345"}"#.utf8))
        }
        return (HTTPResponse(status: .found, headerFields: [.location: location]), Data())
    }
}
