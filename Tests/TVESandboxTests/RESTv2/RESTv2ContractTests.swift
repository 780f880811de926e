import Foundation
import HTTPTypes
import TVEModels
import TVESandbox
import TVETestSupport
import TVETestTraits
import TVETokenVerification
import Testing

/// Tests of the sandbox's REST API v2, whose answers are all checked against the document that the sandbox serves.
@Suite(.fewAtATime)
struct RESTv2ContractTests {
    private func code(of answer: SandboxClient.Answer) -> String? {
        answer.text.firstMatch(of: /"code":"([a-z_]+)"/).map { String($0.1) }
    }

    @Test func describesEveryEndpoint() async throws {
        let client = try await RESTv2Client()
        let ids = Set(client.checker.operations.map(\.id))
        let endpoints = SandboxWorld.Behavior.RESTv2.Endpoint.allCases.map(\.rawValue)
        let household = ["serviceToken", "renewServiceToken", "link", "householdDevices", "unlink"]
        #expect(ids == Set(endpoints + ["register", "token"] + household))
    }

    /// The checker must fail for undocumented answers, because a check that never fails proves nothing.
    @Test(arguments: [
        ("configuration", 200, "application/json", "{\"requestor\":{}}"), ("configuration", 418, "text/html", ""),
        ("profiles", 200, "application/json", "{\"profiles\":{\"m\":{\"notBefore\":\"1\"}}}"),
        ("profiles", 200, "text/html", "{\"profiles\":{}}"), ("profiles", 200, "application/json", "{"),
        (
            "profiles", 400, "application/json",
            """
            {"code":"unheard_of","status":400,"action":"none","message":"m",\
            "helpUrl":"https://h","trace":"t"}
            """
        ),
    ])
    func findsWhatIsNotDocumented(operation: String, status: Int, type: String, body: String) async throws {
        let client = try await RESTv2Client()
        #expect(client.checker.problem(operation, status: status, contentType: type, body: body) != nil)
    }

    // MARK: - The order of the checks

    // The service checks the method, the token, the service provider, the headers, the parameters and the integration
    // in this order, and reports the first error.
    @Test func saysWhatIsWrong_inTheDocumentedOrder() async throws {
        var world = SandboxWorld.demo
        world.providers.append(.init(id: "elsewhere", displayName: "E", login: .form))
        let client = try await RESTv2Client(world: world)
        let path = "/api/v2/NOPE/profiles/nope"
        var bare = client.client
        bare.headers = [:]
        let wrongMethod = try await bare.send(.delete, path)
        #expect(wrongMethod.status == 405 && wrongMethod.header("Allow") == "GET")
        #expect(try await bare.send(.get, path).status == 401)
        bare.headers["Authorization"] = client.client.headers["Authorization"]
        #expect(code(of: try await bare.send(.get, path)) == "invalid_parameter_service_provider")
        let known = path.replacing("NOPE", with: "DEMO")
        #expect(code(of: try await bare.send(.get, known)) == "invalid_header_device_identifier")
        bare.headers["AP-Device-Identifier"] = client.client.headers["AP-Device-Identifier"]
        #expect(code(of: try await bare.send(.get, known)) == "invalid_header_device_info")
        #expect(code(of: try await client.ask("profile", "nope")) == "invalid_parameter_mvpd")
        #expect(code(of: try await client.ask("profile", "elsewhere")) == "invalid_integration")
        #expect(try await client.ask("profile", "demo-cable").text == "{\"profiles\":{}}")
    }

    @Test(arguments: [
        "", "fingerprint", "fingerprint ", "print ZGV2", "fingerprint ?", "fingerprint ZGV2 x",
    ])
    func refusesADeviceIdentifier(header: String) async throws {
        let client = try await RESTv2Client()
        let answer = try await client.ask("profiles", headers: ["AP-Device-Identifier": header])
        #expect(code(of: answer) == "invalid_header_device_identifier")
    }

    @Test(arguments: [
        ("{}", "invalid_parameter_resources"), ("", "invalid_parameter_resources"),
        ("{\"resources\":[]}", "invalid_parameter_resources"), ("{\"resources\":[7]}", "invalid_parameter_resources"),
        ("{\"resources\":[\"\"]}", "invalid_parameter_resources"),
        ("{\"resources\":[\"<rss>\"]}", "invalid_parameter_resources"),
        ("{\"resources\":[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\"]}", "too_many_resources"),
    ])
    func refusesResources(body: String, error: String) async throws {
        let client = try await RESTv2Client()
        try await client.logIn()
        for operation in ["preauthorize", "authorize"] {
            #expect(code(of: try await client.ask(operation, "demo-cable", body: body)) == error)
        }
    }

