import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.timeLimit(.hanging))
struct HeadlessBrowserTests {
    /// A real service and a real TV provider have different hosts, and may give their cookies the same name.
    @Test(arguments: [
        ("", "none", "of=service"), ("; Domain=sp.example.com", "none", "of=service"),
        ("; domain=.Example.com", "of=service", "of=service"), ("; Domain=com", "none", "none"),
        ("; Domain=mvpd.example.com", "none", "none"), ("; Domain=ample.com", "none", "none"),
        // Foundation on Linux joins several fields.
        ("; Expires=Wed, 21 Oct 2037 07:28:00 GMT, bot=1; Domain=.example.com", "bot=1", "bot=1; of=service"),
        ("; Domain=sp.example.com, bot=a,b; Path=/", "none", "bot=a,b; of=service"),
    ])
    func sendsACookie_onlyToTheHostsItIsMeantFor(
        attribute: String, toProvider: String, toService: String
    ) async throws {
        let pages = TwoHosts(attribute: attribute)
        var browser = HeadlessBrowser(transport: pages)
        let start = try #require(URL(string: "https://sp.example.com/start"))
        let end = try #require(URL(string: "app://done"))
        guard case .redirect(let url) = await browser.open(start, endingAt: end, as: .cancels) else {
            Issue.record("The browser did not reach the redirect.")
            return
        }
        #expect(url.absoluteString == "app://done")
        #expect(
            pages.requests.withLock(\.self) == [
                "sp.example.com/start none", "mvpd.example.com/login \(toProvider)", "sp.example.com/end \(toService)",
            ])
    }

    /// A request for a URL without a scheme ends the program, and only HTTP has pages with forms.
    @Test(arguments: [":", "ftp://sp.example.com/end", "javascript:close()"])
    func fails_whenAPageLeadsToNoOtherPage(address: String) async throws {
        let start = try #require(URL(string: "https://sp.example.com/start"))
        let end = try #require(URL(string: "app://done"))
        for page in [OnePage(location: address), OnePage(action: address)] {
            var browser = HeadlessBrowser(transport: page)
            #expect(await browser.open(start, endingAt: end, as: .cancels) == .failed)
            #expect(page.requests.withLock(\.self) == 1)
        }
    }

    @Test func followsNoMoreThanTwentyPages() async throws {
        let start = try #require(URL(string: "https://sp.example.com/start"))
        let end = try #require(URL(string: "app://done"))
        for page in [OnePage(location: "/start"), OnePage(action: "/start")] {
            var browser = HeadlessBrowser(transport: page)
            #expect(await browser.open(start, endingAt: end, as: .cancels) == .failed)
            #expect(page.requests.withLock(\.self) == 20)
        }
    }

    @Test(arguments: [(299, false), (300, true), (399, true), (400, false)])
    func followsALocation_ofARedirectAlone(status: Int, isFollowed: Bool) async throws {
        let page = OnePage(location: "app://done", status: status)
        var browser = HeadlessBrowser(transport: page)
        let start = try #require(URL(string: "https://sp.example.com/start"))
        let end = try #require(URL(string: "app://done"))
        let destination = await browser.open(start, endingAt: end, as: .cancels)
        #expect(destination == (isFollowed ? .redirect(end) : .page(status: status, html: "")))
    }

    @Test func fails_withAPageWithoutAScheme() async throws {
        let page = OnePage(location: "app://done")
        var browser = HeadlessBrowser(transport: page)
        let start = try #require(URL(string: "start"))
        let end = try #require(URL(string: "app://done"))
        #expect(await browser.open(start, endingAt: end, as: .cancels) == .failed)
        #expect(page.requests.withLock(\.self) == 0)
    }
}

/// A service with one page, which is a redirect or a form.
private struct OnePage: HTTPTransport {
    var location: String?
    var action = ""
    var status = 302
    let requests = Guarded(0)

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        requests.withLock { $0 += 1 }
        if let location {
            return (HTTPResponse(status: .init(code: status), headerFields: [.location: location]), Data())
        }
        return (HTTPResponse(status: .ok), Data("<form method=\"post\" action=\"\(action)\"></form>".utf8))
    }
}

/// A service and a TV provider that redirect to each other.
private struct TwoHosts: HTTPTransport {
    /// The attributes of the service's cookie.
    let attribute: String
    /// The host, the path and the cookies of each request.
    let requests = Guarded<[String]>([])

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let page = (request.authority ?? "") + (request.path ?? "")
        requests.withLock { $0.append("\(page) \(request.headerFields[.cookie] ?? "none")") }
        let fields: HTTPFields =
            switch page {
            case "sp.example.com/start":
                [.location: "https://mvpd.example.com/login", .setCookie: "of=service; Path=/; HttpOnly\(attribute)"]
            case "mvpd.example.com/login":
                [.location: "https://sp.example.com/end", .setCookie: "of=provider; Path=/; HttpOnly"]
            default: [.location: "app://done"]
            }
        return (HTTPResponse(status: .found, headerFields: fields), Data())
    }
}
