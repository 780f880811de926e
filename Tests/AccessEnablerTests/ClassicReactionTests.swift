import AccessEnabler
import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Calls of apps inside their callbacks, and during other calls.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ClassicReactionTests {
    /// Both dialects, with callbacks on a queue and in place.
    static let everyRun = ServiceDialect.allCases.flatMap { service in [false, true].map { (service, $0) } }

    private static let success = ClassicCallback.authenticationStatus(1, code: "")
    private static let cancelled = ClassicCallback.authenticationStatus(0, code: PROVIDER_NOT_SELECTED_ERROR)

    /// Runs a reaction in the next callback that reports that the viewer is logged in.
    private func onceLoggedIn(_ app: ClassicApp, _ reaction: @escaping @Sendable (AccessEnabler) -> Void) {
        let isDue = Guarded(true)
        app.recorder.react { [weak enabler = app.enabler] callback in
            guard callback == Self.success, isDue.withLock({ $0 }) else { return }
            isDue.withLock { $0 = false }
            if let enabler { reaction(enabler) }
        }
    }

    private func login(_ app: ClassicApp) async throws {
        app.setRequestor()
        await app.openPicker()
        app.enabler.setSelectedProvider("demo-cable")
        try await app.browse()
        #expect(await app.loginStatus() == Self.success)
    }

    @Test(arguments: everyRun)
    func aLoginAskedForInTheAnswerToALogin_isAnsweredItself(service: ServiceDialect, isInline: Bool) async throws {
        let app = try await ClassicApp(service, isInline: isInline)
        onceLoggedIn(app) { $0.getAuthentication() }
        try await login(app)
        #expect(await app.loginStatus() == Self.success)
    }

    @Test(arguments: everyRun)
    func aForcedLoginAskedForInTheAnswerToALogin_showsTheProvidersPage(service: ServiceDialect, isInline: Bool)
        async throws
    {
        let app = try await ClassicApp(service, isInline: isInline)
        onceLoggedIn(app) { $0.getAuthentication(true, withData: nil) }
        try await login(app)
        // The viewer logged in a moment ago, so the provider is known and its page is shown.
        #expect(await app.callbacks(until: { $0.isNavigation || $0.isProviderDialog }).last?.isNavigation == true)
        app.enabler.setSelectedProvider(nil)
        #expect(await app.loginStatus() == Self.cancelled)
    }

    /// Makes the app call `getAuthentication` in every answer that says that nobody is logged in.
    ///
    /// - Returns: the number of these answers.
    private func repeatLogins(_ app: ClassicApp) -> Guarded<Int> {
        let answers = Guarded(0)
        app.recorder.react { [weak enabler = app.enabler] callback in
            guard case .authenticationStatus(0, _) = callback else { return }
            let count = answers.withLock { count -> Int in
                count += 1
                return count
            }
            // If nothing slows the app down, the test fails in place of running without an end.
            if count < 50 { enabler?.getAuthentication() }
        }
        return answers
    }

    /// Starts the app without a network, and waits until a call of the app waits.
    private func startWithoutNetwork(_ app: ClassicApp, _ answers: Guarded<Int>) async {
        app.transport.setScript { _, _ in .failure(.unreachable) }
        app.enabler.getAuthentication()
        app.setRequestor()
        while app.clock.sleepers == 0, answers.withLock(\.self) < 50, !Task.isCancelled { await Task.shortPause() }
    }

    /// Without a dialect, there is no session at all before the service has registered the application.
    @Test(.row("Q6"), arguments: [.classic, .restV2, nil] as [ServiceDialect?], [false, true])
    func aLoginAskedForAfterAFailedStart_waitsLongerEachTime_andStartsAgain(
        service: ServiceDialect?, isInline: Bool
    ) async throws {
        let app = try await ClassicApp(service, isInline: isInline)
        let answers = repeatLogins(app)
        await startWithoutNetwork(app, answers)
        // The first answer comes at once, and two pauses are so short that this clock passes them by itself.
        #expect(answers.withLock(\.self) == 3)
        app.transport.setScript { _, _ in nil }
        await app.clock.advanceOnceSomethingSleeps(by: 4)
        let callbacks = await app.callbacks(until: \.isProviderDialog)
        #expect(callbacks.filter(\.isRequestorComplete) == [.requestorComplete(0)])
        app.enabler.setSelectedProvider("demo-cable")
        try await app.browse()
        #expect(await app.loginStatus() == Self.success)
    }

    /// The answers come although no time passes.
    @Test(.row("Q6"), arguments: everyRun)
    func callsThatEndLogins_doNotWaitForAStartThatIsRepeated(service: ServiceDialect, isInline: Bool) async throws {
        let ends: [@Sendable (AccessEnabler) -> Void] = [{ $0.logout() }, { $0.setSelectedProvider(nil) }]
        for end in ends {
            let app = try await ClassicApp(service, isInline: isInline)
            let answers = repeatLogins(app)
            await startWithoutNetwork(app, answers)
            let before = answers.withLock(\.self)
            end(app.enabler)
            // The call whose pause ends is answered, and the one that ends it.
            #expect(await soon { answers.withLock(\.self) > before + 1 })
        }
    }

    /// In a network that swallows all requests, a start takes as long as their limits.
    @Test(.row("Q6"), arguments: everyRun)
    func anotherRequestor_endsAStartThatIsRepeated(service: ServiceDialect, isInline: Bool) async throws {
        let app = try await ClassicApp(service, isInline: isInline)
        app.transport.setScript { _, _ in .failure(.unreachable) }
        app.setRequestor()
        _ = await app.callbacks(until: \.isRequestorComplete)
        app.transport.setScript { _, _ in nil }
        let silence = app.holdRequests(for: "/")
        app.enabler.getAuthentication()
        await silence.arrival()
        app.setRequestor("DEMO2")
        let callbacks = await app.callbacks(until: \.isRequestorComplete)
        #expect(callbacks.last == .requestorComplete(1))
        // A login that ends because of another requestor has no callback.
        #expect(callbacks.filter(\.isAuthenticationStatus).isEmpty)
    }

    @Test(.row("Q6"), arguments: everyRun)
    func aNewStart_doesNotWaitForOneThatIsRepeated(service: ServiceDialect, isInline: Bool) async throws {
        let app = try await ClassicApp(service, isInline: isInline)
        await startWithoutNetwork(app, repeatLogins(app))
        app.transport.setScript { _, _ in nil }
        app.setRequestor()
        #expect(await app.callbacks(until: { $0 == .requestorComplete(1) }).last == .requestorComplete(1))
    }

    @Test(arguments: everyRun)
    func aChoiceTakenBackInTheAnswerToALogin_isAnswered(service: ServiceDialect, isInline: Bool) async throws {
        let app = try await ClassicApp(service, isInline: isInline)
        onceLoggedIn(app) { $0.setSelectedProvider(nil) }
        try await login(app)
        #expect(await app.loginStatus() == Self.cancelled)
    }

    /// Calls that log in, then one that ends logins, all made while `setRequestor` is in progress.
    @Test(arguments: everyRun)
    func aLoginThatWasEndedBeforeItsTurn_isNotShown(service: ServiceDialect, isInline: Bool) async throws {
        let ends: [@Sendable (AccessEnabler) -> Void] = [{ $0.logout() }, { $0.setSelectedProvider(nil) }]
        for end in ends {
            let app = try await ClassicApp(service, isInline: isInline)
            let start = app.holdRequests(for: "/")
            app.setRequestor()
            app.enabler.getAuthorization("DEMO-1")
            app.enabler.getAuthentication()
            end(app.enabler)
            start.open()
            #expect(await app.callbacks(until: \.isAuthorizationEnd).last?.isToken == false)
            #expect(!app.recorder.callbacks.contains { $0.isProviderDialog || $0.isNavigation })
            // A login after that is shown.
            await app.openPicker()
        }
    }

    @Test(arguments: everyRun)
    func aLogoutWhileCallsShareALogin_answersEachOfThem(service: ServiceDialect, isInline: Bool) async throws {
        let app = try await ClassicApp(service, isInline: isInline).started()
        app.enabler.getAuthorization("DEMO-1")
        _ = await app.callbacks(until: \.isProviderDialog)
        await app.openPicker()
        app.enabler.logout()
        let loggedOut = ClassicCallback.authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR)
        var answers: [ClassicCallback] = []
        while answers.count < 3, let callback = await app.recorder.next(within: .hanging) {
            if callback.isAuthenticationStatus || callback.isAuthorizationEnd { answers.append(callback) }
        }
        #expect(answers.filter(\.isAuthorizationEnd).count == 1)
        #expect(answers.contains(Self.cancelled) && answers.contains(loggedOut))
    }

    /// The login was shown for the authorization alone, whose answer comes before that of the logout.
    @Test(arguments: everyRun)
    func aLogoutDuringTheLoginOfAnAuthorization_answersEachCallOnce(
        service: ServiceDialect, isInline: Bool
    ) async throws {
        let app = try await ClassicApp(service, isInline: isInline).started()
        app.enabler.getAuthorization("DEMO-1")
        _ = await app.callbacks(until: \.isProviderDialog)
        app.enabler.logout()
        let loggedOut = ClassicCallback.authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR)
        let callbacks = await app.callbacks(until: { $0 == loggedOut })
        app.enabler.getSelectedProvider()
        let rest = await app.callbacks(until: \.isSelectedProvider)
        #expect(
            (callbacks + rest).filter { $0.isAuthenticationStatus || $0.isAuthorizationEnd } == [
                .tokenRequestFailed(resource: "DEMO-1", code: USER_NOT_AUTHENTICATED_ERROR, description: ""), loggedOut,
            ])
    }

    /// The TempPass that was just chosen has not logged the device in yet, and the login waits for it.
    @Test(arguments: everyRun)
    func aChoiceTakenBackDuringATempPass_answersTheChoice_andTheLoginThatWaits(
        service: ServiceDialect, isInline: Bool
    ) async throws {
        var world = SandboxWorld.demo
        var pass = SandboxWorld.Provider(id: "TempPass", displayName: "Temporary Pass", login: .none)
        pass.temporaryAccess = .init(seconds: 600)
        world.providers.append(pass)
        world.requestors[0].providers.append("TempPass")
        let app = try await ClassicApp(service, world: world, isInline: isInline).started()
        let answer = app.holdRequests(for: service == .classic ? "/sessionDevice" : "/profiles/")
        app.enabler.setSelectedProvider("TempPass")
        await answer.arrival()
        app.enabler.getAuthentication()
        app.enabler.setSelectedProvider(nil)
        app.enabler.getSelectedProvider()
        let callbacks = await app.callbacks(until: \.isSelectedProvider)
        answer.open()
        #expect(callbacks.filter(\.isAuthenticationStatus) == [Self.cancelled, Self.cancelled])
        #expect(callbacks.filter { $0.isProviderDialog || $0.isNavigation }.isEmpty)
    }

    @Test(arguments: everyRun)
    func aCancelRightAfterAChoice_isTheLastWord(service: ServiceDialect, isInline: Bool) async throws {
        let app = try await ClassicApp(service, isInline: isInline).started()
        for _ in 0..<10 {
            await app.openPicker()
            // Otherwise the page could open before the app cancels.
            _ = app.holdRequests(for: "/regcode", "/sessions")
            app.enabler.setSelectedProvider("demo-cable")
            app.enabler.setSelectedProvider(nil)
            let callbacks = await app.callbacks(until: \.isAuthenticationStatus)
            #expect(callbacks.last == Self.cancelled && callbacks.filter(\.isNavigation).isEmpty)
        }
        // Nothing follows later either: the next callback belongs to this call.
        app.enabler.getSelectedProvider()
        let rest = await app.callbacks(until: \.isSelectedProvider)
        #expect(rest.filter(\.isNavigation).isEmpty)
    }

    @Test(arguments: everyRun)
    func aLogoutDuringAnAuthorization_opensNoLogin_andDeliversNoToken(
        service: ServiceDialect, isInline: Bool
    ) async throws {
        let app = try await ClassicApp(service, isInline: isInline)
        try await login(app)
        let path = service == .classic ? "/authorizeDevice" : "/decisions/authorize/"
        app.transport.setInterception { [weak enabler = app.enabler] request, _ in
            guard request.path?.contains(path) == true else { return nil }
            enabler?.logout()
            // The state lasts until the logout has ended.
            let recorder = app.recorder
            while !recorder.callbacks.contains(where: \.isAuthorizationEnd), !Task.isCancelled {
                await Task.shortPause()
            }
            return nil
        }
        app.enabler.getAuthorization("DEMO-1")
        let callbacks = await app.callbacks(until: \.isAuthorizationEnd)
        #expect(
            callbacks.last
                == .tokenRequestFailed(resource: "DEMO-1", code: USER_NOT_AUTHENTICATED_ERROR, description: ""))
        app.transport.setInterception { _, _ in nil }
        app.enabler.getSelectedProvider()
        let rest = await app.callbacks(until: \.isSelectedProvider)
        #expect((callbacks + rest).filter(\.isProviderDialog).isEmpty)
    }

    @Test(arguments: everyRun)
    func anAuthorizationThatJoinsALogin_showsThePickerOnceMore(service: ServiceDialect, isInline: Bool) async throws {
        let app = try await ClassicApp(service, isInline: isInline).started()
        await app.openPicker()
        app.enabler.getAuthorization("DEMO-1")
        #expect(await app.callbacks(until: \.isProviderDialog).last?.isProviderDialog == true)
        app.enabler.setSelectedProvider("demo-cable")
        try await app.browse()
        #expect(await app.callbacks(until: \.isAuthorizationEnd).last?.word == "token DEMO-1")
        // The two calls share one login, which the viewer saw once.
        #expect(app.recorder.callbacks.filter(\.isAuthenticationStatus) == [Self.success])
    }

    @Test(arguments: everyRun)
    func callsOfAReplacedRequestor_areAnsweredBeforeTheNewOne(service: ServiceDialect, isInline: Bool) async throws {
        let app = try await ClassicApp(service, isInline: isInline)
        try await login(app)
        let path = service == .classic ? "/authorizeDevice" : "/decisions/authorize/"
        let isAsked = Guarded(false)
        app.transport.setInterception { request, _ in
            guard request.path?.contains(path) == true else { return nil }
            isAsked.withLock { $0 = true }
            while !Task.isCancelled { await Task.shortPause() }
            return nil
        }
        app.enabler.checkAuthorization("DEMO-1")
        while !isAsked.withLock({ $0 }), !Task.isCancelled { await Task.shortPause() }
        app.setRequestor("DEMO2")
        let callbacks = await app.callbacks(until: \.isRequestorComplete)
        #expect(callbacks.filter(\.isAuthorizationEnd).count == 1)
        #expect(callbacks.filter(\.isToken).isEmpty)
    }

    /// A closure does not contain the requestor.
    ///
    /// The app knows from the order of its calls to which requestor a result belongs.
    @Test(.row("Q15"), arguments: everyRun)
    func preauthorizations_areAnsweredByTheRequestorOfTheirTime(service: ServiceDialect, isInline: Bool) async throws {
        let app = try await ClassicApp(service, isInline: isInline)
        try await login(app)
        let answers = Guarded<[String]>([])
        let note: @Sendable (String) -> Void = { answer in answers.withLock { $0.append(answer) } }
        app.recorder.react { if $0.isRequestorComplete { note("requestor") } }
        func preauthorize(_ name: String) {
            app.enabler.preauthorize(
                PreauthorizeRequest.Builder().setResources(resources: ["DEMO-1"]).build(),
                didCompleteWith: AccessEnablerCallback(onResponse: { _ in note(name) }, onFailure: { _ in note(name) }))
        }
        let start = app.holdRequests(for: "DEMO2")
        preauthorize("before")
        app.setRequestor("DEMO2")
        // By now, the session of the new requestor has replaced the earlier one, and has not started yet.
        await start.arrival()
        preauthorize("behind")
        start.open()
        while answers.withLock(\.count) < 3, !Task.isCancelled { await Task.shortPause() }
        #expect(answers.withLock(\.self) == ["before", "requestor", "behind"])
    }

    @Test(arguments: everyRun)
    func aReplacedRequestor_opensNothingAnyMore(service: ServiceDialect, isInline: Bool) async throws {
        let app = try await ClassicApp(service, isInline: isInline).started()
        await app.openPicker()
        app.setRequestor("DEMO2")
        let callbacks = await app.callbacks(until: \.isRequestorComplete)
        #expect(callbacks.filter { $0.isProviderDialog || $0.isNavigation }.isEmpty)
        app.enabler.getAuthentication()
        #expect(await app.callbacks(until: \.isProviderDialog).filter(\.isProviderDialog).count == 1)
        app.enabler.setSelectedProvider(nil)
        #expect(await app.loginStatus() == Self.cancelled)
    }

    @Test(arguments: everyRun)
    func whileAConfigurationIsLoadedAnew_callsGoOnWithTheOldOne(service: ServiceDialect, isInline: Bool) async throws {
        let app = try await ClassicApp(service, isInline: isInline)
        try await login(app)
        let isStalled = Guarded(true)
        app.transport.setInterception { request, _ in
            let path = request.path ?? ""
            guard path.contains("/config/") || path.contains("/configuration") else { return nil }
            while isStalled.withLock({ $0 }), !Task.isCancelled { await Task.shortPause() }
            return nil
        }
        app.setRequestor()
        app.enabler.checkAuthentication()
        let told = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(told.last == Self.success)
        isStalled.withLock { $0 = false }
        // Over REST API v2, a start does not request the configuration again, so it may have ended before the check.
        var complete = told.first(where: \.isRequestorComplete)
        #expect(complete == nil || service == .restV2)
        if complete == nil { complete = await app.callbacks(until: \.isRequestorComplete).last }
        #expect(complete == .requestorComplete(1))
    }
}
