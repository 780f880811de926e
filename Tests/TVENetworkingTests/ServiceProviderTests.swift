import Foundation
import SpecificationRows
import TVENetworking
import Testing

struct ServiceProviderTests {
    // T-80: a service provider without scheme means https.
    @Test(
        .row("T-80"),
        arguments: [
            ("sp.auth.adobe.com/adobe-services", "https://sp.auth.adobe.com"),
            ("sp.auth.adobe.com", "https://sp.auth.adobe.com"),
            ("https://sp.example/adobe-services/", "https://sp.example"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://user:pass@h:1/x?y#z", "http://h:1"), ("HTTPS://h", "HTTPS://h"),
        ])
    func takesEndpoints_asAppsWriteThem(text: String, root: String) {
        #expect(ServiceProvider(text)?.root.absoluteString == root)
    }

    @Test(arguments: ["", "ftp://h", "http://", "://", "h h", "file:///etc"])
    func refuses(text: String) {
        #expect(ServiceProvider(text) == nil)
    }
}
