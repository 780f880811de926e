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
}
