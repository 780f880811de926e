import Foundation
import TVEModels
import TVENetworking
import TVETestTraits
import Testing

/// The domain of a login is the application's (REST API v2, 5.2).
@Suite(.fewAtATime)
struct LoginDomainTests {
    /// Returns the fields of the newest form.
    private static func form(_ desk: RESTv2Fixture) -> [String: String] {
        let body = desk.requests.withLock { $0.last?.body ?? "" }
        let items = URLComponents(string: "?\(body)")?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    @Test(
        .row("REST API v2, 5.2"),
        arguments: [
            // Without a configuration, the domain is that of the redirect. Without that, the service has to request it.
            ([], "adbe.demo://app.example/done", "app.example"), ([], "https://app.example", "app.example"),
            ([], "adbe.demo:///done", nil),
            // The domain is that of the redirect if the configuration lists it, and otherwise the first one listed.
            (["a.example", "b.example"], "https://B.example/done", "b.example"),
            (["a.example", "b.example"], "adbe.demo://c.example", "a.example"),
            (["a.example", "b.example"], "adbe.demo:///done", "a.example"),
        ] as [([String], String, String?)])
    func comesFromTheApplication_andIsNeverMadeUp(listed: [String], redirect: String, expected: String?) async throws {
        let desk = try await RESTv2Fixture()
        let url = try #require(URL(string: redirect))
        let session = try await desk.service.createSession(
            requestorID: "DEMO", mvpdID: "demo-cable", redirectURL: url, domains: listed)
        #expect(Self.form(desk)["domainName"] == expected)
        #expect(Self.form(desk)["redirectUrl"] == redirect)
        #expect(session.missingParameters == (expected == nil ? ["domainName"] : []))
        // A second screen sends the same domain.
        _ = try? await desk.service.resumeSession(
            code: session.code ?? "", requestorID: "DEMO", mvpdID: "demo-cable", redirectURL: url, domains: listed)
        #expect(Self.form(desk)["domainName"] == expected)
    }

    @Test func isLeftOut_withTheRedirect_thatAnotherScreenKnows() async throws {
        let desk = try await RESTv2Fixture()
        _ = try await desk.service.configuration(of: "DEMO")
        _ = try await desk.service.createSession(requestorID: "DEMO", mvpdID: nil, redirectURL: nil)
        #expect(Self.form(desk).isEmpty)
    }
}
