import AccessEnabler
import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Less obvious statements of the seed documents.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct SeedBehaviourTests {
    @Test(.row("T-76"), arguments: ServiceDialect.allCases, ["", "ftp://h", "http://192.0.2.1"])
    func startsWithTheOtherEndpoint_whenOneIsNoURL(service: ServiceDialect, endpoint: String) async throws {
        let app = try await ClassicApp(service)
        app.enabler.setRequestor("DEMO", serviceProviders: [endpoint, app.sandbox.baseURL.absoluteString])
        #expect(await app.callbacks(until: \.isRequestorComplete).map(\.word) == ["setRequestorComplete(1)"])
    }

    @Test(arguments: ["ftp://h", "http://192.0.2.1"])
    func fails_whenNoEndpointCanBeAsked(endpoint: String) async throws {
        let app = try await ClassicApp()
        app.enabler.setRequestor("DEMO", serviceProviders: [endpoint])
        guard case .status("CFG404", "error", _, _)? = await app.recorder.next(within: .hanging) else {
            Issue.record("\(app.recorder.callbacks)")
            return
        }
        #expect(await app.recorder.next(within: .hanging) == .requestorComplete(0))
    }

    /// The transport responds for the other host, which receives requests only if the app names it.
    @Test(arguments: [false, true])
    func asksAnotherHostOverPlainHTTP_ifTheAppSaysSo(allowsHTTP: Bool) async throws {
        let app = try await ClassicApp { $0.allowsHTTP = allowsHTTP }
        let asked = Guarded(0)
        app.transport.setScript { request, _ in
            if request.authority == "tv.example.com" { asked.withLock { $0 += 1 } }
            return .failure(.unreachable)
        }
        app.enabler.setRequestor("DEMO", serviceProviders: ["http://tv.example.com/adobe-services"])
        #expect(await app.callbacks(until: \.isRequestorComplete).last == .requestorComplete(0))
        #expect((asked.withLock(\.self) > 0) == allowsHTTP)
    }

    /// It works without `setRequestor`.
    @Test(.row("T-71"), arguments: ServiceDialect.allCases)
    func clears_whenItIsMade(service: ServiceDialect) async throws {
        let storage = MemoryStorage()
        let app = try await ClassicApp(service, storage: storage).loggedIn()
        let next = try await ClassicApp(service, storage: storage, earlier: app, check: .INTEGRITY_CHECK_CLEAR)
        while !storage.keys(under: StorageKey("requestor")).isEmpty, !Task.isCancelled { await Task.shortPause() }
        #expect(storage.keys(under: StorageKey("requestor")).isEmpty)
        next.setRequestor()
        next.enabler.checkAuthentication()
        #expect(await next.loginStatus()?.word.contains("0") == true)
    }

    @Test(.row("SP3"), arguments: ServiceDialect.allCases)
    func forgetsTheProvider_whenTheViewerLeavesThePage(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.enabler.getSelectedProvider()
        #expect(await app.callbacks(until: \.isSelectedProvider).last == .selectedProvider("demo-cable"))
        app.enabler.getAuthentication(true, withData: nil)
        _ = await app.callbacks(until: { $0.isNavigation || $0.isProviderDialog })
        app.enabler.setSelectedProvider(nil)
        #expect(await app.loginStatus() == .authenticationStatus(0, code: PROVIDER_NOT_SELECTED_ERROR))
        app.enabler.getSelectedProvider()
        #expect(await app.callbacks(until: \.isSelectedProvider).last == .selectedProvider(nil))
    }

    @Test(.row("AZ7"), arguments: ServiceDialect.allCases)
    func explainsAnInvalidResource_asTheServiceDoes(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.enabler.checkAuthorization("<rss><channel>")
        guard case .tokenRequestFailed(_, let code, let text)? = await app.callbacks(until: \.isAuthorizationEnd).last
        else {
            Issue.record("\(app.recorder.callbacks)")
            return
        }
        #expect(code == GENERIC_AUTHORIZATION_ERROR)
        #expect(!text.isEmpty)
    }
}
