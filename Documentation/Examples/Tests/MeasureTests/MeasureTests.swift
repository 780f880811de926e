import Foundation
import TVEFlowEngine
import TVEModels
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETokenCodec
import XCTest

/// The times that reading a token and looking at a store take on your machine.
final class MeasureTests: XCTestCase {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private let device = DeviceIdentity(seed: "device", app: nil)
    private var store: EntitlementStore!
    private var token = ""

    /// Logs a viewer in at a sandbox, so that there is a token to measure with.
    override func setUp() async throws {
        let sandbox = try await Sandbox()
        let storage = SealedStorage.file(folder)
        let provider = try ServiceProvider(sandbox.baseURL.absoluteString)
        let redirect = try XCTUnwrap(URL(string: "adobepass://ios.app"))
        let session = try await EntitlementSession(
            requestorID: "DEMO", softwareStatement: sandbox.softwareStatement, serviceProviders: [provider],
            service: .classic,
            environment: SessionEnvironment(
                storage: storage, app: AppIdentity(bundleID: "com.example.measure", teamID: "EXAMPLE"),
                device: device, redirectURL: redirect))
        try await session.start()
        try await session.authenticate(using: Viewer())
        store = EntitlementStore(backend: storage, reader: .codec, fingerprint: device.fingerprint.hexadecimal)
        let kept = try store.authenticationToken(requestorID: "DEMO", mvpdID: "demo-cable")
        token = try XCTUnwrap(kept).text.rawValue
    }

    override func tearDown() {
        try? FileManager.default.removeItem(at: folder)
    }

    func testReadingAToken() {
        let decoder = TokenDecoder()
        measure {
            for _ in 0..<1_000 {
                guard (try? decoder.authenticationToken(token)) != nil else { return XCTFail("The token is refused.") }
            }
        }
    }

    func testCheckingAStore() {
        measure { XCTAssertEqual(store.check(.all).problems, []) }
    }
}

/// A viewer who logs in at the first page.
private struct Viewer: AuthenticationPresenter {
    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { "demo-cable" }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        var browser = HeadlessBrowser()
        let end = await browser.open(
            page.url, endingAt: page.redirectURL, as: .logsIn(name: "viewer", password: "secret"))
        guard case .redirect(let url) = end else { return nil }
        return url
    }

    func presentLogout(_ page: BrowserPage) async {}
}