    @Test(arguments: ["javascript:x", "not a url", "/relative"])
    func refusesARedirect(url: String) async throws {
        let client = try await RESTv2Client()
        let form = SandboxClient.form([("mvpd", "demo-cable"), ("redirectUrl", url)])
        #expect(code(of: try await client.ask("createSession", body: form)) == "invalid_parameter_redirect_url")
        #expect(code(of: try await client.ask("logout", "demo-cable")) == "invalid_parameter_redirect_url")
    }

    @Test func forgetsCredentials_whenTold() async throws {
        let client = try await RESTv2Client()
        #expect(try await client.client.change(.delete, "/sandbox/clients").status == 204)
        let answer = try await client.ask("configuration")
        #expect(answer.status == 401 && code(of: answer) == "invalid_access_token_client_application")
    }

    // MARK: - A viewer's flow

    @Test func letsAViewerIn_play_andOut() async throws {
        let client = try await RESTv2Client()
        #expect(try await client.ask("configuration").text.contains("\"demo-fiber\""))
        let code = try await client.code()
        #expect(try await client.ask("session", code).text.contains("\"model\":\"AppleTV\""))
        #expect(try await client.ask("profileOfCode", code).text == "{\"profiles\":{}}")
        #expect(try await client.ask("authenticate", code).status == 302)
        try await client.logIn()
        #expect(try await client.ask("profiles").text.contains("\"type\":\"regular\""))
        #expect(try await client.ask("profile", "demo-cable").text.contains("\"zip\""))
        let question = "{\"resources\":[\"DEMO-1\",\"DEMO-PLUS\"]}"
        let decisions = try await client.ask("preauthorize", "demo-cable", body: question).text
        #expect(decisions.contains("preauthorization_denied_by_mvpd") && !decisions.contains("serializedToken"))
        let play = try await client.ask("authorize", "demo-cable", body: "{\"resources\":[\"DEMO-1\"]}").text
        let token = try #require(play.firstMatch(of: /"serializedToken":"([^"]+)"/)?.1)
        let verifier = try MediaTokenVerifier(
            keys: [TokenVerificationKey(pemRepresentation: client.client.sandbox.key.publicKeyPEM)],
            requestorID: "DEMO")
        #expect(verifier.verify(String(token), resource: "DEMO-1", at: client.clock.now).verdict == .validToken)
        let denied = try await client.ask("authorize", "demo-cable", body: "{\"resources\":[\"DEMO-PLUS\"]}").text
        #expect(denied.contains("authorization_denied_by_mvpd") && denied.contains("Add it for 5 a month."))
        let logout = try await client.ask("logout", "demo-cable?redirectUrl=adobepass://ios.app").text
        #expect(logout.contains("\"actionName\":\"logout\""))
        #expect(try await client.ask("profiles").text == "{\"profiles\":{}}")
        let again = try await client.ask("logout", "demo-cable?redirectUrl=adobepass://ios.app").text
        #expect(again.contains("\"actionName\":\"invalid\""))
    }

