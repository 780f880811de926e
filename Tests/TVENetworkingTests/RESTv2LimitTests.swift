import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVETestSupport
import TVETestTraits
import Testing

/// Limits of REST API v2 on both sides, and values that stand beside others in one answer or one request.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct RESTv2LimitTests {
    private static func answer(_ body: String, status: Int = 200) -> ScriptedTransport.Answer {
        .response(status: status, body: body)
    }

    /// A profile of a login that lasts until the year 2100.
    private static let profile = #"{"notAfter":4102444800000}"#

    // MARK: - Polls

    /// Callers that wait for each other never wait for half a minute, so the clock was set back.
    @Test(
        arguments: [(0, [.seconds(3)]), (26, [.seconds(29)]), (27, [])] as [(TimeInterval, [Duration])])
    func aPoll_waitsForLessThanHalfAMinute(setBack seconds: TimeInterval, pauses: [Duration]) async throws {
        let call = RESTv2Call.authentication
        let nothing = (call.request, Self.answer(#"{"profiles":{}}"#))
        let desk = try StrictDesk([nothing, nothing])
        await #expect(throws: ServiceError.notLoggedIn) { try await call.perform(desk.service) }
        desk.clock.advance(by: -seconds)
        await #expect(throws: ServiceError.notLoggedIn) { try await call.perform(desk.service) }
        #expect(desk.pauses.withLock(\.self) == pauses && desk.transport.left == [])
    }

    /// Such a request is no poll, so two of them need no pause between them.
    @Test func aLoginWithoutACode_isRequestedAtOnce() async throws {
        let nothing = ("GET /api/v2/DEMO/profiles/A", Self.answer(#"{"profiles":{}}"#))
        let desk = try StrictDesk([nothing, nothing])
        let page = LoginPage(
            step: .nothing, requestorID: "DEMO", mvpdID: "A", registrationCode: "", expires: .distantFuture)
        for _ in 0..<2 {
            await #expect(throws: ServiceError.notLoggedIn) { try await desk.service.authentication(of: page) }
        }
        #expect(desk.pauses.withLock(\.isEmpty) && desk.transport.left == [])
    }

    // MARK: - Logins

    /// A login that needs no page has no code either, and the profile of another provider is not its profile.
    @Test func aLoginThatNeedsNoPage_isFoundByItsProviderAlone() async throws {
        let session =
            #"{"actionName":"authorize","actionType":"direct","reasonType":"authenticated","code":"CODE","mvpd":"A"}"#
        let desk = try StrictDesk([
            (RESTv2Call.login.request, Self.answer(session)),
            ("GET /api/v2/DEMO/profiles/A", Self.answer("{\"profiles\":{\"B\":\(Self.profile)}}")),
        ])
        let page = try await desk.service.login(LoginRequest(requestorID: "DEMO", mvpdID: "A"))
        #expect(page.step == .nothing && page.registrationCode == "")
        await #expect(throws: ServiceError.unreadableJSON) { try await desk.service.authentication(of: page) }
        #expect(desk.transport.left == [])
    }

    /// The service has begun an ordinary login in place of the platform's, and its answer names the provider.
    @Test(arguments: ["resume", "retry"])
    func aSessionOfThePlatform_thatMissesSomething_isResumed(action: String) async throws {
        let begun =
            "{\"actionName\":\"\(action)\",\"reasonType\":\"pfs_fallback\",\"code\":\"CODE\",\"mvpd\":\"B\","
            + "\"missingParameters\":[\"redirectUrl\"]}"
        let whole =
            #"{"actionName":"authenticate","actionType":"interactive","reasonType":"none","code":"CODE","url":"/p"}"#
        let desk = try StrictDesk([
            (RESTv2Call.platformRequest.request, Self.answer(begun)),
            (RESTv2Call.resumeSession.request, Self.answer(whole)),
        ])
        let step = try await desk.service.platformRequest(LoginRequest(requestorID: "DEMO", mvpdID: "A"))
        guard case .logIn(let page, let reason) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(page.mvpdID == "B" && page.registrationCode == "CODE" && reason == "pfs_fallback")
        #expect(try page.url.path() == "/p" && desk.transport.left == [])
    }

    /// With the token, the service would find a login of the household, and this viewer wants to log in.
    @Test func aForcedLogin_beginsAgainWithoutTheServiceToken() async throws {
        let desk = try await RESTv2Fixture(options: ClientOptions(serviceToken: "a.b.c"))
        let session = #"{"actionName":"authorize","actionType":"direct","mvpd":"m"}"#
        desk.script { path in
            if path.contains("/sessions") { return Self.answer(session) }
            if path.contains("/profiles") { return Self.answer(#"{"profiles":{}}"#) }
            return path.contains("/logout/") ? Self.answer(#"{"logouts":{}}"#) : nil
        }
        var request = LoginRequest(requestorID: "A", mvpdID: "m")
        request.isForced = true
        _ = try await desk.service.login(request)
        let name = try #require(HTTPField.Name("AD-Service-Token"))
        let sent = desk.requests.withLock { requests in
            requests.filter { $0.request.path?.contains("/sessions") == true }.map { $0.request.headerFields[name] }
        }
        #expect(sent == ["a.b.c", nil])
    }

    /// The cookies of this screen's browser have nothing to do with a login on another one.
    @Test(arguments: [false, true])
    func theLogoutPageOfAForcedLogin_opensOnItsOwnScreen(isOnOtherScreen: Bool) async throws {
        let desk = try await RESTv2Fixture()
        _ = try await desk.logIn()
        var request = LoginRequest(
            requestorID: "DEMO", mvpdID: "demo-cable",
            kind: isOnOtherScreen ? .otherScreen(redirect: nil) : .here(redirect: nil))
        request.isForced = true
        let page = try await desk.service.login(request)
        #expect(page.needsViewer && (page.step == .typeCode) == isOnOtherScreen)
        #expect((page.logoutPage == nil) == isOnOtherScreen)
    }

    /// The service's clock differs from this device's, and such a login has no account that could say when it ends.
    @Test(arguments: [("temporary", true), ("degraded", true), ("regular", false), ("appleSSO", false)])
    func aLoginWithoutAnAccount_endsByTheDevicesClock(type: String, isByDevice: Bool) async throws {
        let profile = "{\"notBefore\":1400000000000,\"notAfter\":1400000600000,\"type\":\"\(type)\"}"
        let desk = try StrictDesk([
            (RESTv2Call.logins.request, Self.answer("{\"profiles\":{\"A\":\(profile)}}"))
        ])
        let found = try await desk.service.logins(of: "DEMO", with: nil, knowing: nil)
        let end = isByDevice ? Int64(desk.clock.now.timeIntervalSince1970) + 600 : 1_400_000_600
        #expect(found.map(\.token.claims.expires.secondsSince1970) == [end])
    }

    /// An app may have a service for such tokens that has none at the moment.
    @Test(
        arguments: [("d.e.f", "d.e.f"), ("", "a.b.c"), (" ", "a.b.c"), (nil, "a.b.c")] as [(String?, String)])
    func theTokenOfTheOptions_isSent_ifTheAppsServiceHasNone(own: String?, sent: String) async throws {
        let desk = try await RESTv2Fixture(
            options: ClientOptions(serviceToken: "a.b.c"), proofs: LoginProofs(serviceToken: { own }))
        desk.script { $0.contains("/profiles") ? Self.answer(#"{"profiles":{}}"#) : nil }
        _ = try await desk.service.logins(of: "DEMO", with: nil, knowing: nil)
        #expect(desk.header("AD-Service-Token", of: "/profiles") == sent)
    }

    @Test(arguments: [(199, false), (200, true), (299, true), (300, false)])
    func anAnswer_isReadIfItSucceeded(status: Int, isRead: Bool) async throws {
        let answer = Self.answer("{\"profiles\":{\"A\":\(Self.profile)}}", status: status)
        let desk = try StrictDesk([(RESTv2Call.logins.request, answer)])
        let found = try? await desk.service.logins(of: "DEMO", with: nil, knowing: nil)
        #expect(found?.count == (isRead ? 1 : nil) && desk.transport.left == [])
    }

    // MARK: - Logouts

    /// Without the service's word about the provider, its profiles decide.
    @Test(
        arguments: [
            (200, #"{"logouts":{}}"#),
            (403, #"{"status":403,"code":"authorization_denied_by_hba_policies","action":"authentication"}"#),
        ],
        [
            ("{}", true), ("{\"B\":\(profile)}", true), ("{\"A\":\(profile)}", false), ("{\"a\":\(profile)}", false),
            ("{\"a\":{},\"B\":\(profile)}", false),
        ])
    func aLogout_isDone_ifTheServiceHasNoProfileOfItsProvider(
        answer: (status: Int, body: String), profiles: (map: String, isDone: Bool)
    ) async throws {
        let desk = try StrictDesk([
            (RESTv2Call.logout.request, Self.answer(answer.body, status: answer.status)),
            (RESTv2Call.logins.request, Self.answer("{\"profiles\":\(profiles.map)}")),
        ])
        let step = try? await desk.service.logout(requestorID: "DEMO", mvpdID: "A", nil, redirectURL: nil)
        #expect(step == (profiles.isDone ? .nothing : nil) && desk.transport.left == [])
    }

    // MARK: - Two values in one answer

    @Test func ofTwoShapesOfAConfiguration_theOneOfTheSamplesCounts() async throws {
        let body = """
            {"device":"d","platform":"p","clientType":"c","sdkType":"s","requestor":{"id":"DEMO",\
            "mvpds":[{"id":"m"}]},"mvpds":[{"id":"n"}]}
            """
        let desk = try StrictDesk([(RESTv2Call.configuration.request, Self.answer(body))])
        let configuration = try await desk.service.configuration(of: "DEMO")
        #expect(configuration.deviceType == "d" && configuration.clientType == "c")
        #expect(configuration.requestor.providers.map(\.id) == ["m"])
    }

    @Test(arguments: [
        #"{"existingParameters":{"mvpd":"m"},"missingParameters":["redirectUrl"],"#,
        #"{"parameters":{"existing":{"mvpd":"m"},"missing":["redirectUrl"]},"#,
    ])
    func ofTwoShapesOfASession_theNewerOneCounts(newer: String) throws {
        let body = newer + #""existing":{"mvpd":"n"},"missing":["mvpd"]}"#
        let state = try UntrustedJSON.read(AuthenticationSessionState.self, from: body)
        #expect(state.existingParameters == ["mvpd": "m"] && state.missingParameters == ["redirectUrl"])
    }

    @Test func ofTwoNamesOfTheViewersID_theCurrentOneCounts() async throws {
        let attributes = #""userId":{"value":"old"},"userID":{"value":"new"}"#
        let profile = "{\"notAfter\":4102444800000,\"attributes\":{\(attributes)}}"
        let desk = try StrictDesk([
            (RESTv2Call.logins.request, Self.answer("{\"profiles\":{\"A\":\(profile)}}"))
        ])
        let found = try await desk.service.logins(of: "DEMO", with: nil, knowing: nil)
        #expect(found.map(\.token.claims.authenticationGUID) == ["new"])
        #expect(found.first?.metadata?.data["userID"] == .string("new"))
    }
}
