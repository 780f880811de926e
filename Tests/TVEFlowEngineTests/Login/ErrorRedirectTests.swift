import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVETestSupport
import TVETestTraits
import Testing

/// The service sends the browser back with an error in place of a login (REST API v2, 9.2).
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ErrorRedirectTests {
    /// A viewer whose browser ends at one URL, and who leaves the page when it is shown again.
    private final class Viewer: AuthenticationPresenter {
        private let ends: Guarded<[String]>

        init(_ end: String) { ends = Guarded([end]) }

        func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { "demo-cable" }
        func presentLogin(_ page: BrowserPage) async -> URL? {
            ends.withLock { $0.popLast() }.flatMap { URL(string: $0) }
        }
        func presentLogout(_ page: BrowserPage) async {}
    }

    /// A name of 64 characters.
    private static let longestName = String(repeating: "a", count: 64)

    @Test(
        .row("HX2", "N130"),
        arguments: ServiceDialect.both([
            ("adobepass://ios.app?error=access_denied", "access_denied"),
            ("adobepass://ios.app/?state=1&error=server_error&error_description=x", "server_error"),
            ("ADOBEPASS://ios.app#error=access_denied", "access_denied"),
            ("adobepass://ios.app?error=%1B%5B31m", "unknown"),
            ("adobepass://ios.app?error=x", "x"),
            ("adobepass://ios.app?error=\(longestName)", longestName),
            ("adobepass://ios.app?error=\(longestName)a", "unknown"),
        ]))
    func endsTheLoginAtOnce(dialect: ServiceDialect, end: String, name: String) async throws {
        let (fixture, session, log) = try await FlowFixture.started(dialect)
        let error = await #expect(throws: TVEError.self) { try await session.authenticate(using: Viewer(end)) }
        #expect(error?.code == .authenticationFailed && error?.status == .noTokenOnSession)
        #expect(error?.message?.contains(" the error \(name),") == true, "\(error?.message ?? "")")
        #expect(log.take().suffix(3) == ["N130", "authn false", "not: authenticationFailed"])
        #expect(fixture.count(of: .outcome) == 0 && fixture.entitlements == 0)
        // The next login is a new one.
        try await session.authenticate(using: ViewerWhoLogsIn())
    }

    /// Any app can open a URL with the scheme, and a parameter without a value says nothing.
    @Test(
        arguments: ServiceDialect.both([
            ("adobepass://other?error=access_denied", TVEError.Code.providerNotSelected),
            ("adobepass://ios.app?error=", .authenticationFailed),
            ("adobepass://ios.app?terror=x", .authenticationFailed),
        ]))
    func asksTheService_whereNoErrorIsSaid(dialect: ServiceDialect, end: String, code: TVEError.Code) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect)
        let error = await #expect(throws: TVEError.self) { try await session.authenticate(using: Viewer(end)) }
        #expect(error?.code == code && fixture.count(of: .outcome) > 0, "\(error?.message ?? "")")
    }

    /// The viewer may still be at the page, so the service is asked only for as long as its answer may be late.
    @Test func asksTwice_andShowsThePageAgain_whereTheRedirectMayBeThatOfAnotherPage() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        let times = Guarded<[Date]>([])
        fixture.transport.setScript { request, _ in
            if fixture.isAt(.outcome, request) { times.withLock { $0.append(fixture.clock.now) } }
            return nil
        }
        await #expect(throws: TVEError(.providerNotSelected)) {
            try await session.authenticate(using: Viewer("adobepass://other"))
        }
        let asked = times.withLock(\.self)
        #expect(asked.count == 2 && asked.last == asked.first?.addingTimeInterval(3))
    }

    /// Only a login that is missing may mean that the viewer is still at the page.
    @Test(arguments: ServiceDialect.allCases)
    func fails_whereTheRedirectMayBeThatOfAnotherPage_butTheServiceIsAway(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect)
        fixture.answer(.outcome, .failure(.unreachable))
        await #expect(throws: TVEError(.serviceUnreachable)) {
            try await session.authenticate(using: Viewer("adobepass://other"))
        }
    }

    /// Such a redirect ends every login in the same way.
    @Test func asksTheService_whereTheAppsOwnRedirectHasAParameterOfThatName() async throws {
        let fixture = try await FlowFixture(.restV2)
        let redirect = "adobepass://ios.app?error=own"
        let own = try #require(URL(string: redirect))
        let (session, _) = try await fixture.session { $0.redirectURL = own }
        await #expect(throws: TVEError(.authenticationFailed)) {
            try await session.authenticate(using: Viewer(redirect))
        }
        #expect(fixture.count(of: .outcome) > 0)
    }
}