    @Test func endsAProfile_andSaysThatItWasThere() async throws {
        let client = try await RESTv2Client()
        try await client.logIn()
        client.clock.advance(by: 2_592_000)
        #expect(try await client.client.send(.get, "/api/v2/DEMO/profiles").status == 401, "the token is over as well")
        var later = client
        try await later.client.register()
        // A client with other credentials is another owner.
        let body = "{\"resources\":[\"DEMO-1\"]}"
        #expect(
            try await later.ask("authorize", "demo-cable", body: body).text.contains("authenticated_profile_missing"))
    }

    @Test(arguments: [
        (SandboxWorld.Provider.Degradation.authenticateAll, "\"source\":\"degradation\"", "\"complete\""),
        (.authorizeAll, "\"source\":\"degradation\"", "\"invalid\""),
        (.authorizeNone, "authorization_denied_by_degradation_rule", "\"invalid\""),
    ])
    func actsByItsRules_withNobodyLoggedIn(
        degradation: SandboxWorld.Provider.Degradation, decision: String, logout: String
    ) async throws {
        var world = SandboxWorld.demo
        world.providers[0].degradation = degradation
        let client = try await RESTv2Client(world: world)
        let body = "{\"resources\":[\"DEMO-PLUS\"]}"
        #expect(try await client.ask("authorize", "demo-cable", body: body).text.contains(decision))
        #expect(try await client.ask("preauthorize", "demo-cable", body: body).text.contains(decision))
        let action = try await client.ask("logout", "demo-cable?redirectUrl=adobepass://ios.app").text
        #expect(action.contains("\"actionName\":\(logout)"))
        #expect(try await client.ask("profiles").text == "{\"profiles\":{}}", "never listed")
    }

    @Test(arguments: ["degraded", "pass"]) func aDecisionWithoutTheProvider_needsNoProvider(kind: String) async throws {
        var world = Self.withPromotionalPass
        world.providers[0].degradation = .authenticateAll
        for index in world.providers.indices { world.providers[index].isUnreachable = true }
        let client = try await RESTv2Client(world: world)
        let who = ["AP-TempPass-Identity": Data("{\"email\":\"0f\"}".utf8).base64EncodedString()]
        for operation in ["authorize", "preauthorize"] {
            let answer = try await client.ask(
                operation, kind == "pass" ? "pass" : "demo-cable", body: "{\"resources\":[\"DEMO-1\"]}", headers: who)
            #expect(answer.text.contains("\"authorized\":true"), "\(operation)")
        }
    }

    /// The action says what remains to be done; the profile is gone in any case.
    @Test func aLogoutDuringADegradation_removesTheProfile() async throws {
        let client = try await RESTv2Client()
        try await client.logIn()
        var world = SandboxWorld.demo
        world.providers[0].degradation = .authenticateAll
        try client.client.sandbox.apply(world.strict)
        let action = try await client.ask("logout", "demo-cable?redirectUrl=adobepass://ios.app").text
        #expect(action.contains("\"actionName\":\"complete\""))
        try client.client.sandbox.apply(.demo.strict)
        #expect(try await client.ask("profiles").text == "{\"profiles\":{}}")
    }

    @Test func aProfile_beginsWithItsLogin_whenTheLifetimeOfNewOnesChanges() async throws {
        let client = try await RESTv2Client()
        try await client.logIn()
        let before = try await client.ask("profiles").text
        var world = SandboxWorld.demo
        world.behavior.authenticationLifetime = 600
        try client.client.sandbox.apply(world.strict)
        #expect(try await client.ask("profiles").text == before)
    }

    @Test func anApplicationOfTheClassicServices_mayNotUseThisAPI() async throws {
        var client = try await RESTv2Client()
        try await client.client.register(with: client.client.sandbox.classicSoftwareStatement)
        let answer = try await client.ask("configuration")
        #expect(answer.status == 401 && code(of: answer) == "invalid_access_token_client_application")
    }

    @Test(arguments: [
        ("domainName=localhost", RESTv2Client.partner("apple-cable"), "missing_parameters_fallback", "resume"),
        (
            "domainName=localhost&redirectUrl=adobepass%3A%2F%2Fios.app",
            RESTv2Client.partner(nil, access: "denied"), "pfs_fallback", "resume"
        ),
        ("domainName=localhost&redirectUrl=adobepass%3A%2F%2Fios.app", [:], "pfs_fallback", "resume"),
        (
            "domainName=localhost&redirectUrl=adobepass%3A%2F%2Fios.app",
            RESTv2Client.partner("apple-cable", expires: "tomorrow"), "pfs_fallback", "authenticate"
        ),
        ("domainName=localhost", [:], "missing_parameters_fallback", "resume"),
    ])
    func aFallbackOfThePlatformsLogin_namesItsCause(
        form: String, headers: [String: String], reason: String, action: String
    ) async throws {
        var world = SandboxWorld.demo
        world.providers[0].platformID = "apple-cable"
        let client = try await RESTv2Client(world: world)
        let session = try await client.ask("partnerSession", "apple", body: form, headers: headers).text
        #expect(session.contains("\"reasonType\":\"\(reason)\""), "\(session)")
        #expect(session.contains("\"actionName\":\"\(action)\""), "\(session)")
    }

    /// The demo world with a TempPass that opens one resource for ten minutes, for every viewer with an id.
    private static var withPromotionalPass: SandboxWorld {
        var world = SandboxWorld.demo
        var pass = SandboxWorld.Provider(id: "pass", displayName: "Pass", login: .none)
        pass.temporaryAccess = .init(seconds: 600, identityKey: "email", resourceLimit: 1)
        world.providers.append(pass)
        world.requestors[0].providers.append("pass")
        return world
    }

    @Test func countsATempPass_fromItsFirstUse() async throws {
        let client = try await RESTv2Client(world: Self.withPromotionalPass)
        let session = try await client.ask("createSession", body: "mvpd=pass").text
        #expect(session.contains("\"actionName\":\"authorize\"") && session.contains("\"reasonType\":\"temporary\""))
        #expect(code(of: try await client.ask("profile", "pass")) == "invalid_header_identity_for_temporary_access")
        let who = ["AP-TempPass-Identity": Data("{\"email\":\"0f\"}".utf8).base64EncodedString()]
        client.clock.advance(by: 500)
        func ask(_ resource: String) async throws -> String {
            try await client.ask("authorize", "pass", body: "{\"resources\":[\"\(resource)\"]}", headers: who).text
        }
        #expect(try await client.ask("profile", "pass", headers: who).text.contains("\"remaining_resources\""))
        #expect(try await ask("A").contains("\"source\":\"temppass\""))
        let used = try await client.ask("profile", "pass", headers: who)
        #expect(used.status == 403 && code(of: used) == "temporary_access_resources_limit_exceeded")
        #expect(try await ask("B").contains("temporary_access_resources_limit_exceeded"))
        client.clock.advance(by: 600)
        #expect(try await ask("A").contains("temporary_access_duration_limit_exceeded"))
        let over = try await client.ask("profile", "pass", headers: who)
        #expect(over.status == 403 && code(of: over) == "temporary_access_duration_limit_exceeded")
        #expect(try await client.ask("logout", "pass?redirectUrl=a://b").text.contains("\"complete\""))
    }

    @Test func asksAPromotionalPass_whoItIs_asAnItem() async throws {
        var world = Self.withPromotionalPass
        world.providers[world.providers.count - 1].temporaryAccess?.resourceLimit = 2
        let client = try await RESTv2Client(world: world)
        let answer = try await client.ask("authorize", "pass", body: "{\"resources\":[\"A\"]}")
        #expect(answer.status == 200 && code(of: answer) == "invalid_header_identity_for_temporary_access")
        let who = ["AP-TempPass-Identity": Data("{\"email\":\"0f\"}".utf8).base64EncodedString()]
        _ = try await client.ask("authorize", "pass", body: "{\"resources\":[\"A\"]}", headers: who)
        // A resource that the pass has opened stays open, and the answer says so.
        _ = try await client.ask("authorize", "pass", body: "{\"resources\":[\"A\"]}", headers: who)
        // A preauthorization does not identify the viewer, so it knows no limits.
        let forecast = try await client.ask("preauthorize", "pass", body: "{\"resources\":[\"A\",\"B\"]}")
        #expect(forecast.text.contains("\"authorized\":true") && !forecast.text.contains("error"))
        let profile = try await client.ask("profile", "pass", headers: who).text
        #expect(profile.contains("\"used_assets\":{\"state\":\"plain\",\"value\":[\"A\"]}"))
        #expect(profile.firstMatch(of: /"expiration_date":\{"state":"plain","value":[0-9]{13}\}/) != nil)
    }

    // MARK: - Several screens and devices

    @Test func tellsTheScreenWithTheCode_whenNobodyNeedsToLogIn() async throws {
        let client = try await RESTv2Client()
        try await client.logIn()
        let open = try await client.ask("createSession", body: "")
        let waiting = try #require(open.text.firstMatch(of: /"code":"([A-Z0-9]{7})"/)?.1).description
        let form = SandboxClient.form([("mvpd", "demo-cable"), ("redirectUrl", "adobepass://ios.app")])
        #expect(
            try await client.ask("resumeSession", waiting, body: form).text.contains("\"reasonType\":\"authenticated\"")
        )
        #expect(try await client.ask("profileOfCode", waiting).text.contains("\"type\":\"regular\""))
    }

    @Test func changesNothing_onceALoginIsMade() async throws {
        let client = try await RESTv2Client()
        let code = try await client.code()
        try await client.finish(code)
        let answer = try await client.ask("resumeSession", code, body: "mvpd=demo-fiber")
        #expect(self.code(of: answer) == "invalid_authentication_session")
        #expect(try await client.ask("profileOfCode", code).text.contains("\"issuer\":\"demo-cable\""))
    }

    @Test func endsASharedLogin_onlyForWhoeverSaysWhoTheyAre() async throws {
        let claims = Data("{\"sub\":\"household\"}".utf8).base64EncodedString().replacing("=", with: "")
        var client = try await RESTv2Client()
        client.client.headers["Adobe-Subject-Token"] = "e30.\(claims).c2ln"
        try await client.logIn()
        var second = client
        second.client.headers["AP-Device-Identifier"] = "fingerprint \(Data("device-2".utf8).base64EncodedString())"
        #expect(try await second.ask("profiles").text.contains("\"type\":\"platformSSO\""))
        var stranger = client
        stranger.client.headers["Adobe-Subject-Token"] = nil
        _ = try await stranger.ask("logout", "demo-cable?redirectUrl=adobepass://ios.app")
        #expect(try await second.ask("profiles").text.contains("\"type\":\"platformSSO\""))
        _ = try await second.ask("logout", "demo-cable?redirectUrl=adobepass://ios.app")
        #expect(try await client.ask("profiles").text == "{\"profiles\":{}}")
    }

    // MARK: - The platform

    @Test(
        .row("REST API v2, 3.6"),
        arguments: [
            ([:], "invalid_header_pfs_permission_access_not_present"),
            (RESTv2Client.partner("apple-cable", access: "denied"), "invalid_header_pfs_permission_access_not_granted"),
            (
                RESTv2Client.partner("apple-cable", access: "notDetermined"),
                "invalid_header_pfs_permission_access_not_determined"
            ),
            (RESTv2Client.partner(nil), "invalid_header_pfs_provider_id_not_determined"),
            (RESTv2Client.partner("apple-other"), "invalid_header_pfs_provider_id_not_determined"),
            (RESTv2Client.partner("apple-cable", expires: "1000"), "invalid_header_pfs_provider_info_expired"),
            (RESTv2Client.partner("apple-cable"), "invalid_parameter_saml_response"),
        ] as [([String: String], String)])
    func wantsAPartnerStatus_orFallsBack(headers: [String: String], error: String) async throws {
        var world = SandboxWorld.demo
        world.providers[0].platformID = "apple-cable"
        let client = try await RESTv2Client(world: world)
        #expect(code(of: try await client.ask("partnerProfile", "Apple", headers: headers)) == error)
        #expect(
            code(of: try await client.ask("partnerProfile", "Orange", headers: headers))
                == (headers.isEmpty ? error : "invalid_parameter_partner"))
        let form = SandboxClient.form([("domainName", "localhost"), ("redirectUrl", "adobepass://ios.app")])
        let session = try await client.ask("partnerSession", "apple", body: form, headers: headers).text
        let isGood = error == "invalid_parameter_saml_response"
        #expect(session.contains("\"actionName\":\"partner_profile\"") == isGood)
        #expect(session.contains("fallback") == !isGood)
    }

    // MARK: - Forced errors

    @Test(arguments: SandboxWorld.Behavior.RESTv2.Endpoint.allCases.filter { $0 != .authenticate })
    func answersWithAnErrorOfChoice(endpoint: SandboxWorld.Behavior.RESTv2.Endpoint) async throws {
        var world = SandboxWorld.demo
        world.behavior.restV2.forcedErrors[endpoint.rawValue] = "internal_server_error"
        let client = try await RESTv2Client(world: world)
        let isDecision = [.preauthorize, .authorize].contains(endpoint)
        let answer = try await client.ask(
            endpoint.rawValue, "demo-cable", body: isDecision ? "{\"resources\":[\"A\"]}" : "",
            headers: endpoint == .partnerProfile ? RESTv2Client.partner("apple") : [:])
        #expect(answer.status == 500 && code(of: answer) == "internal_server_error")
    }

    @Test(arguments: [
        ("temporary_access_duration_limit_exceeded", "temppass"),
        ("temporary_access_resources_limit_exceeded", "temppass"),
        ("invalid_configuration_temporary_access", "temppass"),
        ("invalid_header_identity_for_temporary_access", "temppass"),
        ("authorization_denied_by_degradation_rule", "degradation"), ("authorization_denied_by_mvpd", "mvpd"),
        ("authenticated_profile_missing", "mvpd"), ("network_received_error", "mvpd"),
    ])
    func decidesWithAnErrorOfChoice(error: String, source: String) async throws {
        var world = SandboxWorld.demo
        world.behavior.restV2.forcedErrors["authorize"] = error
        let client = try await RESTv2Client(world: world)
        let answer = try await client.ask("authorize", "demo-cable", body: "{\"resources\":[\"A\"]}")
        #expect(answer.status == 200 && code(of: answer) == error, "\(answer.text)")
        #expect(answer.text.contains("\"source\":\"\(source)\""), "\(answer.text)")
    }

    @Test(arguments: [["nowhere": "internal_server_error"], ["profiles": "unheard_of"]])
    func refusesAWorld_withErrorsItDoesNotKnow(forced: [String: String]) async throws {
        var world = SandboxWorld.demo
        world.behavior.restV2.forcedErrors = forced
        #expect(throws: SandboxWorldError.self) { try world.validate() }
    }
}
