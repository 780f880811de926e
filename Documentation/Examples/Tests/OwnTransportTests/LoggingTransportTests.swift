import HTTPTypes
import TVENetworking
import TVETestSupport
import Testing

@testable import OwnTransport

/// Tests of the parts of a request that the log shows.
struct LoggingTransportTests {
    @Test(
        .timeLimit(.minutes(10)),
        arguments: [
            ("/api/v2/DEMO/configuration?profile=1", "/api/v2/DEMO/configuration"),
            ("/api/v2/DEMO/sessions", "/api/v2/DEMO/sessions"),
            ("/api/v2/DEMO/sessions/ABC2EFG", "/api/v2/DEMO/sessions/…"),
            ("/api/v2/DEMO/sessions/sso/Apple", "/api/v2/DEMO/sessions/sso/Apple"),
            ("/api/v2/DEMO/profiles/code/ABC2EFG", "/api/v2/DEMO/profiles/code/…"),
            ("/api/v2/DEMO/profiles/demo-cable", "/api/v2/DEMO/profiles/demo-cable"),
            ("/reggie/v1/DEMO/regcode", "/reggie/v1/DEMO/regcode"),
            ("/reggie/v1/DEMO/regcode/ABC2EFG", "/reggie/v1/DEMO/regcode/…"),
        ])
    func hidesTheCode(path: String, shown: String) async throws {
        let (lines, log) = AsyncStream<String>.makeStream()
        let service = ScriptedTransport { _, _ in .response(status: 200, body: "{}") }
        let transport = LoggingTransport(next: service) { log.yield($0) }
        let request = HTTPRequest(method: .get, scheme: "https", authority: "sp.example.com", path: path)
        _ = try await transport.send(request, body: nil)
        log.finish()
        let line = await lines.first { _ in true }
        #expect(line?.hasPrefix("GET \(shown) 200, ") == true)
    }
}
