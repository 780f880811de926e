import Foundation
import TVENetworking
import TVETestTraits
import Testing

struct ServiceProviderTests {
    // T-80: the default scheme of a service provider is https.
    @Test(
        .row("T-80", "M7"),
        arguments: [
            ("sp.auth.adobe.com/adobe-services", "https://sp.auth.adobe.com"),
            ("sp.auth.adobe.com", "https://sp.auth.adobe.com"),
            ("https://sp.example/adobe-services/", "https://sp.example"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("https://user:pass@h:1/x?y#z", "https://h:1"), ("HTTPS://h", "https://h"),
            ("HTTP://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://localhost:1/", "http://localhost:1"), ("http://127.1.2.3", "http://127.1.2.3"),
            ("http://[::1]:1", "http://[::1]:1"), ("http.example/http:/x", "https://http.example"),
        ])
    func takesEndpoints_asAppsWriteThem(text: String, root: String) throws {
        #expect(try ServiceProvider(text).root.absoluteString == root)
    }

    @Test(arguments: [
        "http://sp.auth.adobe.com", "HTTP://192.168.1.2", "http://127.0.0.1.example.com",
        "http://localhost.example.com", "http://127.example", "http://%6cocalhost", "http://127.0.0%2e1",
        "http://127.+0.0.1", "http://127.0.0.+1:80", "http://127.0.0.256", "http://127..0.1",
    ])
    func takesPlainHTTP_forThisDeviceAlone_unlessToldOtherwise(text: String) {
        let error = #expect(throws: InvalidServiceProvider.self) { try ServiceProvider(text) }
        #expect(error?.localizedDescription.hasPrefix("Plain http to ") == true)
        #expect(throws: Never.self) { try ServiceProvider(text, allowsHTTP: true) }
    }

    @Test(arguments: [
        ("", InvalidServiceProvider.noHost), ("http://", .noHost), ("://", .noHost), ("h h", .noHost),
        ("file:///etc", .noHost),
        ("ftp://h", .unknownScheme("ftp")),
        // Without both slashes, the scheme would be the host.
        ("http:/127.0.0.1:8080", .noHost), ("https:/h", .noHost), ("HTTPS:/h", .noHost), ("https/h", .noHost),
        ("http:127.0.0.1", .noHost), ("https:h", .noHost), ("http:", .noHost),
    ])
    func refuses(text: String, reason: InvalidServiceProvider) {
        #expect(throws: reason) { try ServiceProvider(text) }
        #expect(throws: reason) { try ServiceProvider(text, allowsHTTP: true) }
    }
}
