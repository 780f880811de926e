import AccessEnabler
import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Logins through the classic calls for which an app names some TV providers.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ClassicFilterTests {
    @Test(.row("M15", "K6", "K7"), arguments: ServiceDialect.allCases)
    func handsTheFilterToThePlatform_andShowsItsDialog(service: ServiceDialect) async throws {
        var world = SandboxWorld.demo
        world.providers[0].platformID = "apple-cable"
        world.providers[1].platformID = "apple-fiber"
        let platform = ScriptedPlatform(.init(picker: .success("apple-fiber")))
        let app = try await ClassicApp(service, world: world) { $0.platform = platform }.started()
        // The platform's dialog does not wait for the app's own run, and could overtake this callback.
        #expect(await app.callbacks(until: { $0.word == "setRequestorComplete(1)" }).count == 1)
        app.enabler.getAuthentication(
            [TV_PROVIDERS: ["demo-fiber", "demo-cable"], FEATURED_TV_PROVIDERS: ["demo-cable"]])
        let callbacks = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(
            callbacks.map(\.word) == [
                "presentTvProviderDialog", "dismissTvProviderDialog", "tracking 0 true",
                "setAuthenticationStatus(1, \"\")",
            ])
        // The view controller that the platform shows is the one that the app presents and dismisses.
        let shown = ObjectIdentifier(platform)
        #expect(
            Array(callbacks.prefix(2)) == [.presentPlatformDialog(shown), .dismissPlatformDialog(shown)])
        let request = try #require(platform.requests.first { $0.mayInterrupt })
        #expect(request.supportedProviderIDs.all == ["apple-fiber", "apple-cable"])
        #expect(request.featuredProviderIDs == ["apple-cable"] && !request.isForced)
    }

    /// A filter in each of the forms in which an app can pass it, and the request that the platform receives.
    @available(*, deprecated)
    private static let filters: [(form: String, isForced: Bool, call: @Sendable (AccessEnabler) -> Void)] = [
        ("dictionary", false, { $0.getAuthentication([TV_PROVIDERS: ["demo-fiber"]]) }),
        ("list", false, { $0.getAuthentication(["demo-fiber"]) }),
        (
            "dictionary with data", true,
            { $0.getAuthentication(true, withData: ["a": "b"], andFilter: [TV_PROVIDERS: ["demo-fiber"]]) }
        ),
        ("list with data", true, { $0.getAuthentication(true, withData: ["a": "b"], andFilter: ["demo-fiber"]) }),
        (
            "list with data, not forced", false,
            { $0.getAuthentication(false, withData: nil, andFilter: ["demo-fiber"]) }
        ),
    ]

    @available(*, deprecated)
    @Test(.row("M15", "M16"), arguments: ServiceDialect.allCases)
    func handsTheFilterToThePlatform_inEachFormOfTheCall(service: ServiceDialect) async throws {
        var world = SandboxWorld.demo
        world.providers[0].platformID = "apple-cable"
        world.providers[1].platformID = "apple-fiber"
        for row in Self.filters {
            let platform = ScriptedPlatform(.init(picker: .failure(.cancelled)))
            let app = try await ClassicApp(service, world: world) { $0.platform = platform }.started()
            row.call(app.enabler)
            _ = await app.loginStatus()
            let request = platform.requests.first { $0.mayInterrupt }
            #expect(request?.supportedProviderIDs.all == ["apple-fiber"], "\(row.form)")
            #expect(request?.isForced == row.isForced, "\(row.form)")
        }
    }

    // This is limited to the classic services. REST API v2 sends such data in a header, and only for requests for a
    // TempPass.
    @Test(.row("M16")) func sendsItsData_withALoginThatHasAFilter() async throws {
        let app = try await ClassicApp().started()
        app.enabler.setSelectedProvider("demo-cable")
        app.enabler.getAuthentication(true, withData: ["email": "hash"], andFilter: [TV_PROVIDERS: ["demo-cable"]])
        let url = try #require(await app.callbacks(until: \.isNavigation).last?.page)
        let query = URLComponents(string: url)?.queryItems
        #expect(query?.first { $0.name == "generic_data" }?.value == #"{"email":"hash"}"#)
        app.enabler.setSelectedProvider(nil)
    }
}
