import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Every enhanced error arrives as the code, status event and recovery that apps know, in any part of an answer.
@Suite(.row("REST API v2, 4"), .fewAtATime)
struct EnhancedErrorTests {
    /// One row: the service's code, its status and action, and the result of `authorize`.
    struct Row: Sendable, CustomTestStringConvertible {
        let code: String
        let status: Int
        let action: String
        let error: TVEError.Code
        let event: String
        let recovery: TVEError.Recovery

        var testDescription: String { code }
    }

    private static func rows(
        _ codes: [String], status: Int, action: String, error: TVEError.Code, event: String, recovery: TVEError.Recovery
    ) -> [Row] {
        codes.map {
            Row(code: $0, status: status, action: action, error: error, event: event, recovery: recovery)
        }
    }

    /// Unknown codes and actions in a negative decision, which stays a denial.
    private static let newDenials: [Row] = ["something_new", "authorization_expired"].flatMap { code in
        ["none", "authorization", "do_something_new"].flatMap { action in
            rows([code], status: 403, action: action, error: .notAuthorized, event: "Z100", recovery: .none)
        } + rows([code], status: 403, action: "retry", error: .notAuthorized, event: "Z100", recovery: .retry)
    }

    static let rows: [Row] =
        rows(
            [
                "authorization_denied_by_mvpd", "preauthorization_denied_by_mvpd",
                "authorization_denied_by_parental_controls",
            ], status: 403, action: "none", error: .notAuthorized, event: "Z100", recovery: .none)
        + rows(
            ["authorization_denied_by_degradation_rule"], status: 403, action: "none", error: .notAuthorized,
            event: "Z169", recovery: .none)
        + rows(
            ["network_received_error", "network_connection_timeout", "maximum_execution_time_exceeded"], status: 403,
            action: "retry", error: .notAuthorized, event: "Z120", recovery: .retry)
        + onlyInTheOpenAPI
        + rows(
            ["temporary_access_duration_limit_exceeded", "temporary_access_resources_limit_exceeded"], status: 403,
            action: "authentication", error: .notAuthorized, event: "Z100", recovery: .chooseProvider)
        + rows(
            [
                "authenticated_profile_missing", "authenticated_profile_expired", "authenticated_profile_invalidated",
                "authorization_denied_by_hba_policies", "authorization_denied_by_session_invalidated",
                "identity_not_recognized_by_mvpd",
            ], status: 403, action: "authentication", error: .notAuthenticated, event: "N000", recovery: .logIn)
        + rows(
            ["invalid_parameter_resources"], status: 400, action: "none", error: .invalidResource, event: "Z130",
            recovery: .fixConfiguration)
        + rows(
            ["invalid_parameter_service_provider"], status: 400, action: "none", error: .unknownRequestor,
            event: "Z500", recovery: .fixConfiguration)
        + rows(
            ["invalid_parameter_mvpd", "invalid_integration"], status: 400, action: "none", error: .unknownProvider,
            event: "Z500", recovery: .fixConfiguration)
        + rows(
            ["invalid_parameter_code", "invalid_authentication_session"], status: 400, action: "none",
            error: .authenticationFailed, event: "Z500", recovery: .logIn)
        + rows(
            [
                "invalid_parameter_redirect_url", "invalid_parameter_partner", "invalid_parameter_saml_response",
                "invalid_header_device_info", "invalid_header_device_identifier",
            ], status: 400, action: "none", error: .authorizationFailed, event: "Z500", recovery: .fixConfiguration)
        + rows(
            ["invalid_header_pfs_permission_access_not_granted"], status: 400, action: "none",
            error: .authorizationFailed, event: "VSA403", recovery: .logIn)
        + rows(
            ["invalid_header_pfs_permission_access_not_determined"], status: 400, action: "none",
            error: .authorizationFailed, event: "VSA404", recovery: .logIn)
        + rows(
            ["invalid_header_pfs_provider_id_not_determined", "invalid_header_pfs_provider_id_mismatch"], status: 400,
            action: "none", error: .authorizationFailed, event: "N004", recovery: .logIn)
        + rows(
            ["invalid_header_pfs_provider_info_expired", "invalid_header_pfs_permission_access_not_present"],
            status: 400, action: "none", error: .authorizationFailed, event: "VSA503", recovery: .retry)
        + failuresOfTheService
        + rows(
            ["too_many_resources"], status: 403, action: "configuration", error: .tooManyResources, event: "Z130",
            recovery: .fixConfiguration)
        + rows(
            [
                "user_metadata_certificate", "temporary_access", "platform", "platform_id", "platform_trait",
                "platform_category_trait", "platform_services", "mvpd_platform", "mvpd_platform_boarding_status",
                "mvpd_platform_profile_exchange",
            ].map { "invalid_configuration_\($0)" }, status: 500, action: "configuration", error: .authorizationFailed,
            event: "Z500", recovery: .fixConfiguration)
        + rows(
            ["invalid_header_identity_for_temporary_access"], status: 400, action: "none",
            error: .viewerIdentityMissing, event: "Z500", recovery: .fixConfiguration)
        // Codes that this version of the library does not know are classified by their action.
        + rows(
            ["something_new"], status: 403, action: "retry", error: .authorizationFailed, event: "Z500",
            recovery: .retry)
        + rows(
            ["something_else_new", "authorization_denied_by_something_new"], status: 403, action: "authentication",
            error: .notAuthenticated, event: "N000", recovery: .logIn)
        + rows(
            ["authorization_expired"], status: 412, action: "authorization", error: .authorizationFailed, event: "Z500",
            recovery: .fixConfiguration)

