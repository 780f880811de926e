import AccessEnabler
import Foundation
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.fewAtATime, .timeLimit(.hanging))
struct ClassicFlowTests {
    @Test(.row("T-77", "HX5", "LO1", "AZ13", "A6", "D-2", "D-15", "M2", "M23"), arguments: ServiceDialect.allCases)
    func firesTheDocumentedCallbacks_inOrder(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).started()
        app.enabler.getAuthorization("DEMO-1")
        _ = await app.callbacks(until: \.isProviderDialog)
        app.enabler.setSelectedProvider("demo-cable")
        try await app.browse()
        _ = await app.callbacks(until: \.isAuthorizationEnd)
        app.enabler.logout()
        try await app.browse()
        _ = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(
            app.recorder.callbacks.map(\.word) == [
                "setRequestorComplete(1)", "displayProviderDialog(demo-cable, demo-fiber)", "tracking 2 demo-cable",
                "navigate", "tracking 0 true", "setAuthenticationStatus(1, \"\")", "tracking 1 true", "token DEMO-1",
                "navigate", "tracking 0 false", "setAuthenticationStatus(0, \"User Not Authenticated Error\")",
            ])
    }

    @Test(.row("K10"), arguments: ServiceDialect.allCases)
    func deniesWithTheProvidersText(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.enabler.checkAuthorization("DEMO-PLUS")
        let text = "Demo Plus is not part of your plan. Add it for 5 a month."
        #expect(
            await app.callbacks(until: \.isAuthorizationEnd).map(\.word) == [
                "status(Z100, error, \"\(text)\")", "tracking 1 false",
                "tokenRequestFailed(DEMO-PLUS, \"\(USER_NOT_AUTHORIZED_ERROR)\", \"\(text)\")",
            ])
    }

    /// Nobody has requested such a login, so only its tracking reports it.
    @Test(arguments: ServiceDialect.allCases)
    func hasNoCallback_forALoginWithThePlatformsAccountAtAStart(service: ServiceDialect) async throws {
        var world = SandboxWorld.demo
        world.providers[0].platformID = "apple-cable"
        let platform = ScriptedPlatform(.init(signedIn: "apple-cable"))
        let app = try await ClassicApp(service, world: world) { $0.platform = platform }.started()
        let words = await app.callbacks(until: \.isRequestorComplete).map(\.word)
        #expect(words == ["tracking 0 true", "setRequestorComplete(1)"])
        app.enabler.checkAuthentication()
        #expect(await app.loginStatus() == .authenticationStatus(1, code: USER_AUTHENTICATED))
    }

    @Test(.row("AZ1", "D-14", "M21"), arguments: ServiceDialect.allCases)
    func failsWithoutALogin_andFiresNoAuthenticationStatus(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).started()
        app.enabler.checkAuthorization("DEMO-1")
        #expect(
            await app.callbacks(until: \.isAuthorizationEnd).map(\.word) == [
                "setRequestorComplete(1)", "tracking 1 false",
                "tokenRequestFailed(DEMO-1, \"\(USER_NOT_AUTHENTICATED_ERROR)\", \"\")",
            ])
    }

    @Test(.row("Q3", "Q5", "K8", "K1", "M18", "Q2"), arguments: ServiceDialect.allCases)
    func runsEarlyCalls_afterTheRequestorIsSet(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service)
        app.enabler.checkAuthentication()
        app.enabler.getSelectedProvider()
        app.setRequestor()
        let words = await app.callbacks(until: { $0 == .selectedProvider(nil) }).map(\.word)
        #expect(words.first == "setRequestorComplete(1)")
        #expect(words.contains("setAuthenticationStatus(0, \"User Not Authenticated Error\")"))
        app.enabler.setSelectedProvider("demo-fiber")
        app.enabler.getSelectedProvider()
        let chosen = await app.callbacks(until: \.isSelectedProvider).last
        #expect(chosen == .selectedProvider("demo-fiber"))
    }

    // T-78: a failed configuration loses no queued call.
    @Test(.row("Q6", "T-78"), arguments: ["", "ftp://nowhere", "http://127.0.0.1:1"])
    func failsEveryQueuedCall_whenTheConfigurationFails(endpoint: String) async throws {
        let app = try await ClassicApp()
        for _ in 0..<10 { app.enabler.checkAuthorization("DEMO-1") }
        app.enabler.checkAuthentication()
        app.enabler.getAuthentication()
        app.enabler.logout()
        app.enabler.setSelectedProvider(nil)
        app.enabler.setRequestor("DEMO", serviceProviders: [endpoint])
        app.enabler.getSelectedProvider()
        var failed = 0
        var answered = 0
        var selected = 0
        while failed < 10 || answered < 4 || selected < 1, let callback = await app.recorder.next(within: .hanging) {
            if callback == .selectedProvider(nil) { selected += 1 }
            if callback == .tokenRequestFailed(resource: "DEMO-1", code: GENERIC_AUTHORIZATION_ERROR, description: "") {
                failed += 1
            }
            // A logout needs no configuration; the other three calls fail without one.
            if case .authenticationStatus(0, _) = callback { answered += 1 }
        }
        #expect(failed == 10 && answered == 4 && selected == 1)
        let callbacks = app.recorder.callbacks
        let complete = try #require(callbacks.firstIndex(of: .requestorComplete(0)))
        guard case .status(let id, "error", _, _)? = callbacks.first else {
            Issue.record("\(callbacks)")
            return
        }
        #expect(id == "CFG404" && complete == 1)
    }

    @Test(.row("SP2", "K3"), arguments: ServiceDialect.allCases)
    func cancelsThePicker(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).started()
        await app.openPicker()
        app.enabler.setSelectedProvider(nil)
        #expect(await app.loginStatus() == .authenticationStatus(0, code: PROVIDER_NOT_SELECTED_ERROR))
    }

    @Test(.row("SP3", "K4"), arguments: ServiceDialect.allCases)
    func cancelsTheLoginPage(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).started()
        app.enabler.setSelectedProvider("demo-fiber")
        app.enabler.getAuthentication()
        _ = await app.callbacks(until: \.isNavigation)
        app.enabler.setSelectedProvider(nil)
        #expect(await app.loginStatus() == .authenticationStatus(0, code: PROVIDER_NOT_SELECTED_ERROR))
    }

    /// The provider is stored only with its login.
    @Test(arguments: ServiceDialect.allCases)
    func namesTheProviderOfALogin_asLongAsItsPageIsOpen(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).started()
        await app.openPicker()
        app.enabler.setSelectedProvider("demo-cable")
        _ = await app.callbacks(until: \.isNavigation)
        app.enabler.getSelectedProvider()
        #expect(await app.callbacks(until: \.isSelectedProvider).last == .selectedProvider("demo-cable"))
        app.enabler.setSelectedProvider(nil)
        _ = await app.loginStatus()
        app.enabler.getSelectedProvider()
        #expect(await app.callbacks(until: \.isSelectedProvider).last == .selectedProvider(nil))
    }

    @Test(.row("SP13"), arguments: ServiceDialect.allCases)
    func keepsThePicker_whenTheProviderIsUnknown(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).started()
        await app.openPicker()
        app.enabler.setSelectedProvider("nope")
        app.enabler.setSelectedProvider("demo-cable")
        try await app.browse()
        #expect(await app.loginStatus() == .authenticationStatus(1, code: USER_AUTHENTICATED))
        let callbacks = app.recorder.callbacks
        let refusals = callbacks.filter { if case .status("N500", _, _, _) = $0 { true } else { false } }
        let answers = callbacks.filter { if case .authenticationStatus = $0 { true } else { false } }
        #expect(refusals.count == 1)
        #expect(answers == [.authenticationStatus(1, code: USER_AUTHENTICATED)])
    }

    @Test(.row("HX4", "HX6", "M19"), arguments: ServiceDialect.allCases)
    func ignoresForeignURLs_andRepeats(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service)
        app.enabler.handleExternalURL("adobepass://ios.app")
        try await app.logIn()
        let count = app.recorder.callbacks.count
        for url in ["adobepass://ios.app", "https://example.com", nil, "", "%%"] { app.enabler.handleExternalURL(url) }
        // A call with its own exchange comes after everything that the others might have started.
        app.enabler.checkAuthorization("DEMO-1")
        _ = await app.callbacks(until: \.isAuthorizationEnd)
        #expect(app.recorder.callbacks.count == count + 2)
    }

    @Test(.row("T-07"), arguments: ServiceDialect.allCases)
    func isLoggedIn_afterARestart(service: ServiceDialect) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("tve-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        _ = try await ClassicApp(service, storage: FileStorage(directory: directory)).loggedIn()
        let second = try await ClassicApp(service, storage: FileStorage(directory: directory)).started()
        second.enabler.checkAuthentication()
        #expect(await second.loginStatus() == .authenticationStatus(1, code: USER_AUTHENTICATED))
    }

    @Test(.row("T-79"), arguments: ServiceDialect.allCases)
    func dropsCallbacks_whenTheDelegateIsGoneMidFlow(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service)
        weak var gone: CallbackRecorder?
        do {
            let delegate = CallbackRecorder()
            gone = delegate
            app.enabler.delegate = delegate
            app.setRequestor()
            app.enabler.getAuthentication()
            _ = await delegate.callbacks(until: \.isProviderDialog, within: .hanging)
        }
        // The recorder's own time-outs retain the delegate a moment longer. A delegate that is never released reaches
        // the limit.
        while gone != nil, !Task.isCancelled { await Task.shortPause() }
        app.enabler.setSelectedProvider(nil)
        let last = await app.callbacks(until: { if case .status = $0 { true } else { false } }).last
        let message = "The viewer chose no TV provider, or left the login."
        #expect(last == .status(id: "N005", level: "info", message: message, further: [:]))
        #expect(app.recorder.callbacks.count == 1)
    }

    @Test(.row("AZ15", "AZ16"), arguments: ServiceDialect.allCases)
    func answersEveryCall_madeAtOnce(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        for _ in 0..<5 {
            app.enabler.checkAuthorization("DEMO-1")
            app.enabler.checkAuthorization("DEMO-2")
        }
        var tokens: [String: Int] = [:]
        while tokens.values.reduce(0, +) < 10, let callback = await app.recorder.next(within: .hanging) {
            if case .token(_, let resource) = callback { tokens[resource, default: 0] += 1 }
        }
        #expect(tokens == ["DEMO-1": 5, "DEMO-2": 5])
    }

    @Test(arguments: ServiceDialect.allCases)
    func refusesNilResources(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.enabler.getAuthorization(nil)
        #expect(
            await app.callbacks(until: \.isAuthorizationEnd).last
                == .tokenRequestFailed(resource: "", code: GENERIC_AUTHORIZATION_ERROR, description: ""))
    }

    @Test(.row("Q18"), arguments: ServiceDialect.allCases)
    func runsOnTheMainQueue_unlessToldOtherwise(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service, isDirect: false)
        let enabler = AccessEnabler(
            app.sandbox.softwareStatement,
            environment: SessionEnvironment(
                storage: MemoryStorage(), app: AppIdentity(bundleID: "a.b", teamID: "T"),
                redirectURL: AccessEnabler.redirectURL))
        // The mark belongs to the main queue. A thread proves nothing, because on Linux any thread may serve that
        // queue.
        let mark = DispatchSpecificKey<Bool>()
        let isOnMainQueue = Guarded<Bool?>(nil)
        DispatchQueue.main.setSpecific(key: mark, value: true)
        let recorder = CallbackRecorder()
        recorder.react { _ in isOnMainQueue.withLock { $0 = DispatchQueue.getSpecific(key: mark) == true } }
        enabler.delegate = recorder
        enabler.setRequestor("DEMO", serviceProviders: [app.sandbox.baseURL.absoluteString])
        while isOnMainQueue.withLock(\.self) == nil, !Task.isCancelled { await Task.shortPause() }
        #expect(isOnMainQueue.withLock(\.self) == true && recorder.callbacks == [.requestorComplete(1)])
    }

    @Test(.row("Q14", "D-19"), arguments: ServiceDialect.allCases)
    func goesOnWithTheSession_whenTheServiceIsAwayOnForeground(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.transport.setScript { _, _ in .failure(.unreachable) }
        app.setRequestor()
        // Over REST API v2, a viewer who is logged in waits for nothing.
        let isComplete: Int32 = service == .classic ? 0 : 1
        #expect(await app.callbacks(until: \.isRequestorComplete).last == .requestorComplete(isComplete))
        app.enabler.checkAuthentication()
        let words = await app.callbacks(until: \.isAuthenticationStatus).map(\.word)
        #expect(words.last == "setAuthenticationStatus(1, \"\")")
    }

    /// An endpoint may have a scheme, a path and a slash at its end, or none of these.
    @Test(.row("Q14", "M7"), arguments: ServiceDialect.allCases)
    func keepsTheLogin_whenTheSameEndpointIsWrittenInAnotherWay(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).started()
        await app.openPicker()
        let root = app.sandbox.baseURL.absoluteString
        for endpoint in [root, "\(root)/", "\(root)/adobe-services/", root.replacing("http://", with: "HTTP://")] {
            app.enabler.setRequestor("DEMO", serviceProviders: [endpoint])
            #expect(await app.callbacks(until: \.isRequestorComplete).map(\.word) == ["setRequestorComplete(1)"])
        }
        app.enabler.setSelectedProvider("demo-cable")
        try await app.browse()
        #expect(await app.loginStatus() == .authenticationStatus(1, code: USER_AUTHENTICATED))
        #expect(app.recorder.callbacks.filter(\.isProviderDialog).count == 1)
    }

    /// An app that takes its endpoints from a set has another order each time.
    @Test(arguments: ServiceDialect.allCases)
    func goesOnWithTheLogin_whenTheEndpointsHaveAnotherOrder(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service)
        let endpoints = [app.sandbox.baseURL.absoluteString, "http://127.0.0.1:1"]
        app.enabler.setRequestor("DEMO", serviceProviders: endpoints)
        await app.openPicker()
        app.enabler.setRequestor("DEMO", serviceProviders: [endpoints[1], endpoints[0]])
        #expect(await app.callbacks(until: \.isRequestorComplete).last == .requestorComplete(1))
        app.enabler.setSelectedProvider("demo-cable")
        try await app.browse()
        #expect(await app.loginStatus() == .authenticationStatus(1, code: USER_AUTHENTICATED))
    }

    @Test(.row("Q15"), arguments: ServiceDialect.allCases)
    func endsTheLoginOfTheOtherRequestor_silently(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).started()
        await app.openPicker()
        app.setRequestor("DEMO2")
        #expect(await app.callbacks(until: \.isRequestorComplete).map(\.word) == ["setRequestorComplete(1)"])
        app.enabler.getAuthentication()
        #expect(
            await app.callbacks(until: \.isProviderDialog).map(\.word) == [
                "displayProviderDialog(demo-cable, demo-fiber)"
            ])
        app.enabler.setSelectedProvider(nil)
        _ = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(app.recorder.callbacks.filter(\.isAuthenticationStatus).count == 1)
    }

    @Test func endsALoginThatWaits_whenTheAccessEnablerIsDropped() async throws {
        let recorder = CallbackRecorder()
        let sandbox = try await Sandbox(world: .demo.strict)
        weak var held: Token?
        do {
            let token = Token()
            held = token
            let enabler = AccessEnabler(
                sandbox.softwareStatement,
                environment: SessionEnvironment(
                    storage: MemoryStorage(), app: AppIdentity(bundleID: "a.b", teamID: "T"),
                    redirectURL: AccessEnabler.redirectURL),
                callbackRun: { callback in withExtendedLifetime(token) { callback() } })
            enabler.delegate = recorder
            enabler.setRequestor("DEMO", serviceProviders: [sandbox.baseURL.absoluteString])
            enabler.getAuthentication()
            _ = await recorder.callbacks(until: \.isProviderDialog, within: .hanging)
        }
        // No call that waits for the app retains its callbacks any longer.
        while held != nil, !Task.isCancelled { await Task.shortPause() }
        #expect(recorder.callbacks.filter(\.isAuthenticationStatus).isEmpty)
    }

    private final class Token: Sendable {}

    @Test func isGone_whenNobodyHoldsIt_evenWithCallsHeld() async throws {
        weak var gone: AccessEnabler?
        do {
            let enabler = AccessEnabler("statement")
            gone = enabler
            enabler.checkAuthentication()
        }
        while gone != nil, !Task.isCancelled { await Task.shortPause() }
    }

    @Test(arguments: ServiceDialect.allCases)
    func showsNoSecret_whenDumped(service: ServiceDialect) async throws {
        // The tests' own transport stores the paths of its requests.
        let app = try await ClassicApp(service, isDirect: false) {
            $0.transport = URLSessionTransport(timeout: .hanging)
        }.loggedIn()
        // The delegate belongs to the app, and this one has received every page.
        app.enabler.delegate = nil
        app.enabler.statusDelegate = nil
        var dumped = ""
        dump(app.enabler, to: &dumped)
        #expect(!dumped.contains(app.sandbox.softwareStatement) && !dumped.contains("<signatureInfo>"))
        let page = app.recorder.callbacks.lazy.compactMap { if case .navigate(let url) = $0 { url } else { nil } }.first
        let url = URLComponents(string: try #require(page))
        let code =
            url?.queryItems?.first { $0.name == "reg_code" }?.value
            ?? url?.path.split(separator: "/").last.map(String.init)
        #expect(!dumped.contains(try #require(code)))
        #expect(dumped.contains("SoftwareStatement"))
    }
}
