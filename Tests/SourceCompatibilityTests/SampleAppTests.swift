import AccessEnabler
import Foundation
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Runs the three sample apps.
///
/// That they compile is the first half of the test.
@Suite(.fewAtATime, .timeLimit(.hanging))
@MainActor
struct SampleAppTests {
    /// A pause of up to three seconds passes at once.
    private let clock = ManualClock(shortWait: .seconds(3))

    private func sandbox() async throws -> Sandbox {
        try await Sandbox(world: .demo.strict, now: { [clock] in clock.now })
    }

    private func enabler(_ sandbox: Sandbox, style: LoginStyle, _ service: ServiceDialect) -> AccessEnabler {
        var environment = SessionEnvironment(
            storage: MemoryStorage(), clock: clock.sessionClock,
            app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
            device: DeviceIdentity(seed: "device-1", app: nil), redirectURL: AccessEnabler.redirectURL)
        environment.loginStyle = style
        return AccessEnabler(
            sandbox.softwareStatement, service: service, environment: environment,
            callbackRun: { callback in Task { @MainActor in callback() } })
    }

    @available(macOS 15, iOS 18, tvOS 18, *)
    @Test(.row("K13"), arguments: ServiceDialect.allCases)
    func newsroom_runsItsWholeDay(service: ServiceDialect) async throws {
        let sandbox = try await sandbox()
        let app = NewsroomTVManager(
            accessEnabler: enabler(sandbox, style: .browser, service), requestor: "DEMO",
            serviceProviders: [sandbox.baseURL.absoluteString + "/adobe-services"])
        let events = AsyncStream<String>.makeStream()
        var next = events.stream.makeAsyncIterator()
        app.onReady = { events.continuation.yield("ready \($0)") }
        app.onAuthentication = { events.continuation.yield("authenticated \($0) \($1)") }
        app.onProviders = { events.continuation.yield("providers \($0.map { $0.id ?? "" })") }
        app.onLoginPage = { events.continuation.yield($0.absoluteString) }
        app.onToken = { events.continuation.yield("token \($0.isEmpty) \($1)") }
        app.onDenied = { events.continuation.yield("denied \($0) \($1) \($2.isEmpty)") }
        app.onPreauthorized = { events.continuation.yield("allowed \($0)") }
        app.onProvider = { events.continuation.yield("provider \($0?.displayName ?? "none")") }
        app.onMetadata = { _, encrypted, key in events.continuation.yield("metadata \(encrypted) \(key)") }

        app.start()
        #expect(await next.next(isolation: #isolation) == "ready true")
        #expect(await next.next(isolation: #isolation) == "authenticated false \(USER_NOT_AUTHENTICATED_ERROR)")
        app.login()
        #expect(await next.next(isolation: #isolation) == "providers [\"demo-cable\", \"demo-fiber\"]")
        app.pick(app.providers[0])
        try await browse(try #require(await next.next(isolation: #isolation)), app)
        #expect(await next.next(isolation: #isolation) == "authenticated true ")
        app.whichProvider()
        #expect(await next.next(isolation: #isolation) == "provider Demo Cable")
        app.mark(["DEMO-1", "DEMO-PLUS"])
        #expect(await next.next(isolation: #isolation) == "allowed [\"DEMO-1\"]")
        app.play("DEMO-1")
        #expect(await next.next(isolation: #isolation) == "token false DEMO-1")
        app.play("DEMO-PLUS")
        #expect(await next.next(isolation: #isolation) == "denied DEMO-PLUS \(USER_NOT_AUTHORIZED_ERROR) false")
        app.fetchMetadata("zip")
        #expect(await next.next(isolation: #isolation) == "metadata false 3")
        #expect(app.userMetadata["zip"] as? String == "12345")
        app.logout()
        try await browse(try #require(await next.next(isolation: #isolation)), app)
        #expect(await next.next(isolation: #isolation) == "authenticated false \(USER_NOT_AUTHENTICATED_ERROR)")
        #expect(
            app.trackedEvents == [
                "authentication false", "selection demo-cable", "authentication true", "authorization true",
                "authorization false", "authentication false",
            ])
        #expect(app.statusIds == ["info N000", "error Z100"])
    }

    private func browse(_ page: String, _ app: NewsroomTVManager) async throws {
        #expect(app.browserReached(try await end(of: page)))
    }

    /// Navigates a browser through a page.
    private func end(of page: String) async throws -> URL {
        var browser = HeadlessBrowser(transport: URLSessionTransport(timeout: .hanging))
        let end = await browser.open(
            try #require(URL(string: page)), endingAt: AccessEnabler.redirectURL,
            as: .logsIn(name: "viewer", password: "secret"))
        guard case .redirect(let url) = end else {
            Issue.record("\(end)")
            return AccessEnabler.redirectURL
        }
        return url
    }

    /// The app never completes the logout's page, and its logins still work.
    @available(macOS 15, iOS 18, tvOS 18, *)
    @Test(arguments: ServiceDialect.allCases)
    func matchday_logsInAgain_whenALogoutsPageIsLeft(service: ServiceDialect) async throws {
        let sandbox = try await sandbox()
        let app = MatchdayScreen()
        let events = AsyncStream<String>.makeStream()
        var next = events.stream.makeAsyncIterator()
        app.onEvent = { events.continuation.yield($0) }
        app.viewDidLoad(
            statement: sandbox.softwareStatement, make: { _ in enabler(sandbox, style: .browser, service) },
            endpoint: sandbox.baseURL.absoluteString)
        #expect(await next.next(isolation: #isolation) == "ready 1")
        #expect(await next.next(isolation: #isolation) == "signed in false")
        #expect(await next.next(isolation: #isolation) == "picker 2")
        let cable = try #require(app.mvpdCache.first { $0.id == "demo-cable" })
        app.rowSelected(cable)
        let page = try #require(await next.next(isolation: #isolation))
        #expect(!app.webView(loads: try await end(of: page)))
        #expect(await next.next(isolation: #isolation) == "signed in true")
        app.watch("DEMO-1")
        #expect(await next.next(isolation: #isolation) == "token DEMO-1")
        app.watch("DEMO-PLUS")
        #expect(await next.next(isolation: #isolation) == "failed DEMO-PLUS")
        app.signOut()
        #expect(await next.next(isolation: #isolation)?.hasPrefix("http") == true)
        // The viewer returns from another app, and this app begins a login.
        app.enabler.getAuthentication()
        #expect(await next.next(isolation: #isolation) == "picker 2")
        app.rowSelected(cable)
        let second = try #require(await next.next(isolation: #isolation))
        #expect(!app.webView(loads: try await end(of: second)))
        #expect(await next.next(isolation: #isolation) == "signed in true")
    }

    @available(macOS 15, iOS 18, tvOS 18, *)
    @Test(arguments: ServiceDialect.allCases)
    func livingRoom_logsInOnASecondScreen(service: ServiceDialect) async throws {
        let sandbox = try await sandbox()
        let app = LivingRoomAuthProvider()
        let room = Room()
        app.listener = room
        var next = room.events.stream.makeAsyncIterator()
        app.configure(
            with: enabler(sandbox, style: .secondScreen, service), requestor: "DEMO",
            endpoint: sandbox.baseURL.absoluteString)
        #expect(await next.next(isolation: #isolation) == "logged in false")
        app.signIn()
        #expect(await next.next(isolation: #isolation) == "choose")
        app.choose(room.mvpds.first)
        let code = try #require(await next.next(isolation: #isolation))
        var phone = HeadlessBrowser(transport: URLSessionTransport(timeout: .hanging))
        let page = sandbox.baseURL.appending(path: "activate").appending(queryItems: [
            URLQueryItem(name: "code", value: code)
        ])
        _ = await phone.open(
            page, endingAt: sandbox.baseURL.appending(path: "activate/done"),
            as: .logsIn(name: "viewer", password: "secret"))
        await clock.advanceOnceSomethingSleeps(by: 5)
        #expect(await next.next(isolation: #isolation) == "logged in true")
        app.entitlement(for: "DEMO-1", title: "The Show")
        #expect(await next.next(isolation: #isolation) == "may play")
        app.entitlement(for: "DEMO-PLUS", title: "The Other Show")
        #expect(await next.next(isolation: #isolation) == "may not play")
        app.decide(about: ["DEMO-2", "DEMO-PLUS"])
        #expect(await next.next(isolation: #isolation) == "decided DEMO-2=true DEMO-PLUS=false")
        app.signOut()
        #expect(await next.next(isolation: #isolation) == "logged in false")
    }
}

/// The living room, which prints the app's reports.
private final class Room: LivingRoomAuthListener {
    let events = AsyncStream<String>.makeStream()
    var mvpds: [MVPD] = []

    func authProvider(_ provider: LivingRoomAuthProvider, showCode code: String) { events.continuation.yield(code) }

    func authProvider(_ provider: LivingRoomAuthProvider, didChange loggedIn: Bool) {
        events.continuation.yield("logged in \(loggedIn)")
    }

    func authProvider(_ provider: LivingRoomAuthProvider, mayPlay resource: String, with token: String?) {
        events.continuation.yield(token == nil ? "may not play" : "may play")
    }

    func authProvider(_ provider: LivingRoomAuthProvider, decided decisions: [String: Bool]) {
        let words = decisions.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        events.continuation.yield("decided \(words.joined(separator: " "))")
    }

    func authProvider(_ provider: LivingRoomAuthProvider, needsProviderFrom mvpds: [MVPD]) {
        self.mvpds = mvpds
        events.continuation.yield("choose")
    }
}
