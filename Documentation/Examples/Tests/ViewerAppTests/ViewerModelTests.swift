import TVEFlowEngine
import TVETestSupport
import Testing

@testable import ViewerApp

/// The login screen without a server, a browser and a real second.
struct ViewerModelTests {
    private func model(
        _ viewer: ScriptedViewer = ScriptedViewer(), clock: ManualClock = ManualClock(shortWait: .seconds(3))
    ) async throws -> ViewerModel {
        var environment = SessionEnvironment(
            storage: MemoryStorage(), transport: ScriptedTransport(viewer: viewer, clock: clock),
            clock: clock.sessionClock, app: AppIdentity(bundleID: "com.example.tv", teamID: "TEAM"),
            redirectURL: try #require(URL(string: "adobepass://ios.app")))
        environment.loginStyle = .browser
        environment.platform = nil
        return ViewerModel(
            session: try await EntitlementSession(
                requestorID: "ANY", softwareStatement: "a.b.c",
                serviceProviders: [try ServiceProvider("sp.example.com")], environment: environment))
    }

    /// Waits for a screen that the model shows by itself.
    private func waits(_ model: ViewerModel, for isShown: (ViewerModel.Screen) -> Bool) async {
        while !isShown(model.screen) { await Task.yield() }
    }

    @Test(.timeLimit(.minutes(10))) func logsIn_withAPickerAndAPage() async throws {
        let model = try await model()
        await model.start()
        guard case .loggedOut = model.screen else { return #expect(Bool(false), "\(model.screen)") }
        async let login: Void = model.logIn()
        await waits(model) { if case .picker = $0 { true } else { false } }
        model.choose("example-cable")
        await waits(model) { if case .page = $0 { true } else { false } }
        model.pageEnded(at: URL(string: "adobepass://ios.app"))
        await login
        guard case .loggedIn(let profile) = model.screen else { return #expect(Bool(false), "\(model.screen)") }
        #expect(profile.mvpdID == "example-cable" && model.alert == nil)
    }

    @Test(.timeLimit(.minutes(10))) func hasATextForATile_thatCannotBePlayed() async throws {
        let model = try await model(ScriptedViewer(denials: ["MOVIES": "Ask us for movies."]))
        await model.start()
        async let login: Void = model.logIn()
        await waits(model) { if case .picker = $0 { true } else { false } }
        model.choose("example-cable")
        await waits(model) { if case .page = $0 { true } else { false } }
        model.pageEnded(at: URL(string: "adobepass://ios.app"))
        await login
        await model.look(at: ["NEWS", "MOVIES"])
        #expect(model.reason(for: "NEWS") == nil)
        #expect(model.reason(for: "MOVIES") == "Ask us for movies.")
        await model.start()
        #expect(model.reason(for: "MOVIES") == "Ask us for movies.", "The login is the same.")
        await model.logOut()
        #expect(model.reason(for: "MOVIES") == nil, "The text was for the viewer who has left.")
    }

    @Test(.timeLimit(.minutes(10))) func keepsThePicker_whenTheAppComesToTheForeground() async throws {
        let model = try await model()
        await model.start()
        async let login: Void = model.logIn()
        await waits(model) { if case .picker = $0 { true } else { false } }
        await model.start()
        guard case .picker = model.screen else { return #expect(Bool(false), "\(model.screen)") }
        model.choose(nil)
        await login
        guard case .loggedOut = model.screen else { return #expect(Bool(false), "\(model.screen)") }
    }

    @Test(.timeLimit(.minutes(10))) func tellsTheViewer_whenTheBrowserDoesNotOpen() async throws {
        let model = try await model()
        await model.start()
        async let login: Void = model.logIn()
        await waits(model) { if case .picker = $0 { true } else { false } }
        model.choose("example-cable")
        await waits(model) { if case .page = $0 { true } else { false } }
        model.pageNotOpened(PageNotOpened("no window"))
        await login
        #expect(model.alert?.code == .authenticationFailed)
    }

    /// Another app has opened a URL with the scheme of the redirect, and the viewer is not logged in yet.
    @Test(.timeLimit(.minutes(10))) func opensThePageAgain_afterTheRedirectOfAnotherApp() async throws {
        let model = try await model(ScriptedViewer(looksBeforeLogin: 3))
        await model.start()
        async let login: Void = model.logIn()
        await waits(model) { if case .picker = $0 { true } else { false } }
        model.choose("example-cable")
        await waits(model) { if case .page(_, number: 1) = $0 { true } else { false } }
        model.pageEnded(at: URL(string: "adobepass://another"))
        await waits(model) { if case .page(_, number: 2) = $0 { true } else { false } }
        model.pageEnded(at: URL(string: "adobepass://ios.app"))
        await login
        guard case .loggedIn = model.screen else { return #expect(Bool(false), "\(model.screen)") }
    }

    @Test(.timeLimit(.minutes(10))) func saysNothing_toAViewerWhoLeaves() async throws {
        let model = try await model()
        await model.start()
        async let login: Void = model.logIn()
        await waits(model) { if case .picker = $0 { true } else { false } }
        await model.leave()
        await login
        guard case .loggedOut = model.screen else { return #expect(Bool(false), "\(model.screen)") }
        #expect(model.alert == nil && !model.canLeave)
    }

    @Test(.timeLimit(.minutes(10))) func endsTheLogin_whoseViewerLeaves_afterTheChoice() async throws {
        let model = try await model()
        await model.start()
        async let login: Void = model.logIn()
        await waits(model) { if case .picker = $0 { true } else { false } }
        model.choose("example-cable")
        await model.leave()
        await login
        guard case .loggedOut = model.screen else { return #expect(Bool(false), "\(model.screen)") }
        #expect(model.alert == nil)
    }

    /// The browser has returned, and the login is not there yet.
    ///
    /// The clock stands still, so it never comes.
    @Test(.timeLimit(.minutes(10))) func endsTheLogin_whoseViewerLeaves_afterThePage() async throws {
        let model = try await model(ScriptedViewer(looksBeforeLogin: 10), clock: ManualClock())
        await model.start()
        async let login: Void = model.logIn()
        await waits(model) { if case .picker = $0 { true } else { false } }
        model.choose("example-cable")
        await waits(model) { if case .page = $0 { true } else { false } }
        model.pageEnded(at: URL(string: "adobepass://ios.app"))
        #expect(model.canLeave)
        await model.leave()
        await login
        guard case .loggedOut = model.screen else { return #expect(Bool(false), "\(model.screen)") }
        #expect(model.alert == nil)
    }
}