    /// A status of 500 and above is a failure of the service, unless a configuration is wrong.
    private static let failuresOfTheService: [Row] =
        wrongConfigurations
        + rows(
            ["internal_server_error", "internal_error"], status: 500, action: "none", error: .serviceFailed,
            event: "Z500", recovery: .retry)
        + rows(["something_new"], status: 503, action: "none", error: .serviceFailed, event: "Z500", recovery: .retry)
        + rows(
            ["something_new"], status: 503, action: "configuration", error: .authorizationFailed, event: "Z500",
            recovery: .fixConfiguration)

    /// The code says what is wrong, even if the action is missing or another one.
    private static let wrongConfigurations: [Row] = ["none", ""].flatMap { action in
        rows(
            ["invalid_configuration_platform"], status: 500, action: action, error: .authorizationFailed,
            event: "Z500", recovery: .fixConfiguration)
    }

    /// The codes that the vendor's OpenAPI file has and its pages do not have, so that their actions are not known.
    private static let onlyInTheOpenAPI: [Row] = ["none", "retry"].flatMap { action in
        rows(
            ["authorization_denied_by_degradation_configuration_change"], status: 403, action: action,
            error: .notAuthorized, event: "Z169", recovery: .none)
            + rows(
                ["maximum_attempts_exceeded", "degraded_integration"], status: 403, action: action,
                error: .notAuthorized, event: "Z120", recovery: .retry)
            + rows(
                ["invalid_refresh_token"], status: 403, action: action, error: .authorizationFailed, event: "Z500",
                recovery: action == "retry" ? .retry : .logIn)
    }

    enum Placement: CaseIterable, Sendable {
        /// The whole answer is the error.
        case top
        /// The answer is a decision that carries the error.
        case item
    }

    private static func answer(_ row: Row, _ placement: Placement) -> ScriptedTransport.Answer {
        let error =
            "{\"action\":\"\(row.action)\",\"status\":\(row.status),\"code\":\"\(row.code)\",\"message\":\"No\","
            + "\"helpUrl\":\"https://localhost/help\",\"trace\":\"t\"}"
        switch placement {
        case .top: return .response(status: row.status, body: error)
        case .item:
            let decision =
                "{\"resource\":\"DEMO-1\",\"serviceProvider\":\"DEMO\",\"mvpd\":\"demo-cable\",\"source\":\"mvpd\","
                + "\"authorized\":false,\"error\":\(error)}"
            return .response(status: 200, body: "{\"decisions\":[\(decision)]}")
        }
    }

