import Foundation
import HTTPTypes
import HTTPTypesFoundation
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

@testable import tve

/// Tests of a service that redirects the browser with an error in place of a login.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct RefusedInTheBrowserTests {
    @Test(arguments: [("?error=access_denied", "access_denied"), ("?x=1&error=server_error&y=", "server_error")])
    func theLoginEnds_withTheNameOfTheError(query: String, name: String) async throws {
        let desk = try await Desk()
        let console = try Console()
        let process = try console.start(
            ["BROWSER=true", Tool.executable.path] + desk.full(["login", "--provider", "demo-cable"]),
            of: URL(fileURLWithPath: "/usr/bin/env"), environment: ["TERM": "dumb"])
        let begin = await console.text(upTo: "\r\nWaiting")
        let found = try #require(begin.firstMatch(of: /redirect_url=(http%3A%2F%2F127[^&\s]+)/)?.1, "\(begin)")
        let redirect = try #require(String(found).removingPercentEncoding.flatMap { URL(string: $0 + query) })
        let (_, page) = try await URLSessionTransport(timeout: .hanging).send(
            HTTPRequest(method: .get, url: redirect), body: nil)
        #expect(String(decoding: page, as: UTF8.self).contains("The login was refused."))
        let end = await console.everything()
        await process.ended()
        #expect(process.terminationStatus == 1)
        #expect(end.contains("The login page ended with the error \(name)") && end.contains("[N130]"), "\(end)")
        // The tool does not ask the service, which would take as long as a login may be late.
        #expect(!desk.sandbox.exchanges.contains { $0.path.hasSuffix("/sessionDevice") })
    }

    /// For example, a second login of the same device has replaced the code.
    @Test func aPageWithAnError_isQuoted() async throws {
        let sandbox = try await Sandbox(world: .demo.strict)
        let page = sandbox.baseURL.appendingPathComponent("api/v2/authenticate/DEMO/AAAAAAA")
        let redirect = try #require(URL(string: "http://127.0.0.1:1/done"))
        var browser = HeadlessBrowser()
        let end = await browser.open(page, endingAt: redirect, as: .logsIn(name: "viewer", password: "secret"))
        await sandbox.stop()
        let text =
            "The browser ended at a page with HTTP 400. Try again, or use \"tve login --browser\"; the page says: "
        #expect(end.fault?.description == text + "The code is unknown or has expired.")
        let html = "<h1>This does not work</h1>\n<p>The provider&#39;s answer is &lt;a&gt; &amp;amp; &quot;b&quot;.</p>"
        let escaped = HeadlessBrowser.Destination.page(status: 400, html: html).fault
        #expect(escaped?.description == text + "The provider's answer is <a> &amp; \"b\".")
        let other = HeadlessBrowser.Destination.page(status: 200, html: "<h1>Cable</h1><p>Welcome.</p>").fault
        #expect(other?.description.contains("works without a window.") == true)
    }

    @Test(arguments: [("?error=access_denied", true), ("?error=", false), ("?error", false), ("?errors=x", false)])
    func thePageSaysThatTheLoginWasRefused_onlyWithAnError(query: String, isRefused: Bool) async throws {
        let redirect = try await LoopbackRedirect()
        let url = try #require(URL(string: redirect.url.absoluteString + query))
        let (_, page) = try await URLSessionTransport(timeout: .hanging).send(
            HTTPRequest(method: .get, url: url), body: nil)
        await redirect.stop()
        let text = String(decoding: page, as: UTF8.self)
        #expect(text.contains("The login was refused.") == isRefused, "\(text)")
        #expect(text.contains("You are done here.") == !isRefused, "\(text)")
    }

    /// A browser keeps the text after `#` to itself, so only a script can send it.
    @Test func theErrorAfterTheNumberSign_arrivesWithTheNextPage() async throws {
        let redirect = try await LoopbackRedirect(patience: .hanging)
        let page = try await Self.load("\(redirect.url)?x=1")
        let path = try #require(page.firstMatch(of: /const end = "([^"]+)" \+ query/)?.1, "\(page)")
        #expect(page.contains("location.hash") && path == "\(redirect.url.path())/end/1")
        // Without such a text, the browser keeps the page: when it is late, nobody answers its next request.
        #expect(page.contains("if (text) location.replace(end") && page.contains("else fetch(end)"))
        let end = try await Self.load("\(redirect.url)/end/1?x=1&error=access_denied")
        #expect(end.contains("The login was refused.") && !end.contains("<script>"), "\(end)")
        let arrival = await redirect.arrival()
        #expect(arrival == URL(string: "\(redirect.url)?x=1&error=access_denied"))
        // A forced login opens a second page, which nothing of the first one may end.
        _ = try await Self.load("\(redirect.url)/end/1?x=1")
        _ = try await Self.load("\(redirect.url)?x=2")
        for late in ["1", "0", "3", "x"] { _ = try await Self.load("\(redirect.url)/end/\(late)?x=1") }
        _ = try await Self.load("\(redirect.url)/end/2?x=2")
        let second = await redirect.arrival()
        await redirect.stop()
        #expect(second == URL(string: "\(redirect.url)?x=2"))
    }

    @Test func aBrowserWithoutScripts_arrivesToo() async throws {
        let redirect = try await LoopbackRedirect(patience: .zero)
        let page = try await Self.load("\(redirect.url)?x=1")
        let arrival = await redirect.arrival()
        await redirect.stop()
        #expect(page.contains("You are done here.") && arrival == URL(string: "\(redirect.url)?x=1"), "\(page)")
    }

    /// A busy machine has a minute to listen, but an address that it does not have needs no wait.
    @Test func aPortThatTheSystemRefuses_isAnErrorAtOnce() async throws {
        let start = ContinuousClock.now
        await #expect(throws: ToolFailure.self) { _ = try await LoopbackRedirect(at: "192.0.2.1") }
        let taken = start.duration(to: .now)
        #expect(taken < .seconds(60), "\(taken)")
    }

    /// Loads a page as a browser does.
    private static func load(_ address: String) async throws -> String {
        var request = HTTPRequest(method: .get, url: try #require(URL(string: address)))
        request.headerFields[.accept] = "text/html,*/*;q=0.8"
        let (_, page) = try await URLSessionTransport(timeout: .hanging).send(request, body: nil)
        return String(decoding: page, as: UTF8.self)
    }
}
