import TVEModels
import Testing

@testable import TVEConformance

/// Addresses that are written in two ways.
struct WebAddressTests {
    @Test(arguments: [
        ("https://app.example/a/../done", "https://app.example/done", true),
        ("app://done/a/./b/..", "app://done/a", true),
        // A path without a host is no list of segments.
        ("app:a/../done", "app:done", false), ("app:a/../done", "app:a/done", false), ("app:./done", "app:done", false),
        ("app:a/%2E./done", "app:a/../done", true),
    ])
    func dots_areStepsBelowAHostAlone(first: String, second: String, areTheSame: Bool) {
        #expect((WebAddress(first).place == WebAddress(second).place) == areTheSame)
    }

    @Test(arguments: [
        ("https://app.example:/done", "https://app.example/done", true), ("app://done:/x", "app://done/x", true),
        // The default port of one scheme is none of another one.
        ("http://app.example:443/", "https://app.example/", false),
        ("http://app.example:443/", "http://app.example/", false),
        ("https://app.example:80/", "https://app.example/", false), ("app://done:80", "app://done", false),
    ])
    func aDefaultPort_isLeftOut(first: String, second: String, areTheSame: Bool) {
        #expect((WebAddress(first).place == WebAddress(second).place) == areTheSame)
    }

    /// An address without a path and a query of its own has those of the address to which it is relative.
    @Test(arguments: [
        ("#top", "/a/page?b=c"), ("", "/a/page?b=c"), ("?d=e", "/a/page?d=e"), ("x", "/a/x?"), ("/a:b", "/a:b?"),
        ("1a:b", "/a/1a:b?"), ("x/.", "/a/x/?"), ("https://other.example", "/?"),
    ])
    func aRelativeAddress_isReadFromItsBase(text: String, target: String) {
        let base = WebAddress("https://app.example/a/page?b=c")
        #expect(WebAddress(text, relativeTo: base).target.text == target)
    }
}
