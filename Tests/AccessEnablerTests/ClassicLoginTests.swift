import AccessEnabler
import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

/// Logins through the classic calls, and apps' calls during them.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ClassicLoginTests {
    @Test(.row("E5"), arguments: ServiceDialect.allCases)
    func answersNotAuthenticated_rightAfterALogout(service: ServiceDialect) async throws {
        for _ in 0..<10 {
            let app = try await ClassicApp(service).loggedIn()
            app.enabler.logout()
            app.enabler.checkAuthentication()
            // The check uses the storage, which the logout has emptied, and completes before the page ends.
            let callbacks = await app.callbacks(until: \.isAuthenticationStatus)
            #expect(callbacks.last == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR))
            app.enabler.logout()
        }
    }

    /// The login with a code receives its callback before the next call, which may end the session.
    @Test(.row("SP5"), arguments: ServiceDialect.allCases)
    func answersALoginWithACode_beforeWhatComesNext(service: ServiceDialect) async throws {
        for next in ["another requestor", "logout"] {
            let app = try await ClassicApp(service) { $0.loginStyle = .secondScreen }.started()
            await app.openPicker()
            app.enabler.setSelectedProvider("demo-cable")
            _ = await app.callbacks(until: { if case .status = $0 { true } else { false } })
            if next == "logout" {
                app.enabler.logout()
                let first = await app.callbacks(until: \.isAuthenticationStatus)
                #expect(first.last == .authenticationStatus(0, code: PROVIDER_NOT_SELECTED_ERROR))
                let second = await app.callbacks(until: \.isAuthenticationStatus)
                #expect(second.last == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR))
            } else {
                app.enabler.setSelectedProvider(nil)
                app.setRequestor("DEMO2")
                let callbacks = await app.callbacks(until: \.isRequestorComplete)
                #expect(callbacks.contains(.authenticationStatus(0, code: PROVIDER_NOT_SELECTED_ERROR)), "\(callbacks)")
            }
        }
    }

    /// A code is shown like a picker or a page, which means not after the app has made a call that ends its login.
    @Test(.row("TV8"), arguments: ServiceDialect.allCases)
    func tellsNoCode_afterACallThatEndsItsLogin(service: ServiceDialect) async throws {
        for end in ["logout", "cancel"] {
            let queue = HeldQueue()
            let app = try await ClassicApp(service, callbacks: queue) { $0.loginStyle = .secondScreen }.started()
            app.enabler.getAuthentication()
            await queue.run(until: { app.recorder.callbacks.contains(where: \.isProviderDialog) })
            app.enabler.setSelectedProvider("demo-cable")
            await app.hasAsked(for: service == .classic ? "/regcode" : "/sessions")
            await app.clock.advanceOnceSomethingSleeps(by: 5)
            await app.hasAsked(for: service == .classic ? "/sessionDevice" : "/profiles/code/")
            if end == "logout" { app.enabler.logout() } else { app.enabler.setSelectedProvider(nil) }
            await queue.run(until: { app.recorder.callbacks.contains(where: \.isAuthenticationStatus) })
            let codes = app.recorder.callbacks.filter { $0.word.contains("REGCODE") }
            #expect(codes.isEmpty, "\(end)")
        }
    }

    @Test(.row("SP2", "SP8"), arguments: ServiceDialect.allCases)
    func opensAPickerOfItsOwn_rightAfterACancel(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).started()
        await app.openPicker()
        for _ in 0..<5 {
            app.enabler.setSelectedProvider(nil)
            app.enabler.getAuthentication()
            let callbacks = await app.callbacks(until: \.isProviderDialog)
            #expect(callbacks.filter(\.isAuthenticationStatus).count == 1)
        }
        app.enabler.setSelectedProvider(nil)
        _ = await app.callbacks(until: \.isAuthenticationStatus)
    }

    @Test(arguments: ServiceDialect.allCases)
    func cancelsALogin_thatHasJustBegun(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).started()
        _ = await app.callbacks(until: \.isRequestorComplete)
        for _ in 0..<10 {
            app.enabler.getAuthentication()
            app.enabler.setSelectedProvider(nil)
            #expect(await app.loginStatus() == .authenticationStatus(0, code: PROVIDER_NOT_SELECTED_ERROR))
        }
    }

    @Test(.row("M17"), arguments: ServiceDialect.allCases)
    func goesOnWithAnotherProvider_whileAPageIsOpen(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).started()
        await app.openPicker()
        app.enabler.setSelectedProvider("demo-cable")
        _ = await app.callbacks(until: \.isNavigation)
        // The viewer returns to the app's own picker, which the library does not notice.
        app.enabler.setSelectedProvider("demo-fiber")
        try await app.browse()
        _ = await app.callbacks(until: \.isAuthenticationStatus)
        app.enabler.getSelectedProvider()
        _ = await app.callbacks(until: { $0 == .selectedProvider("demo-fiber") })
        #expect(app.recorder.callbacks.filter(\.isAuthenticationStatus) == [.authenticationStatus(1, code: "")])
    }

    private static func withTempPass(_ access: SandboxWorld.Provider.TemporaryAccess) -> SandboxWorld {
        var world = SandboxWorld.demo
        var pass = SandboxWorld.Provider(id: "TempPass", displayName: "Temporary Pass", login: .none)
        pass.temporaryAccess = access
        world.providers.append(pass)
        world.requestors[0].providers.append("TempPass")
        return world
    }

    @Test(.row("SP10", "TP9"), arguments: ServiceDialect.allCases)
    func logsIn_whenChoiceAndIdentityComeAtOnce(service: ServiceDialect) async throws {
        let world = Self.withTempPass(.init(seconds: 600, identityKey: "email"))
        let app = try await ClassicApp(service, world: world).started()
        app.enabler.setSelectedProvider("TempPass")
        app.enabler.getAuthentication(true, withData: ["email": "hash"])
        let callbacks = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(
            callbacks.map(\.word).dropFirst() == [
                "tracking 2 TempPass", "status(N011, info, \"Logged in by a TempPass.\")", "tracking 0 true",
                "setAuthenticationStatus(1, \"\")",
            ])
    }

    /// The viewer chooses the pass in the app's picker, and the app knows only then that it needs the viewer's id.
    @Test(.row("SP10", "TP9"), arguments: ServiceDialect.allCases)
    func logsIn_whenTheIdentityComesWithAChoiceInThePicker(service: ServiceDialect) async throws {
        let world = Self.withTempPass(.init(seconds: 600, identityKey: "email"))
        let app = try await ClassicApp(service, world: world).started()
        app.enabler.getAuthentication()
        _ = await app.callbacks(until: \.isProviderDialog)
        app.enabler.setSelectedProvider("TempPass")
        app.enabler.getAuthentication(false, withData: ["email": "hash"])
        #expect(await app.loginStatus() == .authenticationStatus(1, code: ""))
    }

    /// The pass runs when the app begins a login, and the app knows the viewer's id only a moment later.
    @Test(arguments: ServiceDialect.allCases)
    func logsIn_whenTheIdentityComesWithTheSecondCall_behindAPass(service: ServiceDialect) async throws {
        let world = Self.withTempPass(.init(seconds: 600, identityKey: "email"))
        let app = try await ClassicApp(service, world: world).started()
        let answer = Gate()
        let asked = service == .classic ? "/sessionDevice" : "/profiles/"
        app.transport.setInterception { request, _ in
            if request.path?.contains(asked) == true { await answer.pass() }
            return nil
        }
        app.enabler.setSelectedProvider("TempPass")
        await answer.arrival()
        app.enabler.getAuthentication()
        app.enabler.getAuthentication(true, withData: ["email": "hash"])
        // The answer of this call shows that both calls wait for the pass by now.
        app.enabler.checkAuthentication()
        #expect(await app.loginStatus() == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR))
        answer.open()
        #expect(await app.loginStatus() == .authenticationStatus(1, code: USER_AUTHENTICATED))
    }

    @Test(arguments: ServiceDialect.allCases)
    func answersNotAuthenticated_whenThePassIsOver(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service, world: Self.withTempPass(.init(seconds: 600))).started()
        app.enabler.setSelectedProvider("TempPass")
        #expect(await app.loginStatus() == .authenticationStatus(1, code: USER_AUTHENTICATED))
        app.clock.advance(by: 601)
        app.enabler.checkAuthentication()
        #expect(await app.loginStatus() == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR))
    }

    /// Apps repeat a call that failed with a generic error, and the service has just asked for fewer requests.
    @Test(arguments: ServiceDialect.allCases)
    func answersNotAuthorized_whenTheServiceIsAskedTooOften(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.transport.setScript { request, _ in
            request.path?.contains("/authorize") == true ? .response(status: 429, body: "<html>") : nil
        }
        app.enabler.checkAuthorization("DEMO-1")
        guard case .tokenRequestFailed(_, let code, _)? = await app.callbacks(until: \.isAuthorizationEnd).last else {
            Issue.record("\(app.recorder.callbacks)")
            return
        }
        #expect(code == USER_NOT_AUTHORIZED_ERROR)
    }

    /// The text of a lower layer is for the developers of the app.
    @Test(arguments: ServiceDialect.allCases)
    func tellsTheDetailsOfAStatus(service: ServiceDialect) async throws {
        var world = SandboxWorld.demo
        world.providers[0].platformID = "apple-cable"
        var script = ScriptedPlatform.Script()
        script.failure = .failed("VSErrorDomain 3")
        let platform = ScriptedPlatform(script)
        let app = try await ClassicApp(service, world: world) { $0.platform = platform }.started()
        let callbacks = await app.callbacks(until: \.isRequestorComplete)
        let details = callbacks.compactMap { callback -> String? in
            if case .status("AAPL", _, _, let further) = callback { further["details"] } else { nil }
        }
        #expect(details == ["VSErrorDomain 3"])
    }

    /// Only the configuration states whether the chosen provider is a TempPass.
    ///
    /// Calls that the storage can serve do not wait for it.
    @Test(.row("SP9", "CA1", "LO1"))
    func answersFromTheStore_whileAChoiceWaitsForTheConfiguration() async throws {
        let app = try await ClassicApp(.restV2).started()
        let answer = app.configurationIsLate()
        app.enabler.setSelectedProvider("demo-fiber")
        await answer.arrival()
        app.enabler.getSelectedProvider()
        #expect(await app.callbacks(until: \.isSelectedProvider).last == .selectedProvider("demo-fiber"))
        app.enabler.checkAuthentication()
        #expect(await app.loginStatus() == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR))
        app.enabler.logout()
        #expect(await app.loginStatus() == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR))
        answer.open()
        app.enabler.getSelectedProvider()
        #expect(
            await app.callbacks(until: \.isSelectedProvider).last == .selectedProvider(nil), "The logout came later.")
    }

    @Test(.row("SP8"))
    func aLogin_begunBehindAChoice_showsNoPicker() async throws {
        let app = try await ClassicApp(.restV2).started()
        let answer = app.configurationIsLate()
        app.enabler.setSelectedProvider("demo-fiber")
        await answer.arrival()
        app.enabler.getAuthentication()
        app.enabler.checkAuthentication()
        #expect(await app.loginStatus() == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR))
        answer.open()
        let page = await app.callbacks(until: { $0.isNavigation || $0.isProviderDialog }).last?.page
        #expect(page?.contains("demo-fiber") == true || page?.contains("/authenticate/DEMO/") == true)
    }

    @Test(.row("SP9"), arguments: ServiceDialect.allCases)
    func letsACheckWait_forThePassThatWasJustChosen(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service, world: Self.withTempPass(.init(seconds: 600))).started()
        app.enabler.setSelectedProvider("TempPass")
        app.enabler.checkAuthorization("DEMO-PLUS")
        #expect(await app.callbacks(until: \.isAuthorizationEnd).last?.word == "token DEMO-PLUS")
    }

    @Test(.row("SP12"), arguments: ServiceDialect.allCases)
    func takesTheLastChoice(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service, world: Self.withTempPass(.init(seconds: 600))).started()
        _ = await app.callbacks(until: \.isRequestorComplete)
        // The pass has not logged the viewer in yet when the next choice comes.
        let answer = Gate()
        app.transport.setInterception { _, _ in
            await answer.pass()
            return nil
        }
        app.enabler.setSelectedProvider("TempPass")
        await answer.arrival()
        app.enabler.setSelectedProvider("demo-cable")
        app.enabler.getAuthentication()
        app.enabler.getSelectedProvider()
        _ = await app.callbacks(until: { $0 == .selectedProvider("demo-cable") })
        answer.open()
        try await app.browse()
        #expect(await app.loginStatus() == .authenticationStatus(1, code: ""))
        #expect(app.recorder.callbacks.filter(\.isAuthenticationStatus).count == 1, "\(app.recorder.callbacks)")
    }

    @Test(arguments: ServiceDialect.allCases)
    func opensNoPicker_forALoginThatALogoutCancelled(service: ServiceDialect) async throws {
        for _ in 0..<10 {
            let app = try await ClassicApp(service).loggedIn()
            // A forced login that came as far as the logout at the service could lose the page of the logout with the
            // request, so the logout of the app must come first.
            _ = app.holdRequests(for: "/regcode", "/sessions")
            app.enabler.getAuthentication(true, withData: nil)
            app.enabler.logout()
            try await app.browse()
            _ = await app.callbacks(until: \.isAuthenticationStatus)
            app.enabler.checkAuthorization("DEMO-1")
            _ = await app.callbacks(until: \.isAuthorizationEnd)
            // One picker belongs to the previous login. The cancelled one shows none.
            #expect(app.recorder.callbacks.filter(\.isProviderDialog).count == 1)
        }
    }

    /// The forced login has ended the login at the service, which names the provider's logout page only once.
    ///
    /// This is limited to REST API v2. Over the classic services, a login ends nothing at the service.
    @Test(.row("LO1", "LO6"), arguments: [false, true])
    func opensTheLogoutPage_thatAForcedLoginHasNotOpened(isLeft: Bool) async throws {
        let app = try await ClassicApp(.restV2).loggedIn()
        app.enabler.getAuthentication(true, withData: nil)
        #expect(await app.callbacks(until: \.isNavigation).last?.page?.contains("/logout") == false)
        if isLeft {
            app.enabler.setSelectedProvider(nil)
            #expect(await app.loginStatus() == .authenticationStatus(0, code: PROVIDER_NOT_SELECTED_ERROR))
        }
        app.enabler.logout()
        let page = try #require(await app.callbacks(until: \.isNavigation).last?.page)
        #expect(page.contains("/adobe-services/logout?"))
        try await app.finish(page, as: .cancels)
        #expect(await app.loginStatus() == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR))
        // The page has opened, so nothing is left to open.
        app.enabler.logout()
        #expect(await app.callbacks(until: \.isAuthenticationStatus).filter(\.isNavigation).isEmpty)
    }

    @Test(.row("E6"), arguments: ServiceDialect.allCases)
    func goesOn_whenTheRedirectOfAnIgnoredLogoutComesLate(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.enabler.logout()
        _ = await app.callbacks(until: \.isNavigation)
        app.enabler.setSelectedProvider("demo-cable")
        app.enabler.getAuthentication()
        _ = await app.callbacks(until: \.isNavigation)
        // The hidden page of the logout ends while the viewer is at the login.
        app.enabler.handleExternalURL("adobepass://ios.app")
        try await app.browse()
        #expect(await app.loginStatus() == .authenticationStatus(1, code: ""))
    }

    @Test(.row("HX2"), arguments: ServiceDialect.allCases)
    func showsNoPageTwice_onceTheLogoutIsLongOver(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.enabler.logout()
        _ = await app.callbacks(until: \.isNavigation)
        for _ in 0..<2 {
            app.enabler.setSelectedProvider("demo-cable")
            app.enabler.getAuthentication(true, withData: nil)
            try await app.browse()
            _ = await app.callbacks(until: { $0 == .authenticationStatus(1, code: "") })
        }
        app.enabler.setSelectedProvider("demo-cable")
        app.enabler.getAuthentication(true, withData: nil)
        try await app.browse(as: .cancels)
        let callbacks = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(callbacks.last == .authenticationStatus(0, code: GENERIC_AUTHENTICATION_ERROR))
        #expect(callbacks.filter(\.isNavigation).isEmpty)
    }

    @Test(.row("E6"), arguments: ServiceDialect.allCases)
    func logsInAgain_whileALogoutPageIsIgnored(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.enabler.logout()
        _ = await app.callbacks(until: \.isNavigation)
        app.enabler.getAuthentication()
        let callbacks = await app.callbacks(until: \.isProviderDialog)
        // A page that was never completed has no callback, least of all during the next login.
        #expect(callbacks.map(\.word) == ["displayProviderDialog(demo-cable, demo-fiber)"])
        app.enabler.setSelectedProvider("demo-cable")
        try await app.browse()
        #expect(await app.loginStatus() == .authenticationStatus(1, code: ""))
    }

    @Test(.row("GA9"), arguments: ServiceDialect.allCases)
    func asksAgain_andAnswersOnce(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).started()
        await app.openPicker()
        await app.openPicker()
        app.enabler.setSelectedProvider("demo-cable")
        _ = await app.callbacks(until: \.isNavigation)
        app.enabler.getAuthentication()
        try await app.browse()
        _ = await app.callbacks(until: \.isAuthenticationStatus)
        app.enabler.getSelectedProvider()
        _ = await app.callbacks(until: { $0 == .selectedProvider("demo-cable") })
        #expect(app.recorder.callbacks.filter(\.isAuthenticationStatus).count == 1)
    }

    /// Some apps show a page only in the screen that they have presented for the picker.
    @Test(.row("GA5", "D-12"), arguments: ServiceDialect.allCases)
    func showsThePickerBeforeThePageOfAKnownProvider_ifTheAppSaysSo(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service) { $0.skipsPicker = false }.loggedIn()
        app.clock.advance(by: 2_592_001)
        app.enabler.getAuthentication()
        let first = await app.callbacks(until: { $0.isProviderDialog || $0.isNavigation })
        #expect(first.last?.isProviderDialog == true)
        app.enabler.setSelectedProvider("demo-cable")
        try await app.browse()
        #expect(await app.loginStatus() == .authenticationStatus(1, code: ""))
    }

    @Test(.row("HX7"), arguments: ServiceDialect.allCases)
    func finishesALogin_thatTheAppBeganBeforeItWasClosed(service: ServiceDialect) async throws {
        let storage = MemoryStorage()
        let app = try await ClassicApp(service, storage: storage)
        app.beginLogin()
        let url = try #require(await app.callbacks(until: \.isNavigation).last?.page)
        let next = try await ClassicApp(service, storage: storage, earlier: app).started()
        try await next.finish(url)
        #expect(await next.loginStatus() == .authenticationStatus(1, code: ""))
        app.enabler.setSelectedProvider(nil)
    }

    /// Any app can open a URL with the redirect's scheme, and the service may be slow.
    @Test(.row("Q15"), arguments: ServiceDialect.allCases)
    func anotherAppsURL_delaysNoOtherRequestor(service: ServiceDialect) async throws {
        let storage = MemoryStorage()
        let app = try await ClassicApp(service, storage: storage)
        app.beginLogin()
        _ = await app.callbacks(until: \.isNavigation)
        let next = try await ClassicApp(service, storage: storage, earlier: app).started()
        _ = await next.callbacks(until: \.isRequestorComplete)
        let answer = Gate()
        let asked = service == .classic ? "/sessionDevice" : "/profiles/code/"
        next.transport.setInterception { request, _ in
            if request.path?.contains(asked) == true { await answer.pass() }
            return nil
        }
        next.enabler.handleExternalURL("adobepass://another")
        await answer.arrival()
        next.setRequestor("DEMO2")
        #expect(await next.callbacks(until: \.isRequestorComplete).map(\.word) == ["setRequestorComplete(1)"])
        answer.open()
        app.enabler.setSelectedProvider(nil)
    }

    @available(*, deprecated)
    @Test(.row("M20"), arguments: ServiceDialect.allCases)
    func finishesTheLogin_withoutAnArgument(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service)
        app.beginLogin()
        let url = try #require(await app.callbacks(until: \.isNavigation).last?.page)
        var browser = HeadlessBrowser(transport: BrowserTransport())
        _ = await browser.open(
            try #require(URL(string: url)), endingAt: AccessEnabler.redirectURL,
            as: .logsIn(name: "viewer", password: "secret"))
        app.enabler.getAuthenticationToken()
        #expect(await app.loginStatus() == .authenticationStatus(1, code: ""))
    }

    // This is limited to the classic services. REST API v2 sends such data in a header, and only for requests for a
    // TempPass.
    @Test(.row("M14")) func sendsItsData_withTheLogin() async throws {
        let app = try await ClassicApp().started()
        app.enabler.setSelectedProvider("demo-cable")
        app.enabler.getAuthentication(true, withData: ["email": "hash", "n": 1, "odd": Data(), "yes": true])
        let url = try #require(await app.callbacks(until: \.isNavigation).last?.page)
        let query = URLComponents(string: url)?.queryItems
        #expect(query?.first { $0.name == "generic_data" }?.value == #"{"email":"hash","n":1,"yes":true}"#)
        app.enabler.setSelectedProvider(nil)
    }

    @Test(.row("M22", "M24", "AZ20"), arguments: [true, false])
    func sendsItsData_withTheAuthorization(mayLogIn: Bool) async throws {
        let app = try await ClassicApp().loggedIn()
        let bodies = Guarded<[String]>([])
        app.transport.setScript { request, body in
            let text = String(decoding: body ?? Data(), as: UTF8.self).removingPercentEncoding ?? ""
            bodies.withLock { $0.append("\(request.path ?? "") \(text.contains(#"generic_data={"email":"hash"}"#))") }
            return nil
        }
        if mayLogIn {
            app.enabler.getAuthorization("DEMO-1", withData: ["email": "hash"])
        } else {
            app.enabler.checkAuthorization("DEMO-1", withData: ["email": "hash"])
        }
        _ = await app.callbacks(until: \.isAuthorizationEnd)
        #expect(
            bodies.withLock(\.self) == [
                "/adobe-services/authorizeDevice true", "/adobe-services/deviceShortAuthorize true",
            ])
    }

    /// The service must tell two viewers apart whose numbers are equal as a `Double`.
    @Test(.row("AZ20", "TP9")) func sendsAnotherIdentity_forEachWholeNumber() async throws {
        let world = Self.withTempPass(.init(seconds: 600, identityKey: "email"))
        var identities: [String] = []
        for viewer in [9_007_199_254_740_992, 9_007_199_254_740_993] {
            let app = try await ClassicApp(.restV2, world: world).started()
            app.enabler.setSelectedProvider("TempPass")
            app.enabler.getAuthentication(true, withData: ["email": "hash", "viewer": viewer])
            #expect(await app.loginStatus() == .authenticationStatus(1, code: ""))
            let headers = app.sandbox.exchanges.compactMap { $0.request.header("AP-TempPass-Identity") }
            let identity = try #require(headers.last.flatMap { Data(base64Encoded: $0) })
            identities.append(String(decoding: identity, as: UTF8.self))
        }
        #expect(identities[0] != identities[1])
        #expect(identities[1] == #"{"email":"hash","viewer":"9007199254740993"}"#)
    }

    @Test(.row("CA11"), arguments: ServiceDialect.allCases)
    func answersFromStorage_andLeavesTheLoginAlone(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).started()
        await app.openPicker()
        app.enabler.checkAuthentication()
        #expect(await app.loginStatus() == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR))
        app.enabler.setSelectedProvider("demo-cable")
        try await app.browse()
        #expect(await app.loginStatus() == .authenticationStatus(1, code: ""))
    }

    @Test(.row("TV8")) func putsTheCode_whereAnAppMayLookForIt() async throws {
        let dictionaries = Guarded<[[String: String]]>([])
        let witness = StatusWitness { dictionaries.withLock { [given = $0] in $0.append(given) } }
        let app = try await ClassicApp { $0.loginStyle = .secondScreen }
        app.enabler.statusDelegate = witness
        app.beginLogin()
        while dictionaries.withLock(\.isEmpty), !Task.isCancelled { await Task.shortPause() }
        let dictionary = try #require(dictionaries.withLock(\.first))
        #expect(dictionary["errorId"] == "REGCODE" && dictionary["level"] == "success")
        let code = try #require(dictionary["code"])
        #expect(code.count == 7 && dictionary["regCode"] == code && dictionary["message"] == code)
        app.enabler.setSelectedProvider(nil)
        _ = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(app.recorder.callbacks.filter(\.isNavigation).isEmpty)
    }
}

/// Forwards the texts of every status.
private final class StatusWitness: NSObject, EntitlementStatus, Sendable {
    private let see: @Sendable ([String: String]) -> Void

    init(_ see: @escaping @Sendable ([String: String]) -> Void) {
        self.see = see
    }

    func status(_ statusDictionary: [AnyHashable: Any]!) {
        see(statusDictionary as? [String: String] ?? [:])
    }
}

extension ClassicApp {
    /// Lets the service respond to the request for the configuration when the gate opens.
    fileprivate func configurationIsLate() -> Gate {
        let answer = Gate()
        transport.setInterception { request, _ in
            if request.path?.hasSuffix("/configuration") == true { await Task { await answer.pass() }.value }
            return nil
        }
        return answer
    }
}
