import AccessEnabler
import AppleDevice
import Foundation
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import Testing

/// An app on the device, which creates its access enabler as existing apps do, with the software statement alone.
struct PhoneApp {
    let app: App
    let sandbox: Sandbox
    let enabler: AccessEnabler
    let recorder = CallbackRecorder()
    /// A Boolean value that indicates whether the system's browser shows the pages, without a callback to the app.
    let pagesShowThemselves: Bool

    /// Opens an app and establishes its requestor.
    init(
        _ app: App, sandbox: Sandbox, service: ServiceDialect, requestor: String = "DEMO",
        keychainGroup: String? = nil
    ) async {
        self.app = app
        self.sandbox = sandbox
        AppleDevice.current.run(app)
        pagesShowThemselves = service == .restV2
        if pagesShowThemselves {
            AppleDevice.current.with { $0.safari.journey = { await PhoneApp.walk($0, $1) } }
        }
        enabler = AccessEnabler(sandbox.softwareStatement, service: service, keychainGroup: keychainGroup)
        AppleDevice.current.with { [recorder] in
            $0.dialogsOnScreen = {
                recorder.callbacks.reduce(0) { count, callback in
                    switch callback {
                    case .presentPlatformDialog: count + 1
                    case .dismissPlatformDialog: count - 1
                    default: count
                    }
                }
            }
        }
        enabler.delegate = recorder
        enabler.statusDelegate = recorder
        enabler.setRequestor(requestor, serviceProviders: [sandbox.baseURL.absoluteString + "/adobe-services"])
        _ = await callbacks { if case .requestorComplete = $0 { true } else { false } }
    }

    static func sandbox(_ change: (inout SandboxWorld) -> Void = { _ in }) async throws -> Sandbox {
        var world = SandboxWorld.demo
        change(&world)
        return try await Sandbox(world: world.strict)
    }

    func callbacks(until fits: (ClassicCallback) -> Bool) async -> [ClassicCallback] {
        await recorder.callbacks(until: fits)
    }

    /// Returns a Boolean value that indicates whether the viewer is logged in to this app.
    func isLoggedIn() async -> Bool {
        AppleDevice.current.run(app)
        enabler.checkAuthentication()
        return await callbacks(until: \.isAuthenticationStatus).last == .authenticationStatus(1, code: "")
    }

    /// Logs in with the app's picker and the provider's page.
    func logIn() async throws {
        AppleDevice.current.run(app)
        enabler.getAuthentication()
        try await choose()
        #expect(await callbacks(until: \.isAuthenticationStatus).last == .authenticationStatus(1, code: ""))
    }

    /// Chooses a provider in the app's picker and visits its pages to the end.
    func choose() async throws {
        _ = await callbacks { if case .providerDialog = $0 { true } else { false } }
        enabler.setSelectedProvider("demo-cable")
        try await browse()
    }

    /// Visits the pages in the app's web view to the end, if the app shows them.
    func browse() async throws {
        if pagesShowThemselves { return }
        guard
            case .navigate(let page)? = await callbacks(until: { if case .navigate = $0 { true } else { false } }).last
        else {
            Issue.record("No page was asked for: \(recorder.callbacks)")
            return
        }
        enabler.handleExternalURL(await Self.walk(try #require(URL(string: page)), "adobepass")?.absoluteString)
    }

    /// Visits pages in a browser and returns the URL with the given scheme, or `nil` if the browser does not reach one.
    static func walk(_ page: URL, _ scheme: String?) async -> URL? {
        guard let end = scheme.flatMap({ URL(string: "\($0)://end") }) else { return nil }
        var browser = HeadlessBrowser()
        let destination = await browser.open(page, endingAt: end, as: .logsIn(name: "viewer", password: "secret"))
        return if case .redirect(let url) = destination { url } else { nil }
    }
}

extension ClassicCallback {
    var isAuthenticationStatus: Bool {
        if case .authenticationStatus = self { true } else { false }
    }

    /// The page that the callback asks the app to show; `nil` for any other callback.
    var page: String? {
        switch self {
        case .navigate(let page), .navigateInSafari(let page, _): page
        default: nil
        }
    }

    /// The callback as a word, without the parts that differ between runs; `nil` for tracking.
    var word: String? {
        switch self {
        case .tracking: nil
        case .navigate: "page"
        case .navigateInSafari: "page in Safari"
        case .providerDialog: "picker"
        case .presentPlatformDialog: "system's dialog"
        case .dismissPlatformDialog: "system's dialog away"
        case .status(let id, _, _, _): id
        case .authenticationStatus(let status, let code): "authentication \(status) \(code)"
        case .selectedProvider(let id): "provider \(id ?? "none")"
        default: description
        }
    }
}
