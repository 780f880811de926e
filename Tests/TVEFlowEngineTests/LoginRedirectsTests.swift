import Foundation
import TVEModels
import TVENetworking
import TVETestTraits
import Testing

@testable import TVEFlowEngine

struct LoginRedirectsTests {
    /// The redirect at which a login in the system's browser ends.
    ///
    /// `nil` stands for the redirect of the app's web view.
    @Test(
        .row("CL28"),
        arguments: [
            ([], nil, nil),
            (["adbe.X://done"], nil, "adbe.X://done"),
            (["https://app.example/done", "adbe.X://done"], nil, "adbe.X://done"),
            (["http://app.example/done", "https://app.example/done"], nil, "https://app.example/done"),
            (["adbe.X://done"], "app://named", "app://named"),
            // A registered scheme stands for all redirects that begin with it, the usual one too.
            (["adobepass://"], nil, "adobepass://ios.app"),
            (["adbe.X://", "adobepass://"], nil, "adbe.X://"),
        ] as [([String], String?, String?)])
    func ofSystemBrowser(registered: [String], named: String?, expected: String?) throws {
        let registered = try registered.map { try #require(URL(string: $0)) }
        let redirects = LoginRedirects(
            named: { named.flatMap { URL(string: $0) } }, usual: try #require(URL(string: "adobepass://ios.app")),
            registered: { registered })
        #expect(redirects.ofSystemBrowser?.absoluteString == expected)
    }

    /// The system passes each URL of the app's schemes and hosts to the app.
    ///
    /// A redirect that the app names takes the place of those that are registered.
    @Test(
        arguments: [
            ([], nil, "adobepass://x", true), ([], nil, "other://x", false), (["own.app://"], nil, "own.app://x", true),
            (["own.app://"], nil, "adobepass://x", true), (["own.app://"], "app://named", "own.app://x", false),
            (["own.app://"], "app://named", "app://x", true), (["own.app://"], "app://named", "adobepass://x", true),
        ] as [([String], String?, String, Bool)])
    func aLogin_mayEndAtItsRedirects(registered: [String], named: String?, url: String, mayEnd: Bool) throws {
        let registered = try registered.map { try #require(URL(string: $0)) }
        let redirects = LoginRedirects(
            named: { named.flatMap { URL(string: $0) } }, usual: try #require(URL(string: "adobepass://ios.app")),
            registered: { registered })
        #expect(redirects.mayEnd(at: try #require(URL(string: url))) == mayEnd)
    }

    /// Only the scheme of an app's redirect is compared.
    ///
    /// That of a website has a host and a port too.
    @Test(
        arguments: [
            ("https://a.example/end", "https://a.example/other?x=1", true),
            ("https://a.example/end", "HTTPS://A.example/end", true),
            ("https://a.example/end", "https://a.example:8443/end", false),
            ("https://a.example:8443/end", "https://a.example/end", false),
            ("https://a.example:8443/end", "https://a.example:8443/end", true),
            ("https://a.example:443/end", "https://a.example/end", true),
            ("https://a.example:80/end", "https://a.example/end", false),
            ("https://a.example/end", "https://b.example/end", false),
            ("https://a.example/end", "http://a.example/end", false),
            ("adobepass://ios.app", "ADOBEPASS://x:1", true), ("adobepass://ios.app", "other://ios.app", false),
        ])
    func aPage_endsAtItsRedirect(redirect: String, url: String, ends: Bool) throws {
        let redirect = try #require(URL(string: redirect))
        let page = BrowserPage(url: try #require(URL(string: "https://login.example/")), redirectURL: redirect)
        #expect(page.ends(at: try #require(URL(string: url))) == ends)
    }

    /// A browser leaves out the port that a website has without one.
    @Test(
        arguments: [
            ("https://a.example:443/end", "https://a.example/end?code=1", true),
            ("http://a.example/end", "HTTP://a.example:80/end", true),
            ("http://a.example:443/end", "http://a.example/end", false), ("app://a:443/end", "app://a/end", false),
        ])
    func aRedirect_isTheSameWithTheUsualPort(redirect: String, url: String, isSame: Bool) throws {
        let redirect = try #require(URL(string: redirect))
        #expect(try #require(URL(string: url)).isRedirect(redirect) == isSame)
    }

    /// The application's own redirect, which the software statement names before any registration.
    @Test(
        .row("CL28"),
        arguments: [
            (#"{"redirect_uri":"adbe.X://done"}"#, "adbe.X://done"),
            (#"{"redirect_uris":["https://app.example/done","ADBE.X://done"]}"#, "ADBE.X://done"),
            (#"{"redirect_uri":"app://done","redirect_uris":["adbe.X://"]}"#, "adbe.X://"),
            (#"{"redirect_uri":"app://done"}"#, nil), (#"{"sub":"app"}"#, nil), (#"{"redirect_uris":{}}"#, nil),
            ("{", nil),
        ] as [(String, String?)])
    func ofTheSoftwareStatement(claims: String, expected: String?) {
        let payload = Data(claims.utf8).base64EncodedString().replacing("=", with: "")
        for (text, expected) in [("e30.\(payload).c2ln", expected), ("e30.\(payload)", nil), (payload, nil)] {
            #expect(SoftwareStatement(text).ownRedirectURL?.absoluteString == expected, "\(text)")
        }
    }
}
