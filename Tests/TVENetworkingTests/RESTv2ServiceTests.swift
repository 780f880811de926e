import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.fewAtATime)
struct RESTv2ServiceTests {
    // MARK: - Headers

    @Test(.row("CL21", "REST API v2, 3")) func sendsTheHeaders_whereTheyBelong() async throws {
        let options = ClientOptions(visitorID: "ecid", serviceToken: "a.b.c")
        var world = SandboxWorld.demo
        world.providers[0].platformID = "apple"
        let desk = try await RESTv2Fixture(world: world, options: options)
        desk.service.remember(
            PlatformStatus(
                permission: .granted, providerID: "apple", expires: Date(timeIntervalSince1970: 2_000_000_000)))
        _ = try await desk.service.configuration(of: "DEMO")
        let login = try await desk.logIn()
        _ = try await desk.service.authorization(
            for: "DEMO-1", requestorID: "DEMO", data: ["email": .string("0f")], login)
        _ = try await desk.service.logout(requestorID: "DEMO", mvpdID: "demo-cable", nil, redirectURL: nil)
        let id = "fingerprint \(Data("device-1".utf8).base64EncodedString())"
        for path in ["/sessions", "/profiles/code/", "/decisions/authorize/", "/logout/"] {
            #expect(desk.header("Authorization", of: path)?.hasPrefix("Bearer ") == true, "\(path)")
            #expect(desk.header("AP-Device-Identifier", of: path) == id, "\(path)")
            #expect(desk.header("AP-Visitor-Identifier", of: path) == "ecid", "\(path)")
            let info = try #require(desk.header("X-Device-Info", of: path).flatMap { Data(base64Encoded: $0) })
            #expect(try JSONDecoder().decode([String: String].self, from: info)["model"] == "AppleTV", "\(path)")
        }
        #expect(desk.header("X-Device-Info", of: "/o/client/register") == RESTv2Fixture.registrationInfo)
        #expect(desk.header("X-Device-Info", of: "/o/client/token") == RESTv2Fixture.registrationInfo)
        // The service token and the platform's status are sent only in requests that need them.
        #expect(desk.header("AD-Service-Token", of: "/sessions") == "a.b.c")
        #expect(desk.header("AD-Service-Token", of: "/logout/") == "a.b.c")
        #expect(desk.header("AD-Service-Token", of: "/profiles/code/") == nil)
        #expect(desk.header("AP-Partner-Framework-Status", of: "/sessions") == nil)
        #expect(desk.header("AP-Partner-Framework-Status", of: "/logout/") == nil)
        // Providers that must not receive these values do not receive them: this one is not a TempPass, and the login
        // is not the platform's.
        #expect(desk.header("AP-Partner-Framework-Status", of: "/decisions/") == nil)
        #expect(desk.header("AP-TempPass-Identity", of: "/decisions/") == nil)
        #expect(!login.text.rawValue.contains("identity"))
        _ = try await desk.service.logins(of: "DEMO", with: "demo-cable", knowing: login)
        let status = try #require(
            desk.header("AP-Partner-Framework-Status", of: "/profiles/demo-cable").flatMap { Data(base64Encoded: $0) })
        let json = try JSONDecoder().decode([String: [String: String]].self, from: status)
        #expect(json["frameworkPermissionInfo"] == ["accessStatus": "granted"])
        #expect(json["frameworkProviderInfo"] == ["id": "apple", "expirationDate": "2000000000000"])
        // The service refuses a status that names another provider than the request.
        desk.service.remember(PlatformStatus(permission: .granted, providerID: "apple-other", mvpdID: "demo-fiber"))
        _ = try await desk.service.logins(of: "DEMO", with: "demo-cable", knowing: login)
        #expect(desk.header("AP-Partner-Framework-Status", of: "/profiles/demo-cable") == nil)
        desk.service.remember(PlatformStatus(permission: .denied))
        _ = try await desk.service.logins(of: "DEMO", with: "demo-cable", knowing: login)
        #expect(desk.header("AP-Partner-Framework-Status", of: "/profiles/demo-cable") == nil)
    }

    @Test(.row("REST API v2, 3.3")) func theConnection_isAskedBeforeEveryRequest() async throws {
        let desk = try await RESTv2Fixture()
        func sent() async throws -> String? {
            _ = try await desk.service.logins(of: "DEMO", with: nil, knowing: nil)
            let info = desk.header("X-Device-Info", of: "/profiles").flatMap { Data(base64Encoded: $0) }
            return try JSONDecoder().decode([String: String].self, from: try #require(info))["connectionType"]
        }
        #expect(try await sent() == nil)
        desk.connection.withLock { $0 = .wifi }
        #expect(try await sent() == "WiFi")
        desk.connection.withLock { $0 = .cellular }
        #expect(try await sent() == "cellular")
        desk.connection.withLock { $0 = nil }
        #expect(try await sent() == nil)
    }

    @Test(.row("REST API v2, 3")) func namesWhoAsks_forAPromotionalPassAlone() async throws {
        var world = SandboxWorld.demo
        var pass = SandboxWorld.Provider(id: "pass", displayName: "Pass", login: .none)
        pass.temporaryAccess = .init(seconds: 600, identityKey: "email")
        world.providers.append(pass)
        world.requestors[0].providers.append("pass")
        let desk = try await RESTv2Fixture(world: world)
        _ = try await desk.service.configuration(of: "DEMO")
        let data: [String: MetadataValue] = ["email": .string("0f")]
        let page = try await desk.service.login(LoginRequest(requestorID: "DEMO", mvpdID: "pass", data: data))
        let login = try await desk.service.authentication(of: page).token
        _ = try await desk.service.authorization(for: "A", requestorID: "DEMO", data: [:], login)
        let identity = Data("{\"email\":\"0f\"}".utf8).base64EncodedString()
        #expect(desk.header("AP-TempPass-Identity", of: "/decisions/") == identity)
        #expect(!"\(login)".contains(identity) && !String(reflecting: login).contains(identity))
        // An ordinary login does not receive the app's data, and does not store it.
        let ordinary = LoginRequest(requestorID: "DEMO", mvpdID: "demo-cable", data: data)
        var other = try await desk.service.login(ordinary)
        #expect(page.data == data && other.data.isEmpty)
        _ = try await desk.logIn(at: other.url)
        other.data = data
        #expect(try await !desk.service.authentication(of: other).token.text.rawValue.contains(identity))
    }

    /// The platform's provider is sent only while the viewer allows the app to know it.
    @Test(arguments: [PlatformStatus.Permission.granted, .denied])
    func namesThePlatformsProvider_toWhomTheViewerAllows(permission: PlatformStatus.Permission) async throws {
        let desk = try await RESTv2Fixture()
        let expires = desk.clock.now.addingTimeInterval(60)
        desk.service.remember(PlatformStatus(permission: permission, providerID: "apple", expires: expires))
        _ = try? await desk.service.platformRequest(LoginRequest(requestorID: "DEMO", mvpdID: "demo-cable"))
        let header = desk.header("AP-Partner-Framework-Status", of: "/sessions/sso")
        guard permission == .granted else {
            #expect(header == nil, "The service is not told what the viewer does not allow.")
            return
        }
        let json = try JSONDecoder().decode(
            [String: [String: String]].self, from: try #require(header.flatMap { Data(base64Encoded: $0) }))
        #expect(json["frameworkPermissionInfo"] == ["accessStatus": permission.rawValue])
        #expect(json["frameworkProviderInfo"]?.isEmpty == false)
    }

    @Test(.row("REST API v2, 1")) func escapesIds_asPathSegmentsAndFormFields() async throws {
        let desk = try await RESTv2Fixture()
        desk.script { $0.contains("/api/") ? .response(status: 404, body: "") : nil }
        _ = try? await desk.service.login(LoginRequest(requestorID: "A/B ü", mvpdID: "m+/=&x"))
        _ = try? await desk.service.logins(of: "A/B ü", with: "m?x", knowing: nil)
        let sent = desk.requests.withLock { $0.map { ($0.request.path ?? "", $0.body) } }
        #expect(sent.contains { $0.0 == "/api/v2/A%2FB%20%C3%BC/sessions" && $0.1.hasPrefix("mvpd=m%2B%2F%3D%26x&") })
        #expect(sent.contains { $0.0 == "/api/v2/A%2FB%20%C3%BC/profiles/m%3Fx" })
    }

    // MARK: - Tokens

    @Test(.row("CL3")) func replacesAnAccessToken_once_withoutRegisteringAgain() async throws {
        let desk = try await RESTv2Fixture()
        _ = try await desk.service.configuration(of: "DEMO")
        // The token has expired by the service's clock, but not by ours.
        let first = Guarded(true)
        desk.script { path in
            guard path.contains("/configuration"), first.withLock(\.self) else { return nil }
            first.withLock { $0 = false }
            return .response(status: 401, body: "")
        }
        _ = try await desk.service.configuration(of: "DEMO")
        #expect(desk.count("/o/client/register") == 1 && desk.count("/o/client/token") == 2)
    }

    @Test(.row("REST API v2, 4.2")) func registersAgain_onlyWhenItsCredentialsAreWorthNothing() async throws {
        let desk = try await RESTv2Fixture()
        let login = try await desk.logIn()
        _ = try await BrowserTransport().send(
            HTTPRequest(
                method: .delete, url: desk.sandbox.baseURL.appending(path: "sandbox/clients"),
                headerFields: [#require(HTTPField.Name("X-Sandbox-Token")): desk.sandbox.changeToken]), body: nil)
        // The credentials were revoked during a login that belonged to them.
        let error = await #expect(throws: ServiceError.self) {
            try await desk.service.authorization(for: "DEMO-1", requestorID: "DEMO", data: [:], login)
        }
        #expect(error?.endOfLogin?.reason == "authenticated_profile_missing")
        #expect(desk.count("/o/client/register") == 2 && desk.count("/decisions/") == 2)
    }

    // MARK: - Sessions

    @Test(.row("REST API v2, 5.2", "REST API v2, 5.3", "REST API v2, 5.4", "REST API v2, 5.5"))
    func beginsOnOneScreen_andEndsOnAnother() async throws {
        let television = try await RESTv2Fixture()
        let telephone = try await RESTv2Fixture(device: "phone", beside: television)
        let redirect = try #require(URL(string: "adobepass://ios.app"))
        let begun = try await television.service.createSession(requestorID: "DEMO", mvpdID: nil, redirectURL: nil)
        #expect(begun.action == .resume && begun.missingParameters == ["mvpd", "domainName", "redirectUrl"])
        let code = try #require(begun.code)
        #expect(begun.expires == television.clock.now.addingTimeInterval(1_800))
        let state = try await telephone.service.session(code: " \(code.lowercased()) ", requestorID: "DEMO")
        #expect(state.existingParameters == ["serviceProvider": "DEMO"] && state.deviceModel == "AppleTV")
        #expect(state.missingParameters == ["mvpd", "domainName", "redirectUrl"])
        let half = try await telephone.service.resumeSession(
            code: code, requestorID: "DEMO", mvpdID: "demo-cable", redirectURL: nil)
        #expect(half.action == .retry && half.missingParameters == ["domainName", "redirectUrl"])
        let whole = try await telephone.service.resumeSession(
            code: code, requestorID: "DEMO", mvpdID: nil, redirectURL: redirect)
        #expect(whole.action == .authenticate && whole.isInteractive)
        let page = try #require(telephone.service.loginPage(code: code, requestorID: "DEMO"))
        let poll = LoginPage(
            step: .typeCode, requestorID: "DEMO", mvpdID: "demo-cable", registrationCode: code,
            expires: television.clock.now.addingTimeInterval(1_800))
        await #expect(throws: ServiceError.notLoggedIn) { try await television.service.authentication(of: poll) }
        #expect(try await telephone.logIn(at: page) == .redirect(redirect))
        #expect(try await television.service.authentication(of: poll).token.claims.mvpdID == "demo-cable")
        // The profile belongs to the television and not to the telephone.
        #expect(try await television.service.logins(of: "DEMO", with: nil, knowing: nil).count == 1)
        #expect(try await telephone.service.logins(of: "DEMO", with: nil, knowing: nil).isEmpty)
        // A viewer who is logged in already has nothing to do.
        let again = try await television.service.createSession(
            requestorID: "DEMO", mvpdID: "demo-cable", redirectURL: redirect)
        #expect(again.action == .authorize && again.hasLogin && again.code == nil)
        #expect(!"\(begun)".contains(code) && !String(reflecting: begun).contains(code))
    }

    @Test(.row("CL11", "REST API v2, 5.2", "REST API v2, 5.4")) func aCode_isOver_withItsTime_andWithTheNextOne()
        async throws
    {
        let desk = try await RESTv2Fixture()
        let request = LoginRequest(requestorID: "DEMO", mvpdID: "demo-cable", kind: .otherScreen(redirect: nil))
        let first = try await desk.service.login(request)
        let second = try await desk.service.login(request)
        func isOver(_ page: LoginPage) async -> Bool {
            do throws(ServiceError) {
                _ = try await desk.service.authentication(of: page)
                return false
            } catch .refused(let error) {
                return error.code == "invalid_authentication_session"
            } catch {
                return false
            }
        }
        #expect(await isOver(first))
        #expect(await !isOver(second))
        desk.clock.advance(by: 1_800)
        #expect(await isOver(second))
        let other = try await RESTv2Fixture(device: "device-2", beside: desk)
        await #expect(throws: ServiceError.self) {
            try await other.service.session(code: "no code!", requestorID: "DEMO")
        }
    }

    @Test(.row("REST API v2, 5.3", "REST API v2, 5.5")) func manyBrowsers_finishOneCode_once() async throws {
        let television = try await RESTv2Fixture()
        let page = try await television.service.login(
            LoginRequest(requestorID: "DEMO", mvpdID: "demo-cable", kind: .otherScreen(redirect: nil)))
        let redirect = try #require(URL(string: "adobepass://ios.app"))
        let code = page.registrationCode
        _ = try await television.service.resumeSession(
            code: code, requestorID: "DEMO", mvpdID: nil, redirectURL: redirect)
        let login = try #require(television.service.loginPage(code: code, requestorID: "DEMO"))
        let ends = try await withThrowingTaskGroup { browsers in
            for _ in 0..<8 { browsers.addTask { try await television.logIn(at: login) } }
            return try await browsers.reduce(into: []) { $0.append($1) }
        }
        #expect(ends.filter { $0 == .redirect(redirect) }.count == 1)
        #expect(try await television.service.logins(of: "DEMO", with: nil, knowing: nil).count == 1)
        #expect(try await television.service.authentication(of: page).token.claims.mvpdID == "demo-cable")
    }

    @Test func endsTheOldLogin_whenTheNewOneIsForced() async throws {
        let desk = try await RESTv2Fixture()
        _ = try await desk.logIn()
        var request = LoginRequest(requestorID: "DEMO", mvpdID: "demo-cable")
        #expect(try await desk.service.login(request).needsViewer == false)
        #expect(desk.count("/logout/") == 0)
        request.isForced = true
        #expect(try await desk.service.login(request).needsViewer)
        #expect(desk.count("/logout/") == 1)
    }

    /// A redirect may come from the service itself, which then has no login any more.
    @Test func opensTheOldLoginsPage_whereARedirectHasEndedIt() async throws {
        let desk = try await RESTv2Fixture { MovedLogout(next: $0, isCarriedOut: true) }
        _ = try await desk.logIn()
        var request = LoginRequest(requestorID: "DEMO", mvpdID: "demo-cable")
        request.isForced = true
        let page = try await desk.service.login(request)
        #expect(page.needsViewer && page.logoutPage?.url.path() == "/adobe-services/logout")
    }

    /// A redirect may also come from something in the place of the service, and has ended nothing then.
    @Test func failsAForcedLogin_whereARedirectHasEndedNothing() async throws {
        let desk = try await RESTv2Fixture { MovedLogout(next: $0) }
        _ = try await desk.logIn()
        var forced = LoginRequest(requestorID: "DEMO", mvpdID: "demo-cable")
        forced.isForced = true
        let request = forced
        await #expect(throws: ServiceError.status(302)) { try await desk.service.login(request) }
    }

    // MARK: - Decisions

    @Test func wrapsAndUnwrapsAMediaToken() async throws {
        let desk = try await RESTv2Fixture()
        let login = try await desk.logIn()
        let answer = try await desk.service.authorization(for: "DEMO-1", requestorID: "DEMO", data: [:], login)
        let token = try #require(answer.mediaToken)
        #expect(token.text.rawValue.hasPrefix("<signatureInfo>"))
        #expect(Data(base64Encoded: token.base64) == Data(token.text.rawValue.utf8))
        #expect(token.claims.resource == "DEMO-1" && token.claims.timeToLive == 420_000)
        #expect(answer.token.claims.expires.date == desk.clock.now.addingTimeInterval(86_400))
        #expect(!answer.token.text.rawValue.contains(token.base64))
        // The permission stays the same as long as the service remembers the provider's decision.
        desk.clock.advance(by: 600)
        let again = try await desk.service.authorization(for: "DEMO-1", requestorID: "DEMO", data: [:], login)
        #expect(again.token.text == answer.token.text && again.mediaToken?.text != token.text)
    }

    /// The usual time of a media token is seven minutes.
    @Test func aToken_whoseEndTheServiceDoesNotName_lastsSevenMinutes() async throws {
        let desk = try await RESTv2Fixture()
        let login = try await desk.logIn()
        let body = """
            {"decisions":[{"resource":"DEMO-1","serviceProvider":"DEMO","mvpd":"demo-cable","source":"mvpd",\
            "authorized":true,"token":{"notBefore":"1795241000000","serializedToken":"TYGjZ33"}}]}
            """
        desk.script { $0.contains("/decisions/") ? .response(status: 200, body: body) : nil }
        let answer = try await desk.service.authorization(for: "DEMO-1", requestorID: "DEMO", data: [:], login)
        #expect(answer.mediaToken?.claims.timeToLive == 420_000)
    }

    /// A time is never negative in the classic form of a token.
    @Test func aToken_thatEndsBeforeItBegins_lastsNoTime() async throws {
        let desk = try await RESTv2Fixture()
        let login = try await desk.logIn()
        let body = """
            {"decisions":[{"resource":"DEMO-1","serviceProvider":"DEMO","mvpd":"demo-cable","source":"mvpd",\
            "authorized":true,"token":{"notBefore":1795241420000,"notAfter":1795241000000,\
            "serializedToken":"TYGjZ33"}}]}
            """
        desk.script { $0.contains("/decisions/") ? .response(status: 200, body: body) : nil }
        let answer = try await desk.service.authorization(for: "DEMO-1", requestorID: "DEMO", data: [:], login)
        #expect(answer.mediaToken?.claims.timeToLive == 0)
    }

    // The content of a token is not specified, so any text is passed on.
    @Test(arguments: ["TYGjZ33", "not Base64 at all!", "PHg+"])
    func handsOnATokenItCannotRead(serialized: String) async throws {
        let desk = try await RESTv2Fixture()
        let login = try await desk.logIn()
        let body = """
            {"decisions":[{"resource":"DEMO-1 ","serviceProvider":"DEMO","mvpd":"demo-cable","source":"mvpd",\
            "authorized":true,"token":{"notBefore":"1795241000000","notAfter":1795241420000,\
            "serializedToken":"\(serialized)"}}]}
            """
        desk.script { $0.contains("/decisions/") ? .response(status: 200, body: body) : nil }
        let answer = try await desk.service.authorization(for: "DEMO-1", requestorID: "DEMO", data: [:], login)
        #expect(answer.mediaToken?.text.rawValue == serialized && answer.mediaToken?.claims.timeToLive == 420_000)
        #expect(
            answer.token.claims.expires.secondsSince1970 == 1_795_241_420, "a decision without dates lasts as its token"
        )
    }

    @Test(arguments: ["", " ", "\\n"]) func anEmptyText_isNoToken(serialized: String) async throws {
        let desk = try await RESTv2Fixture()
        let login = try await desk.logIn()
        let body = """
            {"decisions":[{"resource":"DEMO-1","authorized":true,"token":{"serializedToken":"\(serialized)"}}]}
            """
        desk.script { $0.contains("/decisions/") ? .response(status: 200, body: body) : nil }
        await #expect(throws: ServiceError.unreadableJSON) {
            try await desk.service.authorization(for: "DEMO-1", requestorID: "DEMO", data: [:], login)
        }
    }

    @Test(.row("CL14", "REST API v2, 5.9")) func preauthorizes_inPortions_andAsksAgainOnlyAboutWhatMayChange()
        async throws
    {
        let desk = try await RESTv2Fixture()
        let login = try await desk.logIn()
        let many = (1...12).map { Resource("R\($0)") } + ["DEMO-1"]
        let decisions = try await desk.service.preauthorization(
            of: many, requestorID: "DEMO", usesServiceCache: true, login)
        #expect(decisions.map(\.resource) == many && decisions.map(\.isAuthorized).last == true)
        let bodies = desk.requests.withLock {
            $0.filter { $0.request.path?.contains("/preauthorize/") == true }.map(\.body)
        }
        let counts = try bodies.map {
            try JSONDecoder().decode([String: [String]].self, from: Data($0.utf8))["resources"]?.count
        }
        #expect(counts == [5, 5, 3])
        // One resource of the two cannot be decided now.
        func row(_ resource: String, _ action: String) -> String {
            """
            {"resource":"\(resource)","serviceProvider":"DEMO","mvpd":"demo-cable","source":"mvpd",\
            "authorized":false,"error":{"action":"\(action)","status":403,"code":"network_received_error",\
            "message":"No"}}
            """
        }
        let body = "{\"decisions\":[\(row("A", "retry")),\(row("B", "none"))]}"
        desk.requests.withLock { $0 = [] }
        desk.script { $0.contains("/decisions/") ? .response(status: 200, body: body) : nil }
        let denied = try await desk.service.preauthorization(
            of: ["A", "B"], requestorID: "DEMO", usesServiceCache: true, login)
        #expect(Set(denied.map(\.resource)) == ["A", "B"])
        #expect(
            desk.requests.withLock { $0.map(\.body) } == [
                "{\"resources\":[\"A\",\"B\"]}", "{\"resources\":[\"A\"]}", "{\"resources\":[\"A\"]}",
            ])
    }

    @Test(.row("CL14"), arguments: [429, 500]) func decisionsOfEarlierRequests_areNotLost(status: Int) async throws {
        let desk = try await RESTv2Fixture()
        let login = try await desk.logIn()
        let requests = Guarded(0)
        desk.script { path in
            guard path.contains("/preauthorize/") else { return nil }
            let isFirst = requests.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst ? nil : .response(status: status, body: "")
        }
        let many = (1...6).map { Resource("R\($0)") } + ["DEMO-1"]
        let decisions = try await desk.service.preauthorization(
            of: many, requestorID: "DEMO", usesServiceCache: true, login)
        #expect(decisions.map(\.resource) == Array(many.prefix(5)))
        await #expect(throws: ServiceError.status(status)) {
            try await desk.service.preauthorization(
                of: many, requestorID: "DEMO", usesServiceCache: true, login)
        }
    }

    // MARK: - Logout

    @Test(
        .row("LO9", "B8.1", "CL19"),
        arguments: [
            ("/adobe-services/logout?x=1", "/adobe-services/logout?x=1"),
            ("https://sp.example/adobe-services/logout?x=1", "https://sp.example/adobe-services/logout?x=1"),
        ])
    func opensTheLogoutPage_relativeOrAbsolute(url: String, expected: String) async throws {
        let desk = try await RESTv2Fixture()
        let body = """
            {"logouts":{"demo-cable":{"actionName":"logout","actionType":"interactive","mvpd":"demo-cable",\
            "url":"\(url)"}}}
            """
        desk.script { $0.contains("/logout/") ? .response(status: 200, body: body) : nil }
        let step = try await desk.service.logout(
            requestorID: "DEMO", mvpdID: "demo-cable", nil, redirectURL: URL(string: "https://app.example/done"))
        let whole = expected.hasPrefix("/") ? desk.sandbox.baseURL.absoluteString + expected : expected
        #expect(
            step.page?.url.absoluteString == whole
                && step.page?.redirectURL.absoluteString == "https://app.example/done")
        let path = desk.requests.withLock { $0.last?.request.path }
        #expect(path?.hasSuffix("/logout/demo-cable?redirectUrl=https%3A%2F%2Fapp.example%2Fdone") == true)
    }

    /// The service may end further logins with the same request, each of which has a page of its own.
    @Test(.row("CL19")) func aLogoutPage_carriesThoseOfFurtherProviders() async throws {
        let desk = try await RESTv2Fixture()
        func entry(_ id: String, _ action: String = "logout", page: String) -> String {
            #""\#(id)":{"actionName":"\#(action)","actionType":"interactive","mvpd":"\#(id)","url":"/\#(page)"}"#
        }
        let entries = [
            entry("demo-fiber", page: "fiber"), entry("Demo-Cable", page: "spelling"),
            entry("demo-cable", page: "cable"), entry("demo-satellite", "complete", page: "none"),
        ]
        let body = "{\"logouts\":{\(entries.joined(separator: ","))}}"
        desk.script { $0.contains("/logout/") ? .response(status: 200, body: body) : nil }
        let step = try await desk.service.logout(
            requestorID: "DEMO", mvpdID: "demo-cable", nil, redirectURL: nil)
        #expect(step.page?.url.path() == "/cable")
        #expect(step.page?.others.mapValues { $0.url.path() } == ["demo-fiber": "/fiber"])
    }

    /// The list of actions may grow, and the type of an unknown one says who must act.
    @Test(arguments: [
        ("later", "interactive", "page"), ("later", "partner_interactive", "settings"), ("later", "none", "nothing"),
        ("later", "direct", "nothing"), ("complete", "interactive", "nothing"), ("logout", "direct", "page"),
        ("invalid", "interactive", "nothing"), ("partner_logout", "interactive", "settings"),
    ])
    func theStepOfAnUnknownLogout_followsItsType(action: String, type: String, step: String) async throws {
        let desk = try await RESTv2Fixture()
        let body = """
            {"logouts":{"demo-cable":{"actionName":"\(action)","actionType":"\(type)","mvpd":"demo-cable",\
            "url":"/page"}}}
            """
        desk.script { $0.contains("/logout/") ? .response(status: 200, body: body) : nil }
        let found = try await desk.service.logout(
            requestorID: "DEMO", mvpdID: "demo-cable", nil, redirectURL: nil)
        switch found {
        case .nothing: #expect(step == "nothing")
        case .signOutInSettings: #expect(step == "settings")
        case .open(let page): #expect(step == "page" && page.url.path() == "/page")
        }
    }

    @Test func aLogout_ofALoginThatTheServiceDoesNotKnow_isNoError() async throws {
        let desk = try await RESTv2Fixture()
        let body = "{\"status\":403,\"code\":\"authenticated_profile_missing\",\"action\":\"authentication\"}"
        desk.script { $0.contains("/logout/") ? .response(status: 403, body: body) : nil }
        #expect(
            try await desk.service.logout(requestorID: "DEMO", mvpdID: "demo-cable", nil, redirectURL: nil) == .nothing)
    }

    /// Only the service's word about this login, or its profiles without it, end the login.
    @Test(
        .row("CL19"),
        arguments: [
            (200, #"{"logouts":{}}"#), (200, #"{"logouts":{"demo-cable":null}}"#),
            (200, #"{"logouts":{"demo-cable":{"error":{"code":"internal_server_error","status":500}}}}"#),
            (200, #"{"logouts":{},"status":500,"code":"internal_server_error","action":"none","message":"m"}"#),
            (200, #"{"logouts":{"demo-fiber":{"actionName":"complete","actionType":"none"}}}"#),
            (200, #"{"logouts":{"demo-fiber":{"actionName":"complete"},"demo-cable":{}}}"#),
            (403, #"{"status":403,"code":"authorization_denied_by_hba_policies","action":"authentication"}"#),
            (403, #"{"status":403,"code":"brand_new","action":"authentication"}"#),
            (401, #"{"status":401,"code":"token_expired","action":"authentication"}"#),
        ])
    func aLogout_thatTheServiceDidNotCarryOut_isNotDone(status: Int, body: String) async throws {
        let desk = try await RESTv2Fixture()
        let login = try await desk.logIn()
        desk.script { $0.contains("/logout/") ? .response(status: status, body: body) : nil }
        await #expect(throws: ServiceError.self) {
            try await desk.service.logout(requestorID: "DEMO", mvpdID: "demo-cable", login, redirectURL: nil)
        }
    }

    /// An answer without the provider may mean that there was nothing to end.
    @Test(arguments: ["{}", #"{"demo-fiber":{"actionName":"complete","actionType":"none"}}"#])
    func aLogout_thatDoesNotNameItsProvider_isDone_whereTheProfileIsGone(logouts: String) async throws {
        let desk = try await RESTv2Fixture()
        desk.script { $0.contains("/logout/") ? .response(status: 200, body: "{\"logouts\":\(logouts)}") : nil }
        #expect(
            try await desk.service.logout(requestorID: "DEMO", mvpdID: "demo-cable", nil, redirectURL: nil) == .nothing)
        #expect(desk.count("/profiles") == 1)
        desk.script { path in
            if path.contains("/profiles") { return .response(status: 500, body: "") }
            return path.contains("/logout/") ? .response(status: 200, body: "{\"logouts\":\(logouts)}") : nil
        }
        await #expect(throws: ServiceError.status(500)) {
            try await desk.service.logout(requestorID: "DEMO", mvpdID: "demo-cable", nil, redirectURL: nil)
        }
    }

    /// Such an answer names no page, and does not come from the service.
    @Test(arguments: [302, 304]) func aLogout_thatIsRedirectedNowhere_isNotAnswered(status: Int) async throws {
        let desk = try await RESTv2Fixture()
        desk.script { $0.contains("/logout/") ? .response(status: status, body: "") : nil }
        await #expect(throws: ServiceError.status(status)) {
            try await desk.service.logout(requestorID: "DEMO", mvpdID: "demo-cable", nil, redirectURL: nil)
        }
    }

    /// Only a redirect names a page, whatever the header of another answer says.
    @Test(.row("REST API v2, 5.11"), arguments: [(299, false), (300, true), (302, true), (399, true), (400, false)])
    func opensTheLogoutPage_thatComesAsARedirect(status: Int, isRedirect: Bool) async throws {
        let desk = try await RESTv2Fixture { MovedLogout(next: $0, status: status) }
        let step = try? await desk.service.logout(
            requestorID: "DEMO", mvpdID: "demo-cable", nil, redirectURL: nil)
        let page = desk.sandbox.baseURL.absoluteString + "/adobe-services/logout?y=2"
        #expect(step?.page?.url.absoluteString == (isRedirect ? page : nil))
    }

    @Test(arguments: ["adobepass://ios.app", "adobepass://ios.app?state=1"])
    func opensNoLogoutPage_whenTheRedirectLeadsToTheEnd(location: String) async throws {
        let desk = try await RESTv2Fixture { MovedLogout(next: $0, location: location) }
        let login = try await desk.logIn()
        #expect(
            try await desk.service.logout(requestorID: "DEMO", mvpdID: "demo-cable", login, redirectURL: nil)
                == .nothing)
    }

    /// A redirect with an error ends no login, and a page below the redirect is a page.
    @Test(arguments: [
        ("adobepass://ios.app", "adobepass://ios.app?error=server_error", nil),
        ("adobepass://ios.app", "adobepass://ios.app#error=server_error", nil),
        // An error without a name is none, and does not hide the one of the fragment.
        ("adobepass://ios.app", "adobepass://ios.app?error=", false),
        ("adobepass://ios.app", "adobepass://ios.app?error=#error=server_error", nil),
        ("https://provider.example/", "https://provider.example/sso/logout?x=1", true),
        ("https://app.example/tv", "https://app.example/tv-logout", true),
        ("https://app.example/tv/", "https://APP.example/tv?x=1", false),
    ])
    func onlyTheRedirectItself_isTheEndOfALogout(redirect: String, location: String, opensPage: Bool?) async throws {
        let desk = try await RESTv2Fixture { MovedLogout(next: $0, location: location) }
        let step = try? await desk.service.logout(
            requestorID: "DEMO", mvpdID: "demo-cable", nil, redirectURL: URL(string: redirect))
        #expect(step.map { $0.page != nil } == opensPage)
    }

    // MARK: - The pace

    @Test(.row("REST API v2, 9.9")) func staysWithinTheThrottle_ofTheService() async throws {
        // The sandbox of the fixture is strict, and throttles.
        let desk = try await RESTv2Fixture()
        let began = desk.clock.now
        for _ in 0..<40 { _ = try await desk.service.logins(of: "DEMO", with: nil, knowing: nil) }
        // There are 42 requests: ten at once, and then one a second.
        #expect(desk.clock.now.timeIntervalSince(began) >= 31)
        #expect(desk.count("/profiles") == 40, "none of them was refused and sent again")
    }
}

/// A transport that answers a logout with the place of a page.
private struct MovedLogout: HTTPTransport {
    let next: any HTTPTransport
    var status = 302
    var location = "/adobe-services/logout?y=2"
    /// A Boolean value that indicates whether the service receives the logout, and its answer alone is replaced.
    var isCarriedOut = false

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        guard request.path?.contains("/logout/") == true else { return try await next.send(request, body: body) }
        if isCarriedOut { _ = try await next.send(request, body: body) }
        return (HTTPResponse(status: .init(code: status), headerFields: [.location: location]), Data())
    }
}
