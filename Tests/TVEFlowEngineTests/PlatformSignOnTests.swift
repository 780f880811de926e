import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.fewAtATime, .timeLimit(.hanging))
struct PlatformSignOnTests {
    // Errors of the platform's part, what is reported, and that the viewer can choose in the app.
    @Test(
        .row("AS5", "AS6", "AS7", "AS8", "AS9", "AS16", "D-32", "D-33", "N003", "N004", "VSA503"),
        arguments: ServiceDialect.both([
            ("AS5", ScriptedPlatform.Script(access: .denied), "VSA403"),
            ("AS6", .init(access: .undetermined), "VSA404"),
            ("AS7", .init(failing: .failed("VSErrorDomain 3")), "VSA503"),
            ("AS8", .init(picker: .failure(.unsupportedProvider(id: nil))), "N003"),
            ("AS16", .init(failing: .notOffered), "N003"), ("AS16", .init(access: .notOffered), "N003"),
            ("AS7", .init(access: .failed(domain: "VSErrorDomain", code: 3)), "VSA503"),
            ("AS9", .init(picker: .success("apple-other")), "N004"),
            ("AS9", .init(picker: .failure(.unsupportedProvider(id: "apple-other"))), "N004"),
        ]))
    func fallsBackToThePicker(
        dialect: ServiceDialect, row: String, script: ScriptedPlatform.Script, status: String
    ) async throws {
        let (_, _, session, log) = try await ScriptedPlatform.session(dialect, script)
        _ = log.take()
        let viewer = ViewerWhoLogsIn()
        try await session.authenticate(using: viewer)
        #expect(log.take() == [status, "selected demo-cable", "authn cached false", "authenticated"], "\(row)")
        #expect(viewer.shown.suffix(2) == ["picker: demo-cable demo-fiber", "login"], "\(row)")
        #expect(log.explanations.contains("VSA503 VSErrorDomain 3") == (row == "AS7"), "\(row)")
    }

    @Test(.row("AS10", "D-13"), arguments: ServiceDialect.allCases)
    func stops_whenTheViewerCancelsThere(dialect: ServiceDialect) async throws {
        let (_, _, session, log) = try await ScriptedPlatform.session(dialect, .init(picker: .failure(.cancelled)))
        _ = log.take()
        let viewer = ViewerWhoLogsIn()
        await #expect(throws: TVEError(.providerNotSelected)) { try await session.authenticate(using: viewer) }
        #expect(log.take() == ["N005", "authn false", "not: providerNotSelected"])
        #expect(viewer.shown == ["platform dialog"])
    }

