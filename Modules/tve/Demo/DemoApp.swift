import AccessEnabler
import Foundation
import TVEModels
import TVENetworking
import TVETestSupport

/// An app as a programmer would write it, with an access enabler, its delegate, and a browser for the login page.
final class DemoApp {
    /// The demo's bundle id and team.
    static let identity = AppIdentity(bundleID: "org.example.tve.demo", teamID: "DEMO")

    let enabler: AccessEnabler
    private let recorder = CallbackRecorder()
    private let timeline: Timeline
    private let transport: any HTTPTransport
    private let options: DemoCommand
    /// The last error status, which explains why a step failed.
    private var lastStatus: String?
    /// The reason for which the viewer left the login page without logging in.
    private var refusal: String?

    init(
        options: DemoCommand, dialect: ServiceDialect, statement: String, storage: any StorageBackend,
        timeLimit: Duration, timeline: Timeline
    ) {
        self.options = options
        self.timeline = timeline
        transport = WaitReportingTransport(next: ToolTransport.make(timeout: timeLimit))
        var environment = SessionEnvironment(
            storage: timeline.trace?.observed(storage) ?? storage,
            transport: timeline.observed(transport, as: .http), app: Self.identity,
            redirectURL: AccessEnabler.redirectURL)
        // A sandbox speaks plain HTTP at every address of its machine, and the command line names the address.
        environment.allowsHTTP = true
        enabler = AccessEnabler(statement, service: dialect, environment: environment)
        enabler.delegate = recorder
        enabler.statusDelegate = recorder
    }

    /// Makes a call, responds to callbacks as an app does, and returns the last callback of the call.
    func run(_ call: (AccessEnabler) -> Void) async throws -> ClassicCallback {
        call(enabler)
        while let callback = await recorder.next() {
            timeline.note(callback)
            switch callback {
            case .status(let id, let level, let message, _) where level == "error" || refusal != nil:
                lastStatus = "\(id) \(message ?? "")"
            case .providerDialog(let ids) where !ids.contains(options.provider.text):
                // Choosing it anyway would only be refused, and the login would stay at the picker.
                refusal = DemoFault.unknownProvider(options.provider.text, known: ids).description
                giveUp()
            case .providerDialog:
                timeline.note(call: "setSelectedProvider(\"\(name: options.provider.text)\")")
                enabler.setSelectedProvider(options.provider.text)
            case .navigate where options.abandon:
                refusal = DemoFault.pageLeft.description
                giveUp()
            case .navigate(let url):
                await browse(url)
            case .requestorComplete, .authenticationStatus, .token, .tokenRequestFailed:
                return callback
            default:
                break
            }
        }
        throw ToolFailure(DemoFault.noCallback)
    }

    /// Returns a failure that explains why the last call failed.
    func failure(_ callback: ClassicCallback) -> ToolFailure {
        let parts = [lastStatus, refusal, "\(callback)"].compactMap(\.self)
        return ToolFailure(DemoFault.unexpectedEnd(parts.joined(separator: " – ")))
    }

    private func browse(_ page: String) async {
        var browser = HeadlessBrowser(transport: timeline.observed(transport, as: .browser))
        guard let url = URL(string: page) else { return }
        let viewer = HeadlessBrowser.Viewer.logsIn(name: options.user, password: options.password)
        let destination = await browser.open(url, endingAt: AccessEnabler.redirectURL, as: viewer)
        guard case .redirect(let end) = destination else {
            refusal = destination.fault?.description
            return giveUp()
        }
        timeline.note(call: "handleExternalURL(\"\(TraceText(page: end.absoluteString))\")")
        enabler.handleExternalURL(end.absoluteString)
    }

    private func giveUp() {
        timeline.note(call: "setSelectedProvider(nil)")
        enabler.setSelectedProvider(nil)
    }
}
