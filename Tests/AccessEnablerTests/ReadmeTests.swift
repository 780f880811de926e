import AccessEnabler
import Foundation
import TVETestTraits
import Testing

// <example>
final class Player: NSObject, EntitlementDelegate {
    let accessEnabler = AccessEnabler("software statement of your application")

    func start() {
        accessEnabler.delegate = self
        accessEnabler.setRequestor("DEMO", serviceProviders: ["http://127.0.0.1:8080/adobe-services"])
        // The library holds this call until setRequestor has ended, and logs the viewer in first if necessary.
        accessEnabler.getAuthorization("DEMO-1")
    }

    func displayProviderDialog(_ mvpds: [Any]!) { accessEnabler.setSelectedProvider("demo-cable") }
    // Open the page. Before it loads a URL, ask canHandle(_:); if it is true, call handleExternalURL(_:) instead.
    func navigate(toUrl url: String!) {}
    // Hand the token to your playback back end.
    func setToken(_ token: String!, forResource resource: String!) {}
    func tokenRequestFailed(_ resource: String!, errorCode: String!, errorDescription: String!) {}
    func setRequestorComplete(_ status: Int32) {}
    func setAuthenticationStatus(_ status: Int32, errorCode: String!) {}
    // What the system's TV provider dialog needs, where there is one.
    func presentTvProviderDialog(_ viewController: PlatformViewController!) {}
    func dismissTvProviderDialog(_ viewController: PlatformViewController!) {}
    // Answers to calls that this app does not make.
    func selectedProvider(_ mvpd: MVPD!) {}
    func preauthorizedResources(_ resources: [Any]!) {}
    func setMetadataStatus(
        _ metadata: Any!, encrypted: Bool, forKey key: Int32, andArguments arguments: [AnyHashable: Any]!
    ) {}
    func sendTrackingData(_ data: [Any]!, forEventType event: Int32) {}
}
// </example>

/// Checks the README: its first example is the code above.
@Suite(.fewAtATime)
struct ReadmeTests {
    @Test func showsAnAppThatCompiles() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let begin = try #require(source.firstRange(of: "// <example>\n"))
        let end = try #require(source.firstRange(of: "// </example>\n"))
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        #expect(readme.contains(source[begin.upperBound..<end.lowerBound]))
    }
}