    /// The login has waited five seconds for the configuration, which arrives before the platform shows its picker.
    @Test func offersTheProviders_ofAConfigurationThatArrivesLate() async throws {
        var world = SandboxWorld.withPlatform()
        world.providers[1].platformID = "apple-fiber"
        let (fixture, _, session, _) = try await ScriptedPlatform.session(
            .restV2, .init(picker: .success("apple-fiber")), world: world, started: false)
        fixture.answer(.configuration, .rewritten { $0.replacing("apple-fiber", with: "apple-other") })
        try await session.start()
        fixture.clock.advance(by: 200)
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.configuration, request) { await answer.pass() }
            return nil
        }
        let viewer = ViewerWhoLogsIn()
        let login = Task { try await session.authenticate(using: viewer) }
        await answer.arrival()
        await fixture.clock.advanceOnceSomethingSleeps(by: 5)
        // The login needs only a moment to go on to the platform.
        for _ in 0..<20 { await Task.shortPause() }
        answer.open()
        #expect(try await login.value.mvpdID == "demo-fiber")
        #expect(viewer.shown == ["platform dialog"], "The platform's picker offers the provider.")
    }

    /// The platform may have to log the viewer in again before it answers the service.
    @Test(.row("AS10", "D-13"), arguments: ServiceDialect.allCases)
    func stops_whenTheViewerClosesThePlatformsLogin(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect, world: .withPlatform())
        let (session, log) = try await fixture.session { $0.platform = PlatformWhoseLoginIsClosed() }
        _ = log.take()
        let viewer = ViewerWhoLogsIn()
        await #expect(throws: TVEError(.providerNotSelected)) { try await session.authenticate(using: viewer) }
        #expect(log.take() == ["N005", "authn false", "not: providerNotSelected"])
        #expect(viewer.shown == ["platform dialog"])
    }

    @Test(
        .row("AS11"),
        arguments: ServiceDialect.allCases,
        [
            Result<String, PlatformSignOnError>.success("apple-cable"),
            .failure(.unsupportedProvider(id: "apple-cable")),
        ])
    func goesOnHere_withAProviderThatThePlatformOnlyLists(
        dialect: ServiceDialect, picker: Result<String, PlatformSignOnError>
    ) async throws {
        let world = SandboxWorld.withPlatform { $0.boardingStatus = "PICKER" }
        let (_, _, session, log) = try await ScriptedPlatform.session(dialect, .init(picker: picker), world: world)
        _ = log.take()
        let viewer = ViewerWhoLogsIn(choice: nil)
        try await session.authenticate(using: viewer)
        #expect(viewer.shown == ["platform dialog", "login"])
        #expect(log.take() == ["selected demo-cable", "authn cached false", "authenticated"])
    }

    /// The viewer has chosen in the platform's picker, which cannot log in with the provider.
    @Test(.row("AS11"), arguments: ServiceDialect.allCases, ["SUPPORTED", "NONE", nil])
    func goesOnHere_withEveryProviderThatTheRequestorHas(dialect: ServiceDialect, boarding: String?) async throws {
        var world = SandboxWorld.withPlatform()
        let fiber = try #require(world.providers.firstIndex { $0.id == "demo-fiber" })
        world.providers[fiber].platformID = "apple-fiber"
        world.providers[fiber].boardingStatus = boarding
        let picker = Result<String, PlatformSignOnError>.failure(.unsupportedProvider(id: "apple-fiber"))
        let (_, _, session, log) = try await ScriptedPlatform.session(dialect, .init(picker: picker), world: world)
        _ = log.take()
        let viewer = ViewerWhoLogsIn(choice: nil)
        try await session.authenticate(using: viewer)
        #expect(viewer.shown == ["platform dialog", "login"])
        #expect(log.take().first == "selected demo-fiber")
    }

    /// The platform's picker can list providers of the filter that the platform itself does not know.
    @Test(arguments: ServiceDialect.allCases)
    func goesOnHere_withAProviderThatOnlyTheAppLists(dialect: ServiceDialect) async throws {
        let picker = Result<String, PlatformSignOnError>.failure(.unsupportedProvider(id: "demo-fiber"))
        let (_, platform, session, log) = try await ScriptedPlatform.session(dialect, .init(picker: picker))
        var filter = PlatformPickerFilter(providers: ["demo-fiber", "demo-cable"])
        for lists in [false, true] {
            _ = log.take()
            filter.listsOtherProviders = lists
            let viewer = ViewerWhoLogsIn(choice: lists ? nil : "demo-cable")
            try await session.authenticate(using: viewer, isForced: true, filter: filter)
            let request = try #require(platform.requests.last { $0.mayInterrupt })
            #expect(request.otherProviders.map(\.id) == (lists ? ["demo-fiber"] : []) && request.isForced)
            #expect(viewer.shown.contains { $0.hasPrefix("picker") } == !lists)
            #expect(log.take().contains(lists ? "selected demo-fiber" : "N004"))
        }
    }

    @Test(.row("GA4", "AS12", "wire protocol, 4.9"), arguments: ServiceDialect.allCases)
    func logsIn_withAProviderThatThePlatformSupports(dialect: ServiceDialect) async throws {
        let (_, platform, session, log) = try await ScriptedPlatform.session(
            dialect, .init(picker: .success("apple-cable")))
        _ = log.take()
        let viewer = ViewerWhoLogsIn(choice: nil)
        #expect(try await session.authenticate(using: viewer).mvpdID == "demo-cable")
        #expect(viewer.shown == ["platform dialog"])
        #expect(log.take() == ["authn cached false", "authenticated"])
        // The start asked silently before.
        #expect(platform.requests.count == 3 && platform.requests.last?.samlRequest != nil)
        // Only the service of REST API v2 names attributes, and the configuration names none.
        #expect(platform.requests.last?.attributeNames == (dialect == .restV2 ? ["uid", "NameID"] : []))
    }

    // The test is limited to the classic services, because the configuration of REST API v2 names no attributes.
    @Test func asksThePlatform_forTheAttributesOfTheConfiguration() async throws {
        let (fixture, platform, session, _) = try await ScriptedPlatform.session(
            .classic, .init(picker: .success("apple-cable")), started: false)
        let attributes = "<requiredMetadataFields><field>zip</field><field>plan</field></requiredMetadataFields>"
        fixture.answer(.configuration, .rewritten { $0.replacing("</mvpd>", with: "\(attributes)</mvpd>") })
        try await session.start()
        try await session.authenticate(using: ViewerWhoLogsIn(choice: nil))
        #expect(platform.requests.last?.attributeNames == ["zip", "plan"])
    }

    @Test(arguments: ServiceDialect.allCases)
    func asksThePlatformNothing_forAProviderThatItsPickerDoesNotShow(dialect: ServiceDialect) async throws {
        let (fixture, platform, session, _) = try await ScriptedPlatform.session(
            dialect, .init(signedIn: "apple-cable"), started: false)
        fixture.answer(
            .configuration,
            .rewritten {
                $0.replacing("<displayInPlatformPicker>true", with: "<displayInPlatformPicker>false")
                    .replacing("\"displayInPlatformPicker\":true", with: "\"displayInPlatformPicker\":false")
            })
        try await session.start()
        let viewer = ViewerWhoLogsIn()
        try await session.authenticate(using: viewer)
        #expect(platform.requests.isEmpty)
        #expect(viewer.shown == ["picker: demo-cable demo-fiber", "login"])
    }

    /// Since the start, the operator has removed the provider from the platform's picker.
    @Test(.row("CL5")) func asksThePlatform_forTheProvidersOfARecentConfiguration() async throws {
        let (fixture, platform, session, _) = try await ScriptedPlatform.session(
            .restV2, .init(picker: .failure(.unsupportedProvider(id: nil))))
        fixture.answer(
            .configuration,
            .rewritten {
                $0.replacing("\"displayInPlatformPicker\":true", with: "\"displayInPlatformPicker\":false")
            })
        fixture.clock.advance(by: 200)
        let viewer = ViewerWhoLogsIn()
        try await session.authenticate(using: viewer)
        #expect(!platform.requests.contains { $0.mayInterrupt })
        #expect(viewer.shown == ["picker: demo-cable demo-fiber", "login"])
    }

    /// The service may know better what the platform's status is worth.
    @Test(
        arguments: [
            ("invalid_header_pfs_provider_id_mismatch", "selected demo-cable", nil, ["platform dialog", "login"]),
            (
                "invalid_header_pfs_permission_access_not_granted", "VSA403", "demo-cable",
                ["platform dialog", "picker: demo-cable demo-fiber", "login"]
            ),
        ] as [(String, String, MVPDID?, [String])])
    func logsInHere_whenTheServiceRefusesThePlatformsStatus(
        code: String, word: String, choice: MVPDID?, shown: [String]
    ) async throws {
        let (fixture, _, session, log) = try await ScriptedPlatform.session(
            .restV2, .init(picker: .success("apple-cable")))
        fixture.answer("/sessions/sso/", ServiceDialect.refusal(code, status: 400, action: "none"))
        _ = log.take()
        let viewer = ViewerWhoLogsIn(choice: choice)
        #expect(try await session.authenticate(using: viewer).mvpdID == "demo-cable")
        #expect(viewer.shown == shown)
        #expect(log.take().first == word)
    }

    /// The service has a login that the viewer has made at a page, and returns it instead of the platform's.
    @Test func keepsALoginOfItsOwn_thatTheServiceReturnsToThePlatform() async throws {
        let (fixture, platform, session, _) = try await ScriptedPlatform.session(
            .restV2, .init(picker: .failure(.unsupportedProvider(id: nil))))
        try await session.authenticate(using: ViewerWhoLogsIn())
        fixture.storage.apply([.removeAll(under: StorageKey("requestor"))])
        platform.change { $0.picker = .success("apple-cable") }
        let viewer = ViewerWhoLogsIn(choice: nil)
        try await session.authenticate(using: viewer)
        #expect(viewer.shown == ["platform dialog"])
        platform.change { $0.signedIn = nil }
        // The service must not answer instead of the store.
        fixture.fail("/profiles")
        try await session.start()
        #expect(await session.isLoggedIn)
    }

    /// A note of the platform at a login was reported with that login.
    @Test(arguments: ServiceDialect.allCases)
    func explainsAStatusOnlyByTheStart(dialect: ServiceDialect) async throws {
        let (_, platform, session, log) = try await ScriptedPlatform.session(dialect, .init())
        platform.change { $0.access = .denied }
        await #expect(throws: TVEError(.providerNotSelected)) {
            try await session.authenticate(using: ViewerWhoLogsIn(choice: nil))
        }
        #expect(log.take().first == "VSA403")
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
        #expect(log.take() == ["N000", "authn false", "not: notAuthenticated"])
    }

    @Test(.row("AS13"), arguments: ServiceDialect.allCases)
    func showsThePicker_whenTheServiceRefusesThePlatformsAnswer(dialect: ServiceDialect) async throws {
        let script = ScriptedPlatform.Script(picker: .success("apple-cable"), viewer: "nobody the service knows")
        let (_, _, session, log) = try await ScriptedPlatform.session(dialect, script)
        _ = log.take()
        let viewer = ViewerWhoLogsIn()
        try await session.authenticate(using: viewer)
        #expect(log.take().first == "VSA503")
        #expect(!log.explanations.isEmpty && !log.explanations.contains("VSA503 "))
        #expect(viewer.shown == ["platform dialog", "picker: demo-cable demo-fiber", "login"])
    }

    /// The platform's login ends between the viewer's choice and the answer to the service.
    @Test(arguments: ServiceDialect.allCases)
    func showsThePicker_whenThePlatformsLoginEndsMeanwhile(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect, world: .withPlatform())
        let platform = PlatformWhoseLoginEnds(clock: fixture.clock)
        let (session, log) = try await fixture.session { $0.platform = platform }
        _ = log.take()
        let viewer = ViewerWhoLogsIn()
        try await session.authenticate(using: viewer)
        #expect(log.take().first == "VSA503")
        #expect(viewer.shown == ["platform dialog", "picker: demo-cable demo-fiber", "login"])
        let exchange = dialect == .classic ? "POST /api/v1/tokens/authn" : "POST /api/v2/DEMO/profiles/sso/Apple"
        #expect(!fixture.transport.requests.contains(exchange))
    }

    @Test(.row("AS14", "AS20"), arguments: ServiceDialect.allCases)
    func logsInAgainWithoutADialog_whenOnlyOurLoginRanOut(dialect: ServiceDialect) async throws {
        let (fixture, _, session, log) = try await ScriptedPlatform.session(dialect, .init(signedIn: "apple-cable"))
        fixture.clock.advance(by: 31 * 86_400)
        _ = log.take()
        let viewer = ViewerWhoLogsIn(choice: nil)
        try await session.authenticate(using: viewer)
        #expect(viewer.shown.isEmpty)
        #expect(log.take() == ["authn cached false", "authenticated"])
    }

    @Test(.row("AS19"), arguments: ServiceDialect.allCases)
    func asks_whenBothLoginsRanOut(dialect: ServiceDialect) async throws {
        let (fixture, platform, session, _) = try await ScriptedPlatform.session(
            dialect, .init(signedIn: "apple-cable"))
        fixture.clock.advance(by: 31 * 86_400)
        platform.change {
            $0.signedIn = nil
            $0.picker = .failure(.cancelled)
        }
        let viewer = ViewerWhoLogsIn(choice: nil)
        await #expect(throws: TVEError(.providerNotSelected)) { try await session.authenticate(using: viewer) }
        #expect(viewer.shown == ["platform dialog"])
    }

    @Test(.row("AS21"), arguments: ServiceDialect.allCases)
    func asksThePlatformNothing_whileOurLoginLasts(dialect: ServiceDialect) async throws {
        let (_, platform, session, _) = try await ScriptedPlatform.session(dialect, .init(signedIn: "apple-cable"))
        platform.change { $0.signedIn = nil }
        let asked = platform.requests.count
        try await session.authenticate(using: ViewerWhoLogsIn(choice: nil))
        #expect(platform.requests.count == asked)
    }

    @Test(.row("AS17"), arguments: ServiceDialect.allCases)
    func reportsDegradation(dialect: ServiceDialect) async throws {
        let world = SandboxWorld.withPlatform { $0.degradation = .authenticateAll }
        let (_, _, _, log) = try await ScriptedPlatform.session(dialect, .init(signedIn: "apple-cable"), world: world)
        #expect(log.take() == ["N010", "authn cached false", "authenticated"])
    }

    @Test(.row("M15"), arguments: ServiceDialect.allCases)
    func filtersThePicker_inTheAppsOrder(dialect: ServiceDialect) async throws {
        var world = SandboxWorld.withPlatform()
        world.providers[1].platformID = "apple-fiber"
        let (_, platform, session, _) = try await ScriptedPlatform.session(dialect, .init(), world: world)
        let filter = PlatformPickerFilter(
            providers: ["demo-fiber", "unknown", "demo-cable"], featured: ["demo-cable", "unknown"])
        _ = try? await session.authenticate(using: ViewerWhoLogsIn(), filter: filter)
        let request = try #require(platform.requests.last)
        #expect(request.supportedProviderIDs.all == ["apple-fiber", "apple-cable"])
        #expect(request.featuredProviderIDs == ["apple-cable"] && request.mayInterrupt)
    }

    /// To the platform an empty list means every provider that it knows.
    @Test(
        .row("AS15"),
        arguments: ServiceDialect.both(
            [
                ("none of the app's ids is known", ["unknown"]), ("the app offers none", []),
                ("none takes part", ["demo-fiber"]),
            ] as [(String, [MVPDID])]))
    func leavesTheChoiceToTheApp_whenThePlatformCanOfferNone(
        dialect: ServiceDialect, reason: String, offered: [MVPDID]
    ) async throws {
        let (_, platform, session, _) = try await ScriptedPlatform.session(dialect, .init())
        let asked = platform.requests.count
        let viewer = ViewerWhoLogsIn()
        try await session.authenticate(using: viewer, filter: PlatformPickerFilter(providers: offered))
        #expect(platform.requests.count == asked, "\(reason)")
        #expect(viewer.shown == ["picker: demo-cable demo-fiber", "login"], "\(reason)")
    }

    @Test(arguments: ServiceDialect.allCases)
    func takesTheViewersOwnChoice_beforeThePlatforms(dialect: ServiceDialect) async throws {
        let (_, _, session, _) = try await ScriptedPlatform.session(dialect, .init(picker: .success("apple-cable")))
        try await session.selectProvider("demo-fiber")
        let viewer = ViewerWhoLogsIn(choice: nil)
        #expect(try await session.authenticate(using: viewer).mvpdID == "demo-fiber")
        #expect(viewer.shown == ["login"])
    }

    @Test(
        .row("LO11", "LO4", "LO5", "VSA203"),
        arguments: ServiceDialect.both([("LO4", LoginStyle.browser, ["logout"]), ("LO5", .secondScreen, [])]))
    func tellsToSignOutInTheSettings(
        dialect: ServiceDialect, row: String, style: LoginStyle, shown: [String]
    ) async throws {
        let fixture = try await FlowFixture(dialect, world: .withPlatform())
        let platform = ScriptedPlatform(.init(signedIn: "apple-cable"))
        let (session, log) = try await fixture.session {
            $0.platform = platform
            $0.loginStyle = style
        }
        _ = log.take()
        let viewer = ViewerWhoLogsIn()
        try await session.logout(using: viewer)
        #expect(log.take() == ["VSA203", "authn false", "not: notAuthenticated"], "\(row)")
        // REST API v2 reports that there is nothing to open: the viewer signs out in the system's settings.
        #expect(viewer.shown == (dialect == .classic ? shown : []), "\(row)")
    }

    /// The service does not answer, so only the store knows which login came from the platform.
    @Test func tellsToSignOutInTheSettings_alsoForALoginThatIsNotTheChosenOne() async throws {
        let (fixture, _, session, log) = try await ScriptedPlatform.session(.restV2, .init(signedIn: "apple-cable"))
        try await session.selectProvider("demo-fiber")
        try await session.authenticate(using: ViewerWhoLogsIn(choice: nil))
        fixture.answer("/logout/", .response(status: 500, body: ""))
        _ = log.take()
        try await session.logout(of: "demo-cable")
        #expect(log.take() == ["VSA203"])
        try await session.logout(of: "demo-fiber")
        #expect(log.take() == ["authn false", "not: notAuthenticated"])
    }

    @Test(.row("AS6"), arguments: ServiceDialect.allCases, [PlatformAccess.granted, .undetermined])
    func asksTheViewerForAccess_atALogin(dialect: ServiceDialect, answer: PlatformAccess) async throws {
        var script = ScriptedPlatform.Script(access: .undetermined, picker: .success("apple-cable"))
        script.answerToRequest = answer
        let (_, _, session, log) = try await ScriptedPlatform.session(dialect, script)
        #expect(log.take() == ["VSA404"], "The start does not ask.")
        let viewer = ViewerWhoLogsIn()
        try await session.authenticate(using: viewer)
        #expect(viewer.shown.contains("platform dialog") == (answer == .granted))
    }

    /// The service refuses a status that names another provider than the request.
    @Test(.row("REST API v2, 3.6"), arguments: ["apple-elsewhere", "apple-cable"])
    func choosesATempPass_whateverAccountTheViewerHasOnThePlatform(account: String) async throws {
        var world = SandboxWorld.withTempPass()
        world.providers[0].platformID = "apple-cable"
        world.requestors[0].providers = world.requestors[0].providers.filter { $0 != "demo-fiber" }
        let fixture = try await FlowFixture(.restV2, world: world)
        let (session, log) = try await fixture.session {
            $0.platform = ScriptedPlatform(.init(signedIn: account))
        }
        try await session.selectProvider("TempPass")
        #expect(log.take().suffix(2) == ["authn cached false", "authenticated"])
        #expect(fixture.transport.requests.contains { $0.contains("/profiles/TempPass") })
        _ = try await session.authorize("DEMO-1")
    }

    /// The platform was asked again for a play, and its answer is about its own provider as before.
    @Test(.row("REST API v2, 3.6"))
    func choosesATempPass_afterThePlatformWasAskedAgain() async throws {
        var world = SandboxWorld.withTempPass()
        world.providers[0].platformID = "apple-cable"
        let fixture = try await FlowFixture(.restV2, world: world)
        let (session, log) = try await fixture.session {
            $0.platform = ScriptedPlatform(.init(signedIn: "apple-cable"))
        }
        let isFirst = Guarded(true)
        fixture.transport.setScript { request, _ in
            guard fixture.isAt(.authorization, request), isFirst.taken() else { return nil }
            return ServiceDialect.refusal("authenticated_profile_missing", status: 403, action: "authentication")
        }
        _ = try? await session.authorize("DEMO-1")
        _ = log.take()
        try await session.selectProvider("TempPass")
        #expect(log.take().suffix(2) == ["authn cached false", "authenticated"])
    }

    /// Plays with the old login carry the status of the new account, and the service refuses them.
    @Test(.row("AS18", "CL19"))
    func endsTheLogin_whenTheAccountHasMoved_andTheServiceGivesNoOther() async throws {
        var world = SandboxWorld.withPlatform()
        world.providers[1].platformID = "apple-fiber"
        let (fixture, platform, first, _) = try await ScriptedPlatform.session(
            .restV2, .init(signedIn: "apple-cable"), world: world)
        await first.end()
        platform.change { $0.signedIn = "apple-fiber" }
        fixture.answer("/sessions/sso/", .response(status: 500, body: ""))
        let (session, _) = try await fixture.session { $0.platform = platform }
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
    }

    /// The answer to a logout whose login only the viewer can end, in the settings of the device.
    private static let signOutInTheSettings = ScriptedTransport.Answer.response(
        status: 200,
        body: "{\"logouts\":{\"demo-cable\":{\"actionName\":\"partner_logout\","
            + "\"actionType\":\"partner_interactive\",\"mvpd\":\"demo-cable\"}}}")

    /// The store does not know that the login came from the platform, and the service does.
    @Test(.row("LO11", "CL19"), arguments: [true, false])
    func tellsToSignOutInTheSettings_whenTheServiceSaysSo(isStored: Bool) async throws {
        let fixture = try await FlowFixture(.restV2, world: .withPlatform())
        let (session, log) = try await fixture.session {
            $0.platform = ScriptedPlatform(.init(signedIn: "apple-cable"))
        }
        fixture.storage.apply(
            [.removeAll(under: isStored ? fixture.login.appending("platform") : fixture.login)])
        fixture.answer("/logout/", Self.signOutInTheSettings)
        _ = log.take()
        try await session.logout(using: ViewerWhoLogsIn())
        #expect(log.take().filter { $0 == "VSA203" } == ["VSA203"])
    }

    /// The viewer has chosen another provider since, and the device may have lost its copy of the login.
    @Test(arguments: [true, false])
    func tellsToSignOutInTheSettings_whenTheServiceSaysSo_ofALoginBesideTheChosenOne(isStored: Bool) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        try await session.selectProvider("demo-fiber")
        try await session.authenticate(using: ViewerWhoLogsIn())
        if !isStored { fixture.storage.apply([.removeAll(under: fixture.login)]) }
        fixture.answer("/logout/demo-cable", Self.signOutInTheSettings)
        _ = log.take()
        try await session.logout(using: ViewerWhoLogsIn())
        #expect(log.take().filter { $0 == "VSA203" } == ["VSA203"])
    }
}

/// A platform whose viewer chooses a provider and then closes its login.
private struct PlatformWhoseLoginIsClosed: PlatformSignOn {
    private let platform = ScriptedPlatform(.init(picker: .success("apple-cable")))

    func access(mayAsk: Bool) async -> PlatformAccess { await platform.access(mayAsk: mayAsk) }

    func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount {
        guard request.samlRequest == nil else { throw .cancelled }
        return try await platform.account(request, presenter: presenter)
    }
}

/// A platform whose login ends in the moment of its answer to the service.
private struct PlatformWhoseLoginEnds: PlatformSignOn {
    let clock: ManualClock
    let platform = ScriptedPlatform(.init(picker: .success("apple-cable")))

    func access(mayAsk: Bool) async -> PlatformAccess { await platform.access(mayAsk: mayAsk) }

    func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount {
        var account = try await platform.account(request, presenter: presenter)
        if account.samlResponse != nil { account.expires = clock.now }
        return account
    }
}
