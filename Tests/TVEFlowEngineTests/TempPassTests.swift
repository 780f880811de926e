import Foundation
import HTTPTypes
import TVEDeviceBinding
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVEFlowEngine

@Suite(.fewAtATime, .timeLimit(.hanging))
struct TempPassTests {
    private static let identity: [String: MetadataValue] = [
        "email": .string(PromotionalKey("user@domain.com").hexadecimal)
    ]

    @Test(.row("SP9", "TP1", "N011"), arguments: ServiceDialect.allCases)
    func logsInByItself_whenSelected(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect, world: .withTempPass()).session()
        try await session.selectProvider("TempPass")
        #expect(log.take() == ["selected TempPass", "N011", "authn cached false", "authenticated"])
        #expect(try await session.selectedProvider()?.id == "TempPass")
    }

    @Test(.row("SP1"), arguments: ServiceDialect.allCases)
    func logsInFromThePicker_withoutAPage(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect, world: .withTempPass()).session()
        let viewer = ViewerWhoLogsIn(choice: "TempPass")
        let profile = try await session.authenticate(using: viewer)
        #expect(profile.mvpdID == "TempPass" && viewer.shown == ["picker: demo-cable demo-fiber TempPass"])
        #expect(log.take() == ["selected TempPass", "N011", "authn cached false", "authenticated"])
    }

    @Test(.row("TP2"), arguments: ServiceDialect.allCases)
    func countsFromTheFirstAuthorization_notFromTheLogin(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect, world: .withTempPass(.init(seconds: 600)))
        try await session.selectProvider("TempPass")
        fixture.clock.advance(by: 500)
        // The first login's token would expire soon; the time of the pass has not begun.
        try await session.logout()
        try await session.selectProvider("TempPass")
        fixture.clock.advance(by: 500)
        _ = try await session.authorize("DEMO-PLUS")
    }

    @Test(.row("TP3"), arguments: ServiceDialect.allCases)
    func givesTheRemainingTime_afterALogout(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect, world: .withTempPass(.init(seconds: 600)))
        try await session.selectProvider("TempPass")
        _ = try await session.authorize("DEMO-1")
        fixture.clock.advance(by: 400)
        try await session.logout()
        try await session.selectProvider("TempPass")
        #expect(await session.profile?.expires.timeIntervalSince(fixture.clock.now) == 200)
    }

    @Test(.row("TP4", "TP5", "CA9", "N111"), arguments: ServiceDialect.allCases)
    func reportsThatTheTimeIsOver_everywhere(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.started(dialect, world: .withTempPass(.init(seconds: 600)))
        try await session.selectProvider("TempPass")
        _ = try await session.authorize("DEMO-1")
        fixture.clock.advance(by: 601)
        _ = log.take()
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.temporaryAccessExpired)))
        #expect(log.take() == ["N111", "authn false", "not: temporaryAccessExpired"])
        let plays = fixture.count(of: .authorization)
        await #expect(throws: TVEError(.temporaryAccessExpired)) { try await session.authorize("DEMO-1") }
        #expect(log.take() == ["N111", "authz temporaryAccessExpired"])
        #expect(fixture.count(of: .authorization) == plays)
        // A new process: the provider is still known, by which apps recognize this (row TP5).
        let (again, againLog) = try await fixture.session()
        #expect(try await again.selectedProvider()?.id == "TempPass")
        #expect(await again.authenticationStatus() == .notAuthenticated(TVEError(.temporaryAccessExpired)))
        await #expect(throws: TVEError(.temporaryAccessExpired)) { try await again.selectProvider("TempPass") }
        #expect(againLog.take().contains("N111"))
    }

    /// The service names the kind of each login, even of a provider that the configuration does not call a TempPass.
    @Test(.row("TP4", "CA9")) func overRESTv2_isOver_alsoIfOnlyItsLoginNamesItsKind() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2, world: .withTempPass(.init(seconds: 600)))
        fixture.answer(.configuration, .rewritten { $0.replacing("\"isTempPass\":true", with: "\"isTempPass\":false") })
        try await session.authenticate(using: ViewerWhoLogsIn(choice: "TempPass"))
        _ = try await session.authorize("DEMO-1")
        #expect(await session.profile?.kind == .tempPass)
        #expect(try await session.configuration().requestor.provider("TempPass")?.isTempPass == false)
        fixture.clock.advance(by: 601)
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.temporaryAccessExpired)))
    }

    /// The result is the same if another provider was chosen before and its login never began.
    @Test(.row("TP5"), arguments: ServiceDialect.allCases, [nil, "demo-fiber"] as [MVPDID?])
    func staysChosen_whenItIsChosenAfterItsEnd(dialect: ServiceDialect, before: MVPDID?) async throws {
        let fixture = try await FlowFixture(dialect, world: .withTempPass(.init(seconds: 600)))
        let (session, _) = try await fixture.session()
        try await session.selectProvider("TempPass")
        _ = try await session.authorize("DEMO-1")
        fixture.clock.advance(by: 601)
        try await session.selectProvider(before)
        await #expect(throws: TVEError(.temporaryAccessExpired)) { try await session.selectProvider("TempPass") }
        #expect(try await session.selectedProvider()?.id == "TempPass")
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.temporaryAccessExpired)))
    }

    @Test(.row("TP4"), arguments: ServiceDialect.allCases)
    func reportsThatTheTimeIsOver_whenTheServiceKnowsBetter(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect, world: .withTempPass(.init(seconds: 600, resourceLimit: 1)))
            .session()
        try await session.selectProvider("TempPass")
        _ = try await session.authorize("DEMO-1")
        _ = log.take()
        await #expect(throws: TVEError(.notAuthorized)) { try await session.authorize("DEMO-2") }
        #expect(log.take() == ["Z100", "N111", "authz notAuthorized"])
        // The classic services do not say which limit of the pass was reached.
        let limit = dialect == .restV2 ? "The resources of the TempPass are used up." : "The TempPass has expired."
        #expect(log.statuses.last == "N111 \(limit)")
    }

    /// The operator has shortened the trial, of which the copy of the login knows nothing.
    @Test(.row("TP4", "TP5", "CA9")) func overRESTv2_isOver_asSoonAsTheServiceSaysSoAtAPlay() async throws {
        let (fixture, session, log) = try await FlowFixture.started(.restV2, world: .withTempPass(.init(seconds: 600)))
        try await session.selectProvider("TempPass")
        _ = try await session.authorize("DEMO-1")
        let shortened = SandboxWorld.withTempPass(.init(seconds: 60))
        try fixture.sandbox.apply(shortened.strict)
        fixture.clock.advance(by: 61)
        _ = log.take()
        await #expect(throws: TVEError(.notAuthorized)) { try await session.authorize("DEMO-1") }
        #expect(
            log.take() == ["Z100", "N111", "authn false", "not: temporaryAccessExpired", "authz notAuthorized"])
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.temporaryAccessExpired)))
        #expect(try await session.selectedProvider()?.id == "TempPass")
        #expect(try await session.shownByALogin() == ["picker: demo-cable demo-fiber TempPass", "login"])
    }

    /// The service names no kind of the login, and the configuration says that the provider is a TempPass.
    @Test(.row("TP5")) func overRESTv2_leadsToThePicker_afterItsEnd_alsoIfItsLoginNamesNoKind() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2, world: .withTempPass(.init(seconds: 600)))
        fixture.answer(.outcome, .rewritten { $0.replacing("\"type\":\"temporary\"", with: "\"type\":null") })
        try await session.selectProvider("TempPass")
        _ = try await session.authorize("DEMO-1")
        fixture.clock.advance(by: 601)
        #expect(try await session.shownByALogin() == ["picker: demo-cable demo-fiber TempPass", "login"])
    }

    /// Both plays are denied, and the viewer's status changes once.
    @Test(.row("TP4")) func overRESTv2_theEndOfAPass_isReportedOnce_whenTwoPlaysLearnIt() async throws {
        let (fixture, session, log) = try await FlowFixture.started(.restV2, world: .withTempPass())
        try await session.selectProvider("TempPass")
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            guard fixture.isAt(.authorization, request) else { return nil }
            await answer.pass()
            return ServiceDialect.refusal(
                "temporary_access_duration_limit_exceeded", status: 403, action: "authentication")
        }
        let plays = ["DEMO-1", "DEMO-2"].map { resource in
            Task { try await session.authorize(Resource(resource)) }
        }
        #expect(await soon { fixture.count(of: .authorization) == 2 })
        answer.open()
        for play in plays { await #expect(throws: TVEError(.notAuthorized)) { try await play.value } }
        #expect(log.count(of: "not: temporaryAccessExpired") == 1)
    }

    /// A pass whose resources are used up stays the login, because the service decides about each play.
    ///
    /// The login of a viewer has no such limit, whatever the service says.
    @Test(
        arguments: [("duration", "TempPass", false), ("resources", "TempPass", true), ("duration", "demo-cable", true)]
            as [(String, MVPDID, Bool)])
    func overRESTv2_isOver_whenTheServiceRefusesAPreauthorizationForItsTime(
        limit: String, provider: MVPDID, isLoggedIn: Bool
    ) async throws {
        let (fixture, session, log) = try await FlowFixture.started(.restV2, world: .withTempPass())
        try await session.authenticate(using: ViewerWhoLogsIn(choice: provider))
        _ = log.take()
        let code = "temporary_access_\(limit)_limit_exceeded"
        fixture.answer(.preauthorization, ServiceDialect.refusal(code, status: 403, action: "authentication"))
        await #expect(throws: TVEError(.temporaryAccessExpired)) { try await session.preauthorize(["DEMO-1"]) }
        #expect(log.take() == (isLoggedIn ? [] : ["authn false", "not: temporaryAccessExpired"]) + ["N111"])
        #expect(await session.isLoggedIn == isLoggedIn)
        #expect(try await session.selectedProvider()?.id == provider)
    }

    /// The operator has prolonged the trial, of which no copy of a login is left.
    @Test(.row("TP4")) func overRESTv2_aPassThatTheServiceHasRenewed_isGoodAgain() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2, world: .withTempPass(.init(seconds: 600)))
        try await session.selectProvider("TempPass")
        _ = try await session.authorize("DEMO-1")
        let shortened = SandboxWorld.withTempPass(.init(seconds: 60))
        try fixture.sandbox.apply(shortened.strict)
        fixture.clock.advance(by: 61)
        await #expect(throws: TVEError(.notAuthorized)) { try await session.authorize("DEMO-1") }
        await #expect(throws: TVEError(.temporaryAccessExpired)) { try await session.authorize("DEMO-1") }
        await #expect(throws: TVEError(.temporaryAccessExpired)) { try await session.preauthorize(["DEMO-1"]) }
        let prolonged = SandboxWorld.withTempPass(.init(seconds: 600))
        try fixture.sandbox.apply(prolonged.strict)
        _ = try await session.authorize("DEMO-1")
        #expect(try await session.preauthorize(["DEMO-1"]).map(\.isAuthorized) == [true])
    }

    /// The service could not decide, or the provider is degraded, and the trial goes on.
    @Test(
        .row("TP4"),
        arguments: [
            ("maximum_execution_time_exceeded", "Z120"), ("authorization_denied_by_degradation_rule", "Z169"),
            ("authorization_denied_by_mvpd", "Z100"),
        ])
    func aDenialForAnotherReason_doesNotEndTheTempPass(code: String, status: String) async throws {
        let (fixture, session, log) = try await FlowFixture.started(.restV2, world: .withTempPass())
        try await session.selectProvider("TempPass")
        _ = log.take()
        fixture.answer(.authorization, ServiceDialect.refusal(code, status: 403, action: "none"))
        await #expect(throws: TVEError(.notAuthorized)) { try await session.authorize("DEMO-1") }
        #expect(log.take() == [status, "authz notAuthorized"])
        fixture.transport.setScript { _, _ in nil }
        _ = try await session.authorize("DEMO-1")
        // The permission may have changed the metadata, so the service is asked for the login again.
        fixture.answer(.outcome, ServiceDialect.refusal(code, status: 403, action: "none"))
        #expect(await fixture.isLoggedInAfterAll(session))
    }

    /// The classic services name a few reasons, and none of these is the end of a trial.
    @Test func overTheClassicServices_aDegradation_doesNotEndTheTempPass() async throws {
        var world = SandboxWorld.withTempPass()
        for index in world.providers.indices where world.providers[index].id == "TempPass" {
            world.providers[index].degradation = .authorizeNone
        }
        let (_, session, log) = try await FlowFixture.started(.classic, world: world)
        try await session.selectProvider("TempPass")
        _ = log.take()
        await #expect(throws: TVEError(.notAuthorized)) { try await session.authorize("DEMO-1") }
        #expect(log.take() == ["Z169", "authz notAuthorized"])
    }

    /// Only a code of the classic services means the end of a trial, because they name no reason.
    @Test func aDenialWithoutAnyReason_doesNotSayThatTheTempPassIsOver() async throws {
        let (fixture, session, log) = try await FlowFixture.started(.restV2, world: .withTempPass())
        try await session.selectProvider("TempPass")
        _ = log.take()
        fixture.answer(.authorization, ServiceDialect.restV2.decisions([("DEMO-1", false, nil)]))
        await #expect(throws: TVEError(.notAuthorized)) { try await session.authorize("DEMO-1") }
        #expect(log.take() == ["Z100", "authz notAuthorized"])
    }

    @Test(.row("TP6"), arguments: ServiceDialect.allCases)
    func tracksTheDevice_notAPerson(dialect: ServiceDialect) async throws {
        let (session, _) = try await FlowFixture(dialect, world: .withTempPass()).session()
        try await session.selectProvider("TempPass")
        let profile = await session.profile
        let device = DeviceIdentity(seed: "device-1", app: nil).deviceID
        #expect(profile?.mvpdID == "TempPass" && profile?.trackingID == Logins.trackingID(device))
    }

    @Test(.row("TP8"), arguments: ServiceDialect.allCases)
    func leavesForARealProvider_withoutALogout(dialect: ServiceDialect) async throws {
        let (session, _) = try await FlowFixture(dialect, world: .withTempPass()).session()
        try await session.selectProvider("TempPass")
        try await session.selectProvider(nil)
        #expect(try await session.shownByALogin() == ["picker: demo-cable demo-fiber TempPass", "login"])
    }

    @Test(.row("AZ10", "Z011"), arguments: ServiceDialect.allCases)
    func reportsThatATempPassOpenedTheDoor(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect, world: .withTempPass()).session()
        try await session.selectProvider("TempPass")
        _ = log.take()
        _ = try await session.authorize("DEMO-PLUS")
        #expect(log.take() == ["Z011", "authz cached false"])
    }

    @Test(.row("SP10", "TP9"), arguments: ServiceDialect.allCases)
    func waitsForTheIdentity_ofAPromotionalPass(dialect: ServiceDialect) async throws {
        let world = SandboxWorld.withTempPass(.init(seconds: 600, identityKey: "email", resourceLimit: 2))
        let (session, log) = try await FlowFixture(dialect, world: world).session()
        try await session.selectProvider("TempPass")
        #expect(log.take() == ["selected TempPass"])
        let viewer = ViewerWhoLogsIn()
        try await session.authenticate(using: viewer, data: Self.identity)
        #expect(viewer.shown.isEmpty)
        #expect(log.take() == ["N011", "authn cached false", "authenticated"])
        _ = try await session.authorize("DEMO-1", data: Self.identity)
    }

    /// The viewer chooses the pass in the picker of the login that the play shows.
    @Test(arguments: ServiceDialect.allCases)
    func receivesTheIdentity_fromAPlayThatLogsTheViewerIn(dialect: ServiceDialect) async throws {
        let world = SandboxWorld.withTempPass(.init(seconds: 600, identityKey: "email"))
        let (session, _) = try await FlowFixture(dialect, world: world).session()
        let viewer = ViewerWhoLogsIn(choice: "TempPass")
        let token = try await session.authorize("DEMO-1", data: Self.identity, using: viewer)
        #expect(token.claims.mvpdID == "TempPass")
    }

    /// Nobody has to type a code for a login without a viewer.
    @Test(arguments: ServiceDialect.allCases)
    func showsNoCode_onATelevision(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect, world: .withTempPass())
        let (session, log) = try await fixture.session { $0.loginStyle = .secondScreen }
        let viewer = ViewerWhoLogsIn(choice: "TempPass")
        let login = Task { try await session.authenticate(using: viewer) }
        #expect(await login.endsSoon())
        login.cancel()
        #expect(try await login.value.mvpdID == "TempPass")
        #expect(viewer.shownCodes.isEmpty && log.count(of: "REGCODE") == 0)
    }

    /// A trial belongs to the device, too: another address brings no second one.
    @Test(.row("TP9"), arguments: ServiceDialect.allCases)
    func aSecondPersonOnADevice_hasTheTrialOfTheFirst(dialect: ServiceDialect) async throws {
        let world = SandboxWorld.withTempPass(.init(seconds: 600, identityKey: "email", resourceLimit: 2))
        let (session, _) = try await FlowFixture(dialect, world: world).session()
        try await session.selectProvider("TempPass")
        try await session.authenticate(using: ViewerWhoLogsIn(), data: Self.identity)
        _ = try await session.authorize("DEMO-1", data: Self.identity)
        let other: [String: MetadataValue] = ["email": "another"]
        try await session.authenticate(using: ViewerWhoLogsIn(), isForced: true, data: other)
        #expect(try await session.metadata(.user("remaining_resources"))?.value == .number(1))
        _ = try await session.authorize("DEMO-2", data: other)
        await #expect(throws: TVEError(.notAuthorized)) { try await session.authorize("DEMO-PLUS", data: other) }
    }

    /// The service has no profile of such a pass any more, and still permits what the pass has opened.
    @Test(.row("TP9"))
    func overRESTv2_aPassWithoutResources_logsNobodyIn_andPlaysWhatItHasOpened() async throws {
        let world = SandboxWorld.withTempPass(.init(seconds: 600, identityKey: "email", resourceLimit: 1))
        let (fixture, session, log) = try await FlowFixture.started(.restV2, world: world)
        try await session.selectProvider("TempPass")
        try await session.authenticate(using: ViewerWhoLogsIn(), data: Self.identity)
        _ = try await session.authorize("DEMO-1", data: Self.identity)
        fixture.clock.advance(by: 60)
        _ = await session.authenticationStatus()
        await session.refreshTask?.value
        #expect(await session.isLoggedIn)
        _ = log.take()
        let error = await #expect(throws: TVEError(.temporaryAccessExpired)) {
            try await session.authenticate(using: ViewerWhoLogsIn(), isForced: true, data: Self.identity)
        }
        #expect(error?.viewerSentence.english == "You have used up this offer." && log.take().contains("N111"))
        _ = try await session.authorize("DEMO-1", data: Self.identity)
        await #expect(throws: TVEError(.notAuthorized)) {
            try await session.authorize("DEMO-2", data: Self.identity)
        }
    }

    /// No page was shown, so none was closed.
    @Test(.row("TP9"), arguments: ServiceDialect.allCases)
    func saysThatAnIdentityIsMissing(dialect: ServiceDialect) async throws {
        let world = SandboxWorld.withTempPass(.init(seconds: 600, identityKey: "email"))
        let (session, log) = try await FlowFixture(dialect, world: world).session()
        try await session.selectProvider("TempPass")
        let viewer = ViewerWhoLogsIn()
        let error = await #expect(throws: TVEError(.viewerIdentityMissing)) {
            try await session.authenticate(using: viewer)
        }
        #expect(error?.status == .authenticationFailed && error?.recovery == .fixConfiguration)
        #expect(viewer.shown == [])
        #expect(log.take().suffix(3) == ["N500", "authn false", "not: viewerIdentityMissing"])
    }

    /// The data have a name that the service does not expect, also where the service does not call the pass temporary.
    @Test(
        .row("TP9"),
        arguments: [(ServiceDialect.classic, "temporary"), (.restV2, "temporary"), (.restV2, "authenticated")])
    func asksOnce_whenTheIdentityHasAnotherName(dialect: ServiceDialect, reason: String) async throws {
        let world = SandboxWorld.withTempPass(.init(seconds: 600, identityKey: "email"))
        let (fixture, session, _) = try await FlowFixture.started(dialect, world: world)
        try await session.selectProvider("TempPass")
        let codes = Guarded(0)
        fixture.transport.setScript { request, _ in
            guard fixture.isAt(.code, request) else { return nil }
            let count = codes.withLock { count in
                count += 1
                return count
            }
            // A login that began again and again would never end.
            if count > 5 { return .failure(.unreachable) }
            return .rewritten { $0.replacing("\"temporary\"", with: "\"\(reason)\"") }
        }
        await #expect(throws: TVEError(.viewerIdentityMissing)) {
            try await session.authenticate(using: ViewerWhoLogsIn(), data: ["mail": "0f3c"])
        }
        #expect(codes.withLock(\.self) == 1)
    }

    @Test(.row("TP9", "TP10"), arguments: ServiceDialect.allCases)
    func knowsAPersonOnAnotherDevice_andTellsWhatIsLeft(dialect: ServiceDialect) async throws {
        let world = SandboxWorld.withTempPass(.init(seconds: 600, identityKey: "email", resourceLimit: 2))
        let (fixture, session, _) = try await FlowFixture.started(dialect, world: world)
        try await session.selectProvider("TempPass")
        try await session.authenticate(using: ViewerWhoLogsIn(), data: Self.identity)
        #expect(try await session.metadata(.user("remaining_resources"))?.value == .number(2))
        _ = try await session.authorize("DEMO-1", data: Self.identity)
        let viewer = ViewerWhoLogsIn(choice: nil)
        try await session.authenticate(using: viewer, isForced: true, data: Self.identity)
        #expect(viewer.shown.isEmpty, "TP10: no picker")
        #expect(try await session.metadata(.user("remaining_resources"))?.value == .number(1))
        let (other, _) = try await fixture.session(device: "device-2")
        try await other.selectProvider("TempPass")
        try await other.authenticate(using: ViewerWhoLogsIn(), data: Self.identity)
        _ = try await other.authorize("DEMO-2", data: Self.identity)
        await #expect(throws: TVEError(.notAuthorized)) { try await other.authorize("DEMO-PLUS", data: Self.identity) }
    }

    @Test(.row("TP11"), arguments: ServiceDialect.allCases)
    func sharesNothing_betweenRequestors(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect, world: .withTempPass())
        try await session.selectProvider("TempPass")
        let (other, _) = try await fixture.session(requestor: "DEMO2")
        #expect(await other.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
    }

    @Test(.row("LO7"), arguments: ServiceDialect.allCases)
    func opensNoPage(dialect: ServiceDialect) async throws {
        let (session, _) = try await FlowFixture(dialect, world: .withTempPass()).session()
        try await session.selectProvider("TempPass")
        let viewer = ViewerWhoLogsIn()
        try await session.logout(using: viewer)
        #expect(viewer.shown.isEmpty)
    }

    @Test(
        arguments: ServiceDialect.allCases,
        [
            ScriptedTransport.Answer.failure(.unreachable), .response(status: 503, body: ""),
        ])
    func saysNothingAboutThePass_whenTheServiceFailed(
        dialect: ServiceDialect, answer: ScriptedTransport.Answer
    ) async throws {
        let (fixture, session, log) = try await FlowFixture.started(dialect, world: .withTempPass())
        fixture.answer(.outcome, answer)
        await #expect(throws: TVEError.self) { try await session.selectProvider("TempPass") }
        fixture.transport.setScript { _, _ in nil }
        _ = log.take()
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
        #expect(log.take().first == "N000")
        try await session.selectProvider("TempPass")
        _ = try await session.authorize("DEMO-1")
    }

    /// The viewer logs out while the service logs the device in, or while the kind of the chosen provider is unknown.
    @Test(arguments: [
        (ServiceDialect.classic, Moment.outcome), (.restV2, .outcome), (.restV2, .configuration),
    ])
    func staysLoggedOut_whenTheViewerLogsOutMeanwhile(dialect: ServiceDialect, moment: Moment) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect, world: .withTempPass())
        let gate = AsyncStream<Void>.makeStream()
        let arrived = AsyncStream<Void>.makeStream()
        fixture.transport.setInterception { request, _ in
            guard fixture.isAt(moment, request) else { return nil }
            arrived.continuation.yield()
            for await _ in gate.stream { break }
            return nil
        }
        let choice = Task { try await session.selectProvider("TempPass") }
        _ = await arrived.stream.first { _ in true }
        try await session.logout()
        gate.continuation.finish()
        _ = try? await choice.value
        #expect(fixture.entitlements == 0)
    }

    @Test(arguments: ServiceDialect.allCases)
    func saysNothing_aboutAPassThatIsStillGood_whenSelectedAgain(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.started(dialect, world: .withTempPass())
        try await session.selectProvider("TempPass")
        _ = log.take()
        let asked = fixture.transport.requests.count
        try await session.selectProvider("TempPass")
        #expect(log.take() == ["selected TempPass", "authn cached true", "authenticated"])
        #expect(fixture.transport.requests.count == asked)
        // No account could have been exchanged for another one.
        #expect(try await session.shownByALogin().isEmpty)
        #expect(fixture.transport.requests.count == asked)
    }
}
