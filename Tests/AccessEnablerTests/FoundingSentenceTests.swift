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

/// Sentences of the founding documents whose violation an existing app would notice.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct FoundingSentenceTests {
    /// The viewer has left the first provider for another one, and then that one too.
    @Test(.row("GA7"), arguments: ServiceDialect.allCases)
    func aProviderThatWasLeft_isNotOpenedWithoutAsking(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.clock.advance(by: 2_592_001)
        app.enabler.getAuthentication()
        let first = await app.callbacks(until: \.isNavigation)
        #expect(first.filter(\.isProviderDialog).isEmpty, "It is the provider of the last login.")
        // Otherwise the service could answer that nobody has logged in before the app cancels.
        let outcome = app.holdRequests(for: "/sessionDevice", "/profiles/code/")
        app.enabler.setSelectedProvider("demo-fiber")
        try await app.browse(as: .cancels)
        app.enabler.setSelectedProvider(nil)
        #expect(await app.loginStatus() == .authenticationStatus(0, code: PROVIDER_NOT_SELECTED_ERROR))
        outcome.open()
        app.enabler.getAuthentication()
        let next = await app.callbacks { $0.isProviderDialog || $0.isNavigation }
        #expect(next.last?.isProviderDialog == true)
    }

    /// One provider's page is left, and the other one's login is still valid.
    @Test(.row("GA7", "GA5"), arguments: ServiceDialect.allCases)
    func aFailedLogin_leavesTheMarkOfAProvider_withAValidLogin(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.enabler.setSelectedProvider("demo-fiber")
        app.enabler.getAuthentication(true, withData: [:])
        _ = await app.callbacks(until: \.isNavigation)
        app.enabler.setSelectedProvider(nil)
        _ = await app.loginStatus()
        app.enabler.setSelectedProvider("demo-cable")
        app.enabler.checkAuthentication()
        #expect(await app.loginStatus() == .authenticationStatus(1, code: USER_AUTHENTICATED))
    }

    /// The app has two endpoints.
    ///
    /// The one of the viewer's provider does not respond when the app returns, or responds after the library has
    /// stopped waiting for it.
    @Test(.row("Q14", "Q16"), arguments: ServiceDialect.allCases, [false, true])
    func anEndpointThatIsAway_logsNobodyOut_andStaysInThePicker(service: ServiceDialect, isLate: Bool) async throws {
        let app = try await ClassicApp(service)
        var world = SandboxWorld.demo
        world.providers = [.init(id: "demo-satellite", displayName: "Demo Satellite", login: .form)]
        for index in world.requestors.indices { world.requestors[index].providers = ["demo-satellite"] }
        // Both sandboxes have the same key, so the second accepts the statement of the first.
        let isDirect = !LongTests.areOn
        let other = try await Sandbox(world: world.strict, isDirect: isDirect, now: { app.clock.now })
        let connection = DirectTransport(to: other.baseURL, isDirect: isDirect) {
            await other.routes.answer($0, body: $1)
        }
        defer { withExtendedLifetime(connection) {} }
        let endpoints = [app.sandbox, other].map { $0.baseURL.absoluteString + "/adobe-services" }
        app.enabler.setRequestor("DEMO", serviceProviders: endpoints)
        app.enabler.getAuthentication()
        _ = await app.callbacks(until: \.isProviderDialog)
        app.enabler.setSelectedProvider("demo-satellite")
        try await app.browse()
        #expect(await app.loginStatus() == .authenticationStatus(1, code: USER_AUTHENTICATED))
        let port = try #require(other.baseURL.port)
        app.transport.setInterception { request, _ in
            guard request.authority?.hasSuffix(":\(port)") == true else { return nil }
            if isLate {
                let (never, _) = AsyncStream<Void>.makeStream()
                for await _ in never {}
            }
            return .failure(.unreachable)
        }
        app.enabler.setRequestor("DEMO", serviceProviders: endpoints)
        // Over REST API v2, a start does not request the configuration again.
        if isLate, service == .classic { await app.clock.advanceOnceSomethingSleeps(by: 5) }
        #expect(await app.callbacks(until: \.isRequestorComplete).last == .requestorComplete(1))
        app.enabler.checkAuthentication()
        #expect(await app.loginStatus() == .authenticationStatus(1, code: USER_AUTHENTICATED))
        app.enabler.setSelectedProvider(nil)
        _ = await app.loginStatus()
        app.enabler.getAuthentication()
        let picker = await app.callbacks(until: \.isProviderDialog).last
        #expect(picker == .providerDialog(["demo-cable", "demo-fiber", "demo-satellite"]))
    }

    // MARK: - Options

    /// A value that an app passes, and its meaning.
    struct Flag: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isOn: Bool
        let value: @Sendable () -> Any

        init(_ isOn: Bool, _ value: @escaping @autoclosure @Sendable () -> Any) {
            self.isOn = isOn
            self.value = value
            testDescription = "\(value()), a \(type(of: value()))"
        }
    }

    @Test(
        .row("SV3"),
        arguments: [
            Flag(true, true), Flag(false, false), Flag(true, "true"), Flag(true, "YES"), Flag(true, "yes"),
            Flag(true, "1"), Flag(false, "false"), Flag(false, "NO"), Flag(false, ""), Flag(false, "0"), Flag(true, 1),
            Flag(false, 0), Flag(true, 7), Flag(true, 1.0), Flag(true, UInt8(1)), Flag(true, NSNumber(value: true)),
            Flag(false, NSNumber(value: 0)), Flag(false, ["true"]), Flag(false, NSNull()),
        ])
    func handleSVC_isWhatBoolValueReads(flag: Flag) async throws {
        var world = SandboxWorld.demo
        world.providers[0].usesSafari = true
        let app = try await ClassicApp(world: world)
        app.enabler.setOptions([OPTION_HANDLE_SVC: flag.value()])
        app.beginLogin()
        let page = await app.callbacks(until: \.isNavigation).last
        let isSafari = if case .navigateInSafari? = page { true } else { false }
        #expect(isSafari == flag.isOn)
    }

    @Test(
        .row("M6"),
        arguments: [
            ("staging", "sp.auth-staging.adobe.com"), ("Staging", "sp.auth-staging.adobe.com"),
            ("production", "sp.auth.adobe.com"), ("another", "sp.auth.adobe.com"), (nil, "sp.auth.adobe.com"),
        ], ServiceDialect.allCases)
    func theProfile_decidesTheServiceOfAnApp_thatNamesNone(
        profile: (name: String?, host: String), service: ServiceDialect
    ) async throws {
        let hosts = Guarded<Set<String>>([])
        let app = try await ClassicApp(service)
        app.transport.setScript { request, _ in
            hosts.withLock { _ = $0.insert(request.authority ?? "") }
            return .failure(.unreachable)
        }
        if let name = profile.name { app.enabler.setOptions([OPTION_PROFILE: name]) }
        app.enabler.setRequestor("DEMO")
        _ = await app.callbacks(until: \.isRequestorComplete)
        #expect(hosts.withLock(\.self) == [profile.host])
        // An app that names an endpoint gets it.
        hosts.withLock { $0 = [] }
        app.setRequestor()
        _ = await app.callbacks(until: \.isRequestorComplete)
        #expect(hosts.withLock { $0.allSatisfy { $0.hasPrefix("127.0.0.1") } })
    }

    // MARK: - Questions

    @Test(.row("PR4"), arguments: ServiceDialect.allCases)
    func preauthorizationsWithoutACache_areEachAsked(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        let count = Guarded(0)
        app.transport.setScript { request, _ in
            if request.path?.contains("/preauthorize") == true { count.withLock { $0 += 1 } }
            return nil
        }
        for _ in 1...3 { app.enabler.checkPreauthorizedResources(["DEMO-1"], cache: false) }
        for _ in 1...3 { _ = await app.callbacks(until: { $0 == .preauthorizedResources(["DEMO-1"]) }) }
        #expect(count.withLock(\.self) == 3)
    }

    /// The chosen provider is known at once; the authentication status is known when the service has responded.
    @Test(.row("SP9", "TP1"), arguments: ServiceDialect.allCases)
    func aTempPass_isSelected_beforeItHasLoggedIn(service: ServiceDialect) async throws {
        var world = SandboxWorld.demo
        world.providers.append(SandboxWorld.Provider(id: "TempPass", displayName: "Temporary Pass", login: .none))
        world.requestors[0].providers.append("TempPass")
        let app = try await ClassicApp(service, world: world)
        app.setRequestor()
        _ = await app.callbacks(until: \.isRequestorComplete)
        app.enabler.setSelectedProvider("TempPass")
        app.enabler.getSelectedProvider()
        let callbacks = await app.callbacks(until: \.isSelectedProvider)
        #expect(callbacks.last == .selectedProvider("TempPass"))
    }

    /// The flag indicates whether a stored permission was sufficient.
    @Test(.row("B7"), arguments: ServiceDialect.allCases)
    func tracking_saysWhetherAPermissionWasStored(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        func isCached() async -> String? {
            app.enabler.getAuthorization("DEMO-1")
            return await app.callbacks(until: \.isAuthorizationEnd).compactMap { callback -> String? in
                if case .tracking(let data, TRACKING_AUTHORIZATION) = callback { data[3] } else { nil }
            }.last
        }
        #expect(await isCached() == "false")
        #expect(await isCached() == (service == .classic ? "true" : "false"))
        // The service refuses the stored permission and issues a new one.
        guard service == .classic else { return }
        let isFirst = Guarded(true)
        app.transport.setScript { request, _ in
            guard request.path?.contains("/deviceShortAuthorize") == true,
                isFirst.withLock({ first in
                    defer { first = false }
                    return first
                })
            else { return nil }
            return .response(status: 200, body: "<pendingLogout>true</pendingLogout>")
        }
        #expect(await isCached() == "false")
    }
}