    private func check(_ row: Row, error: TVEError?, words: [String]) {
        #expect(error?.code == row.error && error?.status?.rawValue == row.event, "\(row.code)")
        #expect(error?.recovery == row.recovery, "\(row.code)")
        #expect(error?.message?.isEmpty == false, "\(row.code)")
        #expect(words.first == row.event && words.last == "authz \(row.error.rawValue)", "\(row.code)")
    }

    @Test(
        .row("B8.1", "CL25"),
        arguments: rows.flatMap { row in Placement.allCases.map { (row, $0) } }.filter { row, placement in
            placement == .top || !newDenials.contains { $0.code == row.code }
        } + newDenials.map { ($0, .item) })
    func authorize_reportsTheClassicCode(row: Row, placement: Placement) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        fixture.answer(.authorization, Self.answer(row, placement))
        let error = await #expect(throws: TVEError.self) { try await session.authorize("DEMO-1") }
        check(row, error: error, words: log.take())
        // Retried only where the service says so, and a limited number of times.
        #expect(fixture.count(of: .authorization) == (row.action == "retry" ? 3 : 1), "\(row.code)")
        let isOver = row.error == .notAuthenticated
        #expect(fixture.isLoginStored == !isOver, "\(row.code)")
    }

    @Test(
        arguments: rows.filter { row in
            (row.code.contains("denied_by") || row.action != "none") && !row.code.contains("new") && row.status != 412
                && !onlyInTheOpenAPI.contains { $0.code == row.code }
        })
    func authorize_reportsIt_asTheSandboxPutsIt(row: Row) async throws {
        var world = SandboxWorld.demo
        world.behavior.restV2.forcedErrors["authorize"] = row.code
        let (session, log) = try await FlowFixture(.restV2, world: world).loggedIn()
        let error = await #expect(throws: TVEError.self) { try await session.authorize("DEMO-1") }
        check(row, error: error, words: log.take())
    }

    @Test(
        .row("B8.1"),
        arguments: [
            ("invalid_access_token_service_provider", TVEError.Code.unknownRequestor, "CFG400"),
            ("invalid_access_token_client_application", .applicationNotRegistered, "R400"),
        ])
    func aTokenThatIsWorthNothing_isReplaced_andThenItsCredentials(
        code: String, expected: TVEError.Code, event: String
    ) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        let refusal = ServiceDialect.refusal(code, status: 401, action: "application-registration")
        fixture.answer(.authorization, refusal)
        let error = await #expect(throws: TVEError.self) { try await session.authorize("DEMO-1") }
        #expect(error?.code == expected && error?.recovery == .fixConfiguration)
        #expect(log.take().first == event)
        #expect(fixture.count(of: .registration) == 2 && fixture.count(of: .authorization) == 3)
    }

    /// The service says the same of a token that has ended, and new credentials would log the viewer out (the vendor's
    /// FAQ about dynamic client registration).
    @Test(
        .row("B8.1"), arguments: ["invalid_access_token_service_provider", "invalid_access_token_client_application"])
    func anEndedToken_costsNoLogin(code: String) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let isFirst = Guarded(true)
        fixture.transport.setScript { request, _ in
            guard fixture.isAt(.authorization, request), isFirst.taken() else { return nil }
            return ServiceDialect.refusal(code, status: 401, action: "application-registration")
        }
        _ = try await session.authorize("DEMO-1")
        #expect(fixture.count(of: .registration) == 1 && fixture.count(of: .accessToken) == 2)
    }

    /// The decision says no, and its error says nothing, or nothing that can be read.
    @Test(
        .row("B8.1", "CL25"),
        arguments: [
            ("", nil), (",\"error\":null", nil), (",\"error\":7", nil), (",\"error\":{}", nil),
            (",\"error\":{\"message\":\"No\",\"details\":\" \\n\"}", nil),
            (",\"error\":{\"message\":\"No\",\"details\":\"Not in your plan\",\"trace\":\"t\"}", "Not in your plan"),
            (
                """
                ,"error":{"code":"brand_new","action":"none",\
                "details":"Not in your plan","trace":"t"}
                """,
                "Not in your plan"
            ),
        ])
    func aDecisionThatSaysNo_isADenial(error: String, words: String?) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        let body = "{\"decisions\":[{\"resource\":\"DEMO-1\",\"authorized\":false\(error)}]}"
        fixture.answer(.authorization, .response(status: 200, body: body))
        let denial = await #expect(throws: TVEError(.notAuthorized)) { try await session.authorize("DEMO-1") }
        #expect(denial?.status == .denied && denial?.recovery == TVEError.Recovery.none)
        #expect(denial?.providerMessage == words && denial?.trace == words.map { _ in "t" })
        #expect(log.take().first == "Z100")
        #expect(fixture.isLoginStored)
    }

    /// An unknown error with a failure status means that the service could not decide.
    ///
    /// A documented code with the same status is still a denial.
    @Test(.row("B8.1", "CL25"), arguments: [429, 500, 503])
    func aDecisionThatNamesAFailureOfTheService_isNoDenial(status: Int) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        func answer(_ code: String) -> ScriptedTransport.Answer {
            let error = "{\"status\":\(status),\"code\":\"\(code)\",\"action\":\"none\"}"
            return .response(
                status: 200,
                body: "{\"decisions\":[{\"resource\":\"DEMO-1\",\"authorized\":false,\"error\":\(error)}]}")
        }
        fixture.answer(.authorization, answer("new_failure"))
        let failure = await #expect(throws: TVEError(.serviceFailed)) { try await session.authorize("DEMO-1") }
        #expect(failure?.recovery == .retry && log.take().first == "Z500")
        fixture.answer(.preauthorization, answer("new_failure"))
        #expect(try await session.preauthorize(["DEMO-1"]).map(\.denial?.code) == [.serviceFailed])
        fixture.answer(.authorization, answer("authorization_denied_by_mvpd"))
        await #expect(throws: TVEError(.notAuthorized)) { try await session.authorize("DEMO-1") }
        #expect(fixture.isLoginStored)
    }

    /// The provider's words say what the viewer can do.
    @Test(
        .row("B8.1"),
        arguments: [
            "authorization_denied_by_hba_policies", "authorization_denied_by_session_invalidated", "brand_new",
        ], Placement.allCases)
    func anEndedLogin_keepsTheWordsOfTheService(code: String, placement: Placement) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let error =
            "{\"action\":\"authentication\",\"status\":403,\"code\":\"\(code)\",\"message\":\"Again\","
            + "\"details\":\"You are not at home\",\"trace\":\"t\"}"
        let decision = "{\"decisions\":[{\"resource\":\"DEMO-1\",\"authorized\":false,\"error\":\(error)}]}"
        fixture.answer(
            .authorization,
            placement == .top ? .response(status: 403, body: error) : .response(status: 200, body: decision))
        let ended = await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1") }
        #expect(ended?.providerMessage == "You are not at home" && ended?.localizedDescription == "You are not at home")
        #expect(ended?.message == "Again" && ended?.trace == "t" && ended?.recovery == .logIn)
    }

    /// The documents have two forms, and an error may come with any status.
    @Test(.row("B8.1", "CL25"), arguments: [200, 400, 403, 500], [true, false])
    func anError_isReadInBothForms_withAnyStatus(status: Int, isInside: Bool) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let error =
            "{\"action\":\"none\",\"status\":403,\"code\":\"authorization_denied_by_mvpd\",\"details\":\"No\"}"
        fixture.answer(.authorization, .response(status: status, body: isInside ? "{\"error\":\(error)}" : error))
        let denial = await #expect(throws: TVEError(.notAuthorized)) { try await session.authorize("DEMO-1") }
        #expect(denial?.providerMessage == "No")
        let again = "{\"action\":\"retry\",\"status\":403,\"code\":\"network_received_error\",\"message\":\"Later\"}"
        fixture.answer(
            .preauthorization, .response(status: status, body: isInside ? "{\"error\":\(again)}" : again))
        await #expect(throws: TVEError(.preauthorizationFailed)) { try await session.preauthorize(["DEMO-1"]) }
        #expect(fixture.count(of: .preauthorization) == 3)
        // A token that is worth nothing is replaced, whatever the status.
        fixture.answer(
            .preauthorization,
            .response(
                status: status,
                body: "{\"error\":{\"action\":\"application-registration\",\"status\":401,"
                    + "\"code\":\"invalid_access_token_client_application\",\"message\":\"No\"}}"))
        await #expect(throws: TVEError(.applicationNotRegistered)) { try await session.preauthorize(["DEMO-2"]) }
        #expect(fixture.count(of: .registration) == 2)
    }

    @Test(
        .row("B8.1"),
        arguments: [
            (403, "", "firewall"), (410, "", "REST API v2"), (451, "", "legal"), (418, "", "418"),
            (
                500, #"{"action":"none","status":500,"code":"internal_error"}"#,
                "request (internal_error). It recommends"
            ),
        ])
    func anAnswerWithoutAMessage_hasASentenceOfTheLibrary(status: Int, body: String, word: String) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.answer(.authorization, .response(status: status, body: body))
        let error = await #expect(throws: TVEError.self) { try await session.authorize("DEMO-1") }
        #expect(error?.message?.contains(word) == true && error?.providerMessage == nil)
        #expect(error?.message?.contains("HTTP \(status)") == body.isEmpty)
        #expect(fixture.isLoginStored)
    }

    // Errors that stop a start, a login or a preauthorization.
    @Test(
        .row("B8.1"),
        arguments: [
            (
                "invalid_parameter_service_provider", 400, "none", TVEError.Code.unknownRequestor, "CFG400", "N500",
                "P100"
            ),
            ("internal_server_error", 500, "none", .serviceFailed, "CFG500", "N500", "P100"),
            ("degraded_integration", 403, "none", .serviceFailed, "CFG500", "N500", ""),
            ("too_many_resources", 403, "configuration", .tooManyResources, "CFG500", "N500", "P100"),
            ("invalid_integration", 400, "none", .unknownProvider, "CFG500", "N500", "P100"),
            ("invalid_authentication_session", 400, "none", .authenticationFailed, "CFG500", "N130", "P100"),
            (
                "temporary_access_duration_limit_exceeded", 403, "authentication", .temporaryAccessExpired, "", "N111",
                "N111"
            ),
        ])
    func otherFlows_reportTheirOwn(
        code: String, status: Int, action: String, error: TVEError.Code, start: String, login: String,
        preauthorization: String
    ) async throws {
        let (fixture, session, log) = try await FlowFixture.started(.restV2)
        let refusal = ServiceDialect.refusal(code, status: status, action: action)
        fixture.answer(.start, refusal)
        // A TempPass that is over says nothing about other logins.
        var failure: TVEError?
        do throws(TVEError) { try await session.start() } catch { failure = error }
        #expect(failure == (start.isEmpty ? nil : TVEError(error)))
        #expect(log.take() == (start.isEmpty ? [] : [start]))
        fixture.answer(.code, refusal)
        await #expect(throws: TVEError(error)) { try await session.authenticate(using: ViewerWhoLogsIn()) }
        #expect(log.take().contains(login))
        fixture.transport.setScript { _, _ in nil }
        try await session.authenticate(using: ViewerWhoLogsIn())
        _ = log.take()
        fixture.answer(.preauthorization, refusal)
        // A provider that the service cannot reach has its own error in a preauthorization.
        let expected = preauthorization.isEmpty ? TVEError(.preauthorizationFailed) : TVEError(error)
        await #expect(throws: expected) { try await session.preauthorize(["DEMO-1"]) }
        #expect(log.take() == [preauthorization.isEmpty ? "P100" : preauthorization])
    }

    /// A retry that the service asks for is not the advice to log in.
    @Test(.row("B8.1", "CL25")) func aLoginThatCannotBegin_isToBeTriedAgain_ifTheServiceSaysSo() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        fixture.answer(
            .code, ServiceDialect.refusal("maximum_execution_time_exceeded", status: 403, action: "retry"))
        let error = await #expect(throws: TVEError(.serviceFailed)) {
            try await session.authenticate(using: ViewerWhoLogsIn())
        }
        #expect(error?.recovery == .retry && error?.status == .authenticationFailed)
        #expect(fixture.count(of: .code) == 3)
    }

    /// The member says neither yes nor no, and no error says why.
    @Test(
        .row("B8.1", "CL25"),
        arguments: [
            "null", "{}", "[]", "\"maybe\"", "2", "null,\"error\":{}", "null,\"error\":{\"message\":\"No\"}",
            "2,\"error\":{\"action\":\"authentication\",\"status\":403}", "null,\"error\":7",
        ])
    func aDecisionThatSaysNothing_isNoDenial(authorized: String) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        let body = "{\"decisions\":[{\"resource\":\"DEMO-1\",\"authorized\":\(authorized)}]}"
        fixture.answer(.authorization, .response(status: 200, body: body))
        let error = await #expect(throws: TVEError(.serviceFailed)) { try await session.authorize("DEMO-1") }
        #expect(error?.recovery == .retry)
        #expect(log.take().first == "Z500")
        #expect(fixture.isLoginStored)
    }

    /// A service may leave out the member where an error says why there is no permit.
    @Test(.row("B8.1", "CL25")) func anErrorWithACode_isADecision_withoutTheMember() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let error = "{\"code\":\"authorization_denied_by_mvpd\",\"details\":\"No\"}"
        let body = "{\"decisions\":[{\"resource\":\"DEMO-1\",\"error\":\(error)}]}"
        fixture.answer(.authorization, .response(status: 200, body: body))
        let denial = await #expect(throws: TVEError(.notAuthorized)) { try await session.authorize("DEMO-1") }
        #expect(denial?.providerMessage == "No")
    }

    /// The device keeps the credentials that its login belongs to, and registers again at most once a day.
    @Test(
        .row("B8.1"),
        arguments: ["invalid_access_token_service_provider", "invalid_access_token_client_application"], [401, 403])
    func aServiceThatRefusesNewCredentialsToo_endsNoLogin(code: String, status: Int) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let refusal = ServiceDialect.refusal(code, status: status, action: "application-registration")
        fixture.answer(.authorization, refusal)
        for _ in 0..<2 { await #expect(throws: TVEError.self) { try await session.authorize("DEMO-1") } }
        let (again, _) = try await fixture.session()
        await #expect(throws: TVEError.self) { try await again.authorize("DEMO-1") }
        #expect(fixture.count(of: .registration) == 2)
        // Once the mistake at the service is corrected, the viewer is still logged in.
        fixture.transport.setScript { _, _ in nil }
        _ = try await again.authorize("DEMO-1")
        fixture.answer(.authorization, refusal)
        fixture.clock.advance(by: 86_401)
        await #expect(throws: TVEError.self) { try await again.authorize("DEMO-2") }
        #expect(fixture.count(of: .registration) == 3)
    }
}
