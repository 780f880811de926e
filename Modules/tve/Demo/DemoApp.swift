import AccessEnabler
import Foundation
import TVENetworking
import TVETestSupport

/// An app as a programmer would write it: an access enabler, its delegate, and a browser for the login page.
final class DemoApp {
    /// The demo's bundle id and team.
    static let identity = AppIdentity(bundleID: "org.example.tve.demo", teamID: "DEMO")

    let enabler: AccessEnabler
    private let recorder = CallbackRecorder()
    private let timeline: Timeline
    private let transport: any HTTPTransport
    private let options: DemoCommand
    /// The last error status, to explain why a step failed.
    private var lastStatus: String?
    /// The message of a login page that was shown again.
    private var refusal: String?

    init(
        options: DemoCommand, statement: String, storage: any StorageBackend, timeLimit: Duration, timeline: Timeline
    ) {
        self.options = options
        self.timeline = timeline
        transport = URLSessionTransport(timeout: timeLimit)
        enabler = AccessEnabler(
            statement, service: options.dialect,
            environment: SessionEnvironment(
                storage: timeline.trace?.observed(storage) ?? storage,
                transport: timeline.observed(transport, as: .http), app: Self.identity,
                redirectURL: AccessEnabler.redirectURL))
        enabler.delegate = recorder
        enabler.statusDelegate = recorder
    }

    /// Makes a call, answers callbacks as an app does, and waits for the call's last callback.
    func run(
        _ call: (AccessEnabler) -> Void, until isEnd: (ClassicCallback) -> Bool
    ) async throws -> ClassicCallback {
        call(enabler)
        while let callback = await recorder.next() {
            timeline.note(.callback, "\(callback)")
            switch callback {
            case .status(let id, let level, let message) where level == "error" || refusal != nil:
                lastStatus = "\(id) \(message ?? "")"
            case .providerDialog:
                timeline.note(.call, "setSelectedProvider(\"\(options.provider)\")")
                enabler.setSelectedProvider(options.provider)
            case .navigate where options.abandon:
                refusal = "the login page was left"
                giveUp()
            case .navigate(let url):
                await browse(url)
            default:
                break
            }
            if isEnd(callback) { return callback }
        }
        throw ToolFailure("No callback came in time.")
    }

    /// Why the last call failed.
    func failure(_ callback: ClassicCallback) -> ToolFailure {
        ToolFailure([lastStatus, refusal, "\(callback)"].compactMap(\.self).joined(separator: " – "))
    }

    private func browse(_ page: String) async {
        var browser = HeadlessBrowser(transport: timeline.observed(transport, as: .browser))
        guard let url = URL(string: page) else { return }
        let viewer = HeadlessBrowser.Viewer.logsIn(name: options.user, password: options.password)
        switch await browser.open(url, endingAt: AccessEnabler.redirectURL, as: viewer) {
        case .redirect(let end):
            timeline.note(.call, "handleExternalURL(\"\(end.absoluteString)\")")
            enabler.handleExternalURL(end.absoluteString)
        case .loginRefused(let html):
            refusal = html.firstMatch(of: /role="alert">([^<]*)</).map { "the login page says: \($0.1)" }
            giveUp()
        case .page(let status, _):
            refusal = "the browser ended at a page with HTTP \(status)"
            giveUp()
        case .failed:
            refusal = "the browser found no way on"
            giveUp()
        }
    }

    private func giveUp() {
        timeline.note(.call, "setSelectedProvider(nil)")
        enabler.setSelectedProvider(nil)
    }
}
