import AccessEnabler
import Foundation
import HTTPTypes
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

/// Calls that arrive while something else is running, and the work that remains when an app has released its access
/// enabler.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct MeanwhileTests {
    private static let loggedIn = ClassicCallback.authenticationStatus(1, code: USER_AUTHENTICATED)

    // MARK: - Two at once

    /// Both calls arrive while the session is still requesting the login status, so that they share one login.
    @Test(.row("GA1")) func twoLogins_ofAViewerWhoIsLoggedIn_areBothAnswered() async throws {
        let app = try await ClassicApp(.restV2).loggedIn()
        app.clock.advance(by: 60)
        let answer = Gate()
        app.transport.setInterception { request, _ in
            // The app's call cancels the request, which ends only when the network responds.
            if request.path?.contains("/profiles/") == true { await Task { await answer.pass() }.value }
            return nil
        }
        app.enabler.checkAuthentication()
        #expect(await app.loginStatus() == Self.loggedIn)
        await answer.arrival()
        app.enabler.getAuthentication()
        app.enabler.getAuthentication()
        app.enabler.getSelectedProvider()
        _ = await app.callbacks(until: \.isSelectedProvider)
        answer.open()
        #expect(await app.loginStatus() == Self.loggedIn)
        app.enabler.getSelectedProvider()
        let rest = await app.callbacks(until: \.isSelectedProvider)
        #expect(rest.filter(\.isAuthenticationStatus) == [Self.loggedIn])
    }

    /// An app that receives a logout's page again would mistake it for the page of the login that it has just
    /// requested.
    @Test(.row("E6"), arguments: ServiceDialect.allCases)
    func loginsDuringALogout_openItsPageNotAgain(service: ServiceDialect) async throws {
        let pageIsDue = Gate()
        let app = try await ClassicApp(service) { environment in
            environment.clock.sleep = { [sleep = environment.clock.sleep] duration in
                // This is the time for which a login waits for the page of a logout that is open.
                guard duration < .milliseconds(100) else { return try await sleep(duration) }
                await pageIsDue.pass()
                try Task.checkCancellation()
            }
        }.loggedIn()
        app.enabler.logout()
        _ = await app.callbacks(until: \.isNavigation)
        app.enabler.getAuthentication()
        await pageIsDue.arrival()
        app.enabler.getAuthentication()
        app.enabler.getSelectedProvider()
        let meanwhile = await app.callbacks(until: \.isSelectedProvider)
        #expect(meanwhile.filter { $0.isNavigation || $0.isProviderDialog }.isEmpty)
        pageIsDue.open()
        let callbacks = await app.callbacks(until: \.isProviderDialog)
        #expect(callbacks.filter(\.isNavigation).isEmpty)
        app.enabler.setSelectedProvider(nil)
        _ = await app.loginStatus()
    }

    /// The second logout finds no login and reports that.
    ///
    /// The page of the first one has a callback of its own.
    @Test(.row("LO6", "LO8"), arguments: ServiceDialect.allCases)
    func aSecondLogout_leavesThePageOfTheFirst(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        let loggedOut = ClassicCallback.authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR)
        app.enabler.logout()
        let page = try #require(await app.callbacks(until: \.isNavigation).last?.page)
        app.enabler.logout()
        #expect(await app.loginStatus() == loggedOut)
        try await app.finish(page, as: .cancels)
        #expect(await app.loginStatus() == loggedOut)
        app.enabler.getSelectedProvider()
        let rest = await app.callbacks(until: \.isSelectedProvider)
        #expect(rest.filter(\.isAuthenticationStatus).isEmpty)
    }

    /// Only REST API v2 asks the service.
    ///
    /// Until it answers, the app has no page that it could finish.
    @Test(.row("LO8")) func aLogout_whoseServiceIsSlow_isAnsweredAfterAMinute() async throws {
        let app = try await ClassicApp(.restV2).loggedIn()
        let answer = Gate()
        app.transport.setInterception { request, _ in
            if request.path?.contains("/logout") == true { await answer.pass() }
            return nil
        }
        app.enabler.logout()
        await answer.arrival()
        await app.clock.advanceOnceSomethingSleeps(by: 60)
        let callbacks = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(callbacks.last == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR))
        #expect(callbacks.filter(\.isNavigation).isEmpty)
    }

    /// The app never had the page, so it cannot finish it.
    @Test(.row("LO2", "LO8"), arguments: ServiceDialect.allCases)
    func aLogout_whosePageTheLibraryShows_isAnsweredAfterAMinute(service: ServiceDialect) async throws {
        var world = SandboxWorld.demo
        world.providers[0].usesSafari = true
        let storage = MemoryStorage()
        let earlier = try await ClassicApp(service, storage: storage, world: world).loggedIn()
        let browser = BrowserThatStaysOpen()
        let app = try await ClassicApp(service, storage: storage, earlier: earlier, automaticBrowser: browser).started()
        app.enabler.logout()
        _ = await browser.opened.stream.first { _ in true }
        await app.clock.advanceOnceSomethingSleeps(by: 60)
        let callbacks = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(callbacks.last == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR))
        #expect(callbacks.filter(\.isNavigation).isEmpty)
        #expect(await soon { browser.isClosed.withLock(\.self) })
    }

    // MARK: - URLs and pages

    @Test(.row("HX6", "M19"), arguments: ServiceDialect.allCases)
    func aPage_staysOpen_whenTheAppPassesOnAnotherURL(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service)
        app.beginLogin()
        let page = try #require(await app.callbacks(until: \.isNavigation).last?.page)
        let asked = app.transport.requests
        for url in ["https://www.example.com/show/1", "adobe://ios.app", "com.example.app://login"] {
            #expect(!app.enabler.canHandle(url))
            app.enabler.handleExternalURL(url)
        }
        app.enabler.getSelectedProvider()
        let meanwhile = await app.callbacks(until: \.isSelectedProvider)
        #expect(meanwhile.filter(\.isNavigation).isEmpty && app.transport.requests == asked)
        try await app.finish(page)
        let callbacks = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(callbacks.last == Self.loggedIn && callbacks.filter(\.isNavigation).isEmpty)
    }

    /// One redirect of the abandoned page can still arrive.
    ///
    /// The next one belongs to the login.
    @Test(.row("E6", "HX2"), arguments: ServiceDialect.allCases)
    func theRedirectOfALogoutThatWasLeft_isExpectedOnce(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.enabler.logout()
        _ = await app.callbacks(until: \.isNavigation)
        app.enabler.getAuthentication()
        _ = await app.callbacks(until: \.isProviderDialog)
        app.enabler.setSelectedProvider("demo-cable")
        _ = await app.callbacks(until: \.isNavigation)
        app.enabler.handleExternalURL("adobepass://ios.app")
        let page = try #require(await app.callbacks(until: \.isNavigation).last?.page)
        try await app.finish(page, as: .cancels)
        let callbacks = await app.callbacks(until: { $0.isAuthenticationStatus || $0.isNavigation })
        #expect(callbacks.last == .authenticationStatus(0, code: GENERIC_AUTHENTICATION_ERROR))
    }

    /// The first login was abandoned without a redirect, so the one that reaches the second login is its own.
    @Test(.row("E6", "HX2"), arguments: ServiceDialect.allCases)
    func theRedirectOfALogoutThatWasLeft_isNotExpectedByTheSecondLogin(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.enabler.logout()
        _ = await app.callbacks(until: \.isNavigation)
        app.enabler.getAuthentication()
        _ = await app.callbacks(until: \.isProviderDialog)
        app.enabler.setSelectedProvider(nil)
        _ = await app.loginStatus()
        await app.openPicker()
        app.enabler.setSelectedProvider("demo-cable")
        let page = try #require(await app.callbacks(until: \.isNavigation).last?.page)
        try await app.finish(page, as: .cancels)
        let callbacks = await app.callbacks(until: { $0.isAuthenticationStatus || $0.isNavigation })
        #expect(callbacks.last == .authenticationStatus(0, code: GENERIC_AUTHENTICATION_ERROR))
    }

    @Test(.row("SP4"), arguments: ServiceDialect.allCases)
    func theSystemsBrowser_isClosed_whenTheAppCancels(service: ServiceDialect) async throws {
        var world = SandboxWorld.demo
        world.providers[0].usesSafari = true
        let browser = BrowserThatStaysOpen()
        let app = try await ClassicApp(service, world: world, automaticBrowser: browser)
        app.beginLogin()
        _ = await browser.opened.stream.first { _ in true }
        app.enabler.setSelectedProvider(nil)
        #expect(await app.loginStatus() == .authenticationStatus(0, code: PROVIDER_NOT_SELECTED_ERROR))
        #expect(await soon { browser.isClosed.withLock(\.self) })
    }

    // MARK: - Requestors

    @Test(.row("Q15", "M7"), arguments: ServiceDialect.allCases)
    func theSameRequestor_atOtherEndpoints_isAskedThere(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).started()
        #expect(await app.callbacks(until: \.isRequestorComplete).last == .requestorComplete(1))
        let asked = Guarded<Set<String>>([])
        app.transport.setScript { request, _ in
            guard request.authority == "tv.example.com" else { return nil }
            asked.withLock { _ = $0.insert(request.authority ?? "") }
            return .failure(.unreachable)
        }
        app.enabler.setRequestor("DEMO", serviceProviders: ["https://tv.example.com/adobe-services"])
        #expect(await app.callbacks(until: \.isRequestorComplete).last == .requestorComplete(0))
        #expect(asked.withLock(\.self) == ["tv.example.com"])
        app.setRequestor()
        #expect(await app.callbacks(until: \.isRequestorComplete).last == .requestorComplete(1))
    }

    /// The service may be silent for half a minute, and the app has another brand by then.
    @Test(arguments: ServiceDialect.allCases, [false, true])
    func aStart_delaysNoOtherRequestor(service: ServiceDialect, hasBegun: Bool) async throws {
        for others in [[], ["DEMO"], ["DEMO3"]] {
            let app = try await ClassicApp(service)
            let start = Gate()
            app.transport.setInterception { request, _ in
                let path = request.path ?? ""
                guard path.contains("DEMO"), !path.contains("DEMO2") else { return nil }
                start.open()
                // Each start is silent until it is cancelled. The end of the first one is no answer to the second one.
                await Gate().pass()
                return nil
            }
            app.setRequestor()
            if hasBegun { await start.pass() }
            for other in others + ["DEMO2"] { app.setRequestor(other) }
            let callbacks = await app.callbacks(until: { $0 == .requestorComplete(1) })
            let ended = [ClassicCallback](repeating: .requestorComplete(0), count: 1 + others.count)
            #expect(callbacks == ended + [.requestorComplete(1)])
        }
    }

    /// A logout that the app made before must not be lost.
    @Test(arguments: ServiceDialect.allCases)
    func aStart_thatACallWaitsFor_goesOn(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service)
        let answer = Gate()
        app.transport.setInterception { _, _ in
            await answer.pass()
            return nil
        }
        app.setRequestor()
        await answer.arrival()
        app.enabler.logout()
        app.setRequestor("DEMO2")
        answer.open()
        let callbacks = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(callbacks.first == .requestorComplete(1))
        #expect(callbacks.last == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR))
        #expect(await app.callbacks(until: \.isRequestorComplete).last == .requestorComplete(1))
    }

    /// With the programmer's token for the viewer, the service has a login for every installation of the app.
    @Test(.row("T-71")) func aCheckThatClearsTheStore_isNotUndoneByTheService() async throws {
        let claims = Data("{\"sub\":\"viewer-7\"}".utf8).base64EncodedString().replacing("=", with: "")
        let options = ClientOptions(serviceToken: "e30.\(claims).c2ln")
        let storage = MemoryStorage()
        let app = try await ClassicApp(.restV2, storage: storage) { $0.options = { options } }.loggedIn()
        let again = try await ClassicApp(.restV2, earlier: app) { $0.options = { options } }.started()
        again.enabler.checkAuthentication()
        #expect(await again.loginStatus() == Self.loggedIn, "An empty store alone is no logout.")
        let cleared = try await ClassicApp(.restV2, storage: storage, earlier: app, check: .INTEGRITY_CHECK_CLEAR) {
            $0.options = { options }
        }.started()
        cleared.enabler.checkAuthentication()
        #expect(await cleared.loginStatus() == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR))
    }

    // MARK: - Afterwards

    /// A television shows a code, and the app releases its access enabler.
    ///
    /// No work continues whose result nobody receives.
    @Test(arguments: ServiceDialect.allCases)
    func aReleasedAccessEnabler_asksNoMore(service: ServiceDialect) async throws {
        let clock = ManualClock(shortWait: .seconds(3))
        let sandbox = try await Sandbox(world: .demo.strict, now: { clock.now })
        let transport = ScriptedTransport(next: URLSessionTransport(timeout: .hanging))
        let recorder = CallbackRecorder()
        do {
            var environment = SessionEnvironment(
                storage: MemoryStorage(), transport: transport, clock: clock.sessionClock,
                app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
                device: DeviceIdentity(seed: "device-1", app: nil), redirectURL: AccessEnabler.redirectURL)
            environment.loginStyle = .secondScreen
            let enabler = AccessEnabler(
                sandbox.softwareStatement, service: service, environment: environment,
                callbackRun: { callback in callback() })
            enabler.delegate = recorder
            enabler.statusDelegate = recorder
            enabler.setRequestor("DEMO", serviceProviders: [sandbox.baseURL.absoluteString])
            enabler.setSelectedProvider("demo-cable")
            enabler.getAuthentication()
            #expect(await soon { recorder.callbacks.contains { $0.isStatus("REGCODE") } && clock.sleepers > 0 })
        }
        #expect(await soon { clock.sleepers == 0 })
        let asked = transport.requests
        let told = recorder.callbacks
        for _ in 0..<3 { clock.advance(by: 5) }
        #expect(transport.requests == asked && recorder.callbacks == told)
    }

    /// The network is away, and each call of the app waits longer for the start that is repeated.
    @Test func aReleasedAccessEnabler_waitsForNoPause() async throws {
        let clock = ManualClock(shortWait: .seconds(3))
        let sandbox = try await Sandbox(world: .demo.strict)
        let transport = ScriptedTransport(next: URLSessionTransport(timeout: .hanging))
        transport.setScript { _, _ in .failure(.unreachable) }
        let recorder = CallbackRecorder()
        let answers = Guarded(0)
        do {
            let environment = SessionEnvironment(
                storage: MemoryStorage(), transport: transport, clock: clock.sessionClock,
                app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
                device: DeviceIdentity(seed: "device-1", app: nil), redirectURL: AccessEnabler.redirectURL)
            let enabler = AccessEnabler(
                sandbox.softwareStatement, environment: environment, callbackRun: { callback in callback() })
            recorder.react { [weak enabler] callback in
                guard case .authenticationStatus(0, _) = callback else { return }
                answers.withLock { $0 += 1 }
                enabler?.getAuthentication()
            }
            enabler.delegate = recorder
            enabler.getAuthentication()
            enabler.setRequestor("DEMO", serviceProviders: [sandbox.baseURL.absoluteString])
            // Two pauses are so short that this clock passes them by itself.
            #expect(await soon { clock.sleepers > 0 && answers.withLock(\.self) == 3 })
            withExtendedLifetime(enabler) {}
        }
        #expect(await soon { clock.sleepers == 0 })
    }

    /// The registration, which decides about the dialect, is slow, and the app has released its access enabler before
    /// it had a session.
    @Test func aReleasedAccessEnabler_startsNoSession() async throws {
        let sandbox = try await Sandbox(world: .demo.strict)
        let transport = ScriptedTransport(next: URLSessionTransport(timeout: .hanging))
        let registration = Gate()
        transport.setInterception { request, _ in
            if request.path == "/o/client/register" { await Task { await registration.pass() }.value }
            return nil
        }
        let hasEnded = Guarded(false)
        do {
            let environment = SessionEnvironment(
                storage: MemoryStorage(), transport: transport,
                app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
                device: DeviceIdentity(seed: "device-1", app: nil), redirectURL: AccessEnabler.redirectURL)
            let enabler = AccessEnabler(
                sandbox.softwareStatement, environment: environment,
                callbackRun: { _ in hasEnded.withLock { $0 = true } })
            enabler.setRequestor("DEMO", serviceProviders: [sandbox.baseURL.absoluteString])
            await registration.arrival()
        }
        registration.open()
        // The end of the start is a callback, which no delegate receives.
        #expect(await soon { hasEnded.withLock(\.self) })
        #expect(transport.requests.allSatisfy { $0.contains("/o/client/") }, "\(transport.requests)")
    }

    // This is limited to the classic services. REST API v2 has no place for undocumented options.
    @Test(.row("M5")) func anOptionOfTheApp_replacesThatOfItsEnvironment() async throws {
        let app = try await ClassicApp {
            $0.options = {
                var options = ClientOptions()
                options.further = ["brand": "environment", "level": "7"]
                return options
            }
        }
        app.enabler.setOptions(["brand": "app"])
        let asked = Guarded<[String]>([])
        app.transport.setScript { request, _ in
            if request.path?.contains("/config/") == true { asked.withLock { $0.append(request.path ?? "") } }
            return nil
        }
        app.setRequestor()
        _ = await app.callbacks(until: \.isRequestorComplete)
        let query = URLComponents(string: try #require(asked.withLock(\.first)))?.queryItems ?? []
        #expect(query.filter { $0.name == "brand" }.map(\.value) == ["app"])
        #expect(query.filter { $0.name == "level" }.map(\.value) == ["7"])
    }
}

/// A system browser whose viewer does nothing, until the library closes it.
private struct BrowserThatStaysOpen: AutomaticBrowser {
    let opened = AsyncStream<Void>.makeStream()
    let isClosed = Guarded(false)

    func open(_ page: BrowserPage) async -> URL? {
        opened.continuation.yield()
        await Gate().pass()
        isClosed.withLock { $0 = true }
        return nil
    }
}

extension ClassicCallback {
    /// A Boolean value that indicates whether this is a status with a code.
    fileprivate func isStatus(_ code: String) -> Bool {
        if case .status(code, _, _, _) = self { true } else { false }
    }
}
