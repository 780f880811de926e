import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVETestSupport
import TVETestTraits
import TVETokenCodec
import Testing

/// Tests of the requests to the classic services, and of answers in an unusual form or from another network.
@Suite(.timeLimit(.hanging))
struct ClassicAnswerTests {
    private static let request = LoginRequest(requestorID: "DEMO", mvpdID: "cable")

    /// Returns a service of a registered application, whose transport has an answer to each expected request.
    private static func service(_ expected: [(String, ScriptedTransport.Answer)]) throws -> ClassicXMLService {
        try service(over: StrictTransport(expected))
    }

    /// Returns a service of a registered application over a transport.
    private static func service(over transport: any HTTPTransport, now: Date = Date()) throws -> ClassicXMLService {
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
                keeper: RegistrationKeeper(load: { application }, save: { _ in }), now: { now }),
            transport: transport, now: { now })
    }

    // MARK: - Requests

    /// A login of another requestor and provider than those of the calls, so that a field with the wrong one shows.
    private static let login = AuthenticationToken(
        text: TokenText("LOGIN"),
        claims: .init(
            authenticationGUID: "guid", requestorID: "DEMO2", expires: TokenDate(secondsSince1970: 2_000_000_000),
            mvpdID: "fiber", fingerprint: "fp", samlSessionIndex: "index", samlNameID: "name"))

    private static let permission = AuthorizationToken(
        text: TokenText("PERMIT"),
        claims: .init(
            requestorID: "DEMO3", resource: "R", expires: TokenDate(secondsSince1970: 2_000_000_000),
            mvpdID: "satellite", fingerprint: "fp"))

    /// The fields that describe the device.
    private static let device = "device_id=d device_info=eyJtb2RlbCI6Im0ifQ%3D%3D"

    private static let data = "generic_data=%7B%22a%22%3A%22b%22%7D"

    private static func page(_ more: String) -> String {
        "/adobe-services/authenticate/saml?noflash=true&mso_id=cable&requestor_id=DEMO&no_iframe=true"
            + "&domain_name=adobe.com&client_type=t&client_version=1&reg_code=CODE\(more)"
            + "&redirect_url=adobepass%3A%2F%2Fios.app"
    }

    private static let codeRequest =
        "POST /reggie/v1/DEMO/regcode requestor=DEMO deviceId=d mvpd=cable format=json "
        + "device_info=eyJtb2RlbCI6Im0ifQ%3D%3D"

    /// A call, and the requests that it sends: method, path and the fields of the form.
    struct Call: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sent: [String]
        let perform: @Sendable (ClassicXMLService) async throws -> Void
    }

    private static let calls = [
        Call(testDescription: "configuration", sent: ["GET /adobe-services/config/DEMO"]) { service in
            _ = try await service.configuration(of: "DEMO")
        },
        Call(testDescription: "login", sent: [codeRequest, "GET \(page("&\(data)"))"]) { service in
            let data: [String: MetadataValue] = ["a": "b"]
            let step = try await service.login(LoginRequest(requestorID: "DEMO", mvpdID: "cable", data: data)).step
            let redirect = try #require(URL(string: "adobepass://ios.app"))
            let url = try #require(URL(string: "https://sp.example.com\(page("&\(Self.data)"))"))
            #expect(step == .open(url, redirect: redirect))
        },
        Call(testDescription: "login on another screen", sent: [codeRequest, "GET \(page(""))"]) { service in
            let kind = LoginRequest.Kind.otherScreen(redirect: URL(string: "app://other"))
            let step = try await service.login(LoginRequest(requestorID: "DEMO", mvpdID: "cable", kind: kind)).step
            #expect(step == .typeCode)
        },
        Call(testDescription: "silent login", sent: [codeRequest]) { service in
            let kind = LoginRequest.Kind.passive(redirect: nil)
            let step = try await service.login(LoginRequest(requestorID: "DEMO", mvpdID: "cable", kind: kind)).step
            let redirect = try #require(URL(string: "adobepass://ios.app"))
            let url = try #require(URL(string: "https://sp.example.com\(page("&passive=true"))"))
            #expect(step == .open(url, redirect: redirect))
        },
        Call(
            testDescription: "authentication",
            sent: ["POST /adobe-services/sessionDevice _method=GET requestor_id=DEMO reg_code=CODE \(device)"]
        ) { service in
            _ = try await service.authentication(
                of: LoginPage(
                    step: .typeCode, requestorID: "DEMO", mvpdID: "cable", registrationCode: "CODE",
                    expires: .distantFuture))
        },
        Call(
            testDescription: "authorization",
            sent: [
                "POST /adobe-services/authorizeDevice resource_id=R requestor_id=DEMO authentication_token=LOGIN "
                    + "mso_id=fiber userMeta=1 \(data) \(device)"
            ]
        ) { service in
            _ = try await service.authorization(for: "R", requestorID: "DEMO", data: ["a": "b"], login)
        },
        Call(
            testDescription: "media token",
            sent: [
                "POST /adobe-services/deviceShortAuthorize requestor_id=DEMO3 mso_id=satellite session_guid=guid "
                    + "hashed_guid=false authz_token=PERMIT \(data) \(device)"
            ]
        ) { service in
            _ = try await service.mediaToken(for: permission, data: ["a": "b"], login)
        },
        Call(
            testDescription: "preauthorization",
            sent: [
                "POST /adobe-services/preauthorize authentication_token=LOGIN requestor_id=DEMO resource_id=R "
                    + "resource_id=S"
            ]
        ) { service in
            _ = try await service.preauthorization(
                of: ["R", "S"], requestorID: "DEMO", usesServiceCache: true, login)
        },
        Call(
            testDescription: "request to the platform", sent: ["GET /api/v1/DEMO/profile-requests/cable?deviceType=t"]
        ) { service in
            _ = try await service.platformRequest(request)
        },
        Call(
            testDescription: "answer of the platform",
            sent: [
                "POST /api/v1/tokens/authn requestor=DEMO deviceId=d mvpd=cable deviceType=t SAMLResponse=YW5zd2Vy "
                    + "device_info=eyJtb2RlbCI6Im0ifQ%3D%3D",
                "POST /adobe-services/sessionDevice _method=GET requestor_id=DEMO mso_id=cable \(device)",
            ]
        ) { service in
            _ = try await service.authentication(from: "answer", requestorID: "DEMO", mvpdID: "cable")
        },
        Call(testDescription: "logout", sent: []) { service in
            let step = await service.logout(requestorID: "DEMO", mvpdID: "cable", login, redirectURL: nil)
            let redirect = try #require(URL(string: "adobepass://ios.app"))
            let url = try #require(
                URL(
                    string: "https://sp.example.com/adobe-services/logout?requestor_id=DEMO2&mso_id=fiber&noflash=true"
                        + "&name_id=name&session_index=index&redirect_url=adobepass%3A%2F%2Fios.app"))
            #expect(step == .open(LogoutPage(url: url, redirectURL: redirect)))
        },
    ]

    @Test(arguments: calls) func aCall_sendsEachFieldOnce(call: Call) async throws {
        let desk = Recorder()
        // Most of the answers cannot be read, and only the requests matter here.
        try? await call.perform(try Self.service(over: desk))
        #expect(desk.requests.withLock(\.self) == call.sent.map(Self.inOrder))
        for (request, heads) in zip(call.sent, desk.heads.withLock(\.self)) {
            let isOfBrowser = request.hasPrefix("GET /adobe-services/authenticate/")
            let form = request.hasPrefix("POST ") ? "application/x-www-form-urlencoded; charset=UTF-8" : "none"
            #expect(heads == (isOfBrowser ? "none none none" : "Bearer t */* \(form)"), "\(request)")
        }
    }

    /// Returns a request with the fields of its form in alphabetical order.
    private static func inOrder(_ request: String) -> String {
        let words = request.split(separator: " ")
        return (words.prefix(2) + words.dropFirst(2).sorted()).joined(separator: " ")
    }

    @Test(arguments: [nil, login]) func aLogout_withoutALoginOfAProvider_opensNoPage(
        login: AuthenticationToken?
    ) async throws {
        var claims = Self.login.claims
        claims.authorizesAll = true
        let degraded = login.map { AuthenticationToken(text: $0.text, claims: claims) }
        let step = try await Self.service([]).logout(
            requestorID: "DEMO", mvpdID: "cable", degraded, redirectURL: nil)
        #expect(step == .nothing)
    }

    // MARK: - Codes

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

    /// The times of a code are milliseconds of the service's clock, and only their difference counts.
    @Test(
        arguments: [
            (#","generated":1000,"expires":61000"#, 60), (#","generated":"1000","expires":"61000""#, 60),
            (#","generated":0,"expires":36000000"#, 36_000), (#","generated":0,"expires":36001000"#, 36_000),
            (#","generated":1000,"expires":1000"#, 1_800), (#","generated":1001,"expires":1000"#, 1_800),
            (#","generated":1000"#, 1_800), (#","expires":61000"#, 1_800), ("", 1_800),
        ] as [(String, TimeInterval)])
    func aCode_isValidAsLongAsTheServiceSays_upToTenHours(times: String, lifetime: TimeInterval) async throws {
        let now = Date(timeIntervalSince1970: 1_795_219_200)
        let transport = StrictTransport([
            ("POST /reggie/v1/DEMO/regcode", .response(status: 201, body: "{\"code\":\"CODE\"\(times)}")),
            ("GET /adobe-services/authenticate/saml", .response(status: 200, body: "")),
        ])
        let page = try await Self.service(over: transport, now: now).login(Self.request)
        #expect(page.expires == now.addingTimeInterval(lifetime))
    }

    @Test(arguments: [199, 300, 403, 500]) func aRefusedCode_isNoCode(status: Int) async throws {
        let answer = ScriptedTransport.Answer.response(status: status, body: #"{"code":"CODE"}"#)
        let service = try Self.service([("POST /reggie/v1/DEMO/regcode", answer)])
        await #expect(throws: ServiceError.registrationCodeRefused(status: status)) {
            try await service.login(Self.request)
        }
    }

    /// A redirect to the end needs no page on either screen, but a silent login always opens its page.
    @Test(arguments: [(299, false), (300, true), (399, true), (400, false)])
    func aRedirect_isToldByItsStatus(status: Int, isEnd: Bool) async throws {
        let service = try Self.service(over: Redirecting(location: "adobepass://ios.app?x=1", status: status))
        func step(_ kind: LoginRequest.Kind) async throws -> LoginPage.Step {
            try await service.login(LoginRequest(requestorID: "DEMO", mvpdID: "cable", kind: kind)).step
        }
        #expect(try await (step(.here(redirect: nil)) == .nothing) == isEnd)
        #expect(try await step(.otherScreen(redirect: nil)) == (isEnd ? .nothing : .typeCode))
        #expect(try await step(.passive(redirect: nil)) != .nothing)
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

    // MARK: - Failures

    /// A token in a failing answer is none, and what a failing answer says is its status.
    @Test(arguments: [
        (200, "", ServiceError.unreadable(.empty)), (401, "", .notLoggedIn), (401, "<html>", .notLoggedIn),
        (403, "<html>", .status(403)), (300, "<a><authnToken>x</authnToken></a>", .status(300)),
        (199, "<a><authnToken>x</authnToken></a>", .status(199)),
        (500, "<a><authnToken>x</authnToken></a>", .status(500)),
    ])
    func aSession_isReadFromASuccessfulAnswerAlone(status: Int, body: String, error: ServiceError) async throws {
        let service = try Self.service([
            ("POST /adobe-services/sessionDevice", .response(status: status, body: body))
        ])
        let page = LoginPage(
            step: .typeCode, requestorID: "DEMO", mvpdID: "cable", registrationCode: "CODE", expires: .distantFuture)
        await #expect(throws: error) { try await service.authentication(of: page) }
    }

    @Test(arguments: [(200, nil), (299, nil), (300, .status(300)), (500, .status(500))] as [(Int, ServiceError?)])
    func decisions_areReadFromASuccessfulAnswerAlone(status: Int, error: ServiceError?) async throws {
        let body = "<resources><resource><id>R</id><authorized>true</authorized></resource></resources>"
        let service = try Self.service([
            ("POST /adobe-services/preauthorize", .response(status: status, body: body))
        ])
        do throws(ServiceError) {
            let decisions = try await service.preauthorization(
                of: ["R"], requestorID: "DEMO", usesServiceCache: true, Self.login)
            #expect(error == nil && decisions.map(\.isAuthorized) == [true])
        } catch let failure {
            #expect(failure == error)
        }
    }

    /// The headers of a denial name its reason, and have its text if the body has none.
    @Test(
        arguments: [
            (nil, nil, nil, "", .provider, nil), ("authzNone", nil, nil, "", .degradation, nil),
            ("invalid", nil, nil, "", .invalidResource, nil), ("network", nil, nil, "", .network, nil),
            ("noAuthz", nil, "No.", "", .provider, "No."),
            ("noAuthz", nil, "No.", "Not today.", .provider, "Not today."),
            (nil, "1010", nil, "", .repetition, nil), (nil, "1011", nil, "", .provider, nil),
            ("authzNone", "1010", nil, "", .degradation, nil), ("1010", "network", nil, "", .provider, nil),
            (nil, nil, "A Network Error.", "", .network, "A Network Error."), (nil, nil, "", "", .provider, nil),
        ] as [(String?, String?, String?, String, AuthorizationDenial.Reason, String?)])
    func aDenial_hasTheReasonOfItsHeaders(
        code: String?, subCode: String?, header: String?, text: String, reason: AuthorizationDenial.Reason,
        details: String?
    ) async throws {
        var fields = HTTPFields()
        fields[try #require(HTTPField.Name("Authzf-Error-Code"))] = code
        fields[try #require(HTTPField.Name("Authzf-Sub-Error-Code"))] = subCode
        fields[try #require(HTTPField.Name("Authzf-Error-Details"))] = header
        let element = text.isEmpty ? "" : "<details>\(text)</details>"
        let service = try Self.service(
            over: Recorder(fields: fields, body: "<error><notAuthorized/>\(element)</error>"))
        let denial = AuthorizationDenial(code: "notAuthorized", details: details, reason: reason)
        await #expect(throws: ServiceError.denied(denial)) {
            try await service.authorization(for: "R", requestorID: "DEMO", data: [:], Self.login)
        }
    }

    @Test(arguments: [("<AuthnRequest/>", 300), ("<AuthnRequest/>", 404), ("", 500)])
    func aRequestToThePlatform_isThatOfASuccessfulAnswer(body: String, status: Int) async throws {
        let service = try Self.service([
            ("GET /api/v1/DEMO/profile-requests/cable", .response(status: status, body: body))
        ])
        await #expect(throws: ServiceError.status(status)) { try await service.platformRequest(Self.request) }
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
    var status = 302

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        guard request.method == .get else {
            return (HTTPResponse(status: .created), Data(#"{"code":"ABC2345"}"#.utf8))
        }
        return (HTTPResponse(status: .init(code: status), headerFields: [.location: location]), Data())
    }
}

/// A service that records what it receives, issues registration codes, and has one answer to everything else.
private final class Recorder: HTTPTransport {
    /// The requests, each with the fields of its form in alphabetical order.
    let requests = Guarded<[String]>([])

    /// The access token, the accepted type and the type of the body of each request.
    let heads = Guarded<[String]>([])
    private let fields: HTTPFields
    private let body: String

    init(fields: HTTPFields = [:], body: String = "") {
        self.fields = fields
        self.body = body
    }

    func send(_ request: HTTPRequest, body form: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let form = String(decoding: form ?? Data(), as: UTF8.self).split(separator: "&").map(String.init).sorted()
        let path = request.path ?? ""
        requests.withLock { $0.append(([request.method.rawValue, path] + form).joined(separator: " ")) }
        let names: [HTTPField.Name] = [.authorization, .accept, .contentType]
        heads.withLock { $0.append(names.map { request.headerFields[$0] ?? "none" }.joined(separator: " ")) }
        let answer = path.hasSuffix("/regcode") ? #"{"code":"CODE"}"# : body
        return (HTTPResponse(status: .ok, headerFields: fields), Data(answer.utf8))
    }
}
