import AccessEnabler
import Foundation
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport

/// One process with an app on the classic API: makes the walk's calls, and checks every callback against the ledger.
///
/// Used only by the thread of the walk.
@available(macOS 15, iOS 18, tvOS 18, *)
final class WalkApp: @unchecked Sendable {
    let name: String
    private(set) var ledger = WalkLedger()
    private(set) var isDropped = false
    /// The code of the last answer about the login.
    private(set) var lastAnswer: String?
    /// The call that the app makes inside its next callback of a kind.
    var reaction: (kind: WalkCallback, call: WalkCall)?
    /// Receives everything that happens.
    private let tell: (String) -> Void
    private let found: (String) -> Void
    private let sawToken: () -> Void
    private var enabler: AccessEnabler?
    private weak var leftover: AccessEnabler?
    private let recorder = CallbackRecorder()
    private let serviceURL: String
    private var browser: HeadlessBrowser

    init(
        _ name: String, _ world: WalkWorld, isInline: Bool, tell: @escaping (String) -> Void,
        found: @escaping (String) -> Void, sawToken: @escaping () -> Void
    ) {
        self.name = name
        self.tell = tell
        self.found = found
        self.sawToken = sawToken
        serviceURL = WalkWorld.serviceURL
        browser = HeadlessBrowser(transport: world.browserTransport)
        let enabler = AccessEnabler(
            world.routes.softwareStatement, service: world.dialect,
            environment: SessionEnvironment(
                storage: world.storage, transport: world.transport, clock: world.deviceClock,
                app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
                device: DeviceIdentity(seed: "device-1", app: nil), redirectURL: AccessEnabler.redirectURL),
            automaticBrowser: nil,
            callbackRun: { callback in isInline ? callback() : SerialLoop.shared.callBack(callback) })
        enabler.delegate = recorder
        self.enabler = enabler
        leftover = enabler
        recorder.react { [unowned self] in got($0) }
    }

    /// Whether the memory was released, after the app was closed and all jobs wait.
    var isGone: Bool { leftover == nil }

    func make(_ call: WalkCall) {
        guard let enabler else { return }
        tell("\(name) \(call)")
        ledger.made(call)
        switch call {
        case .setRequestor(let id): enabler.setRequestor(id, serviceProviders: [serviceURL])
        case .check: enabler.checkAuthentication()
        case .login: enabler.getAuthentication()
        case .forcedLogin: enabler.getAuthentication(true, withData: nil)
        case .choose(let mvpdID): enabler.setSelectedProvider(mvpdID)
        case .logout: enabler.logout()
        case .authorize(let resource): enabler.getAuthorization(resource)
        case .checkAuthorization(let resource): enabler.checkAuthorization(resource)
        case .preauthorize(let resources): enabler.checkPreauthorizedResources(resources)
        case .metadata(let question):
            enabler.getMetadata([
                METADATA_OPCODE_KEY: question, METADATA_RESOURCE_ID_KEY: "DEMO-1", METADATA_USER_META_KEY: "zip",
            ])
        case .selectedProvider: enabler.getSelectedProvider()
        case .redirect(let url): enabler.handleExternalURL(url)
        case .foreignRedirect: enabler.handleExternalURL("adobepass://x")
        }
    }

    func drop() {
        tell("\(name) is closed")
        isDropped = true
        enabler = nil
    }

    /// Walks the browser through a page.
    ///
    /// - Returns: where it ended, and whether the viewer logged in on the way.
    func browse(_ page: String, as viewer: HeadlessBrowser.Viewer) async -> (end: String?, hasLoggedIn: Bool) {
        guard let url = URL(string: page) else { return (nil, false) }
        var browser = browser
        let end = await browser.open(url, endingAt: AccessEnabler.redirectURL, as: viewer)
        self.browser = browser
        guard case .redirect(let redirect) = end else { return (nil, false) }
        if case .logsIn = viewer { return (redirect.absoluteString, true) }
        return (redirect.absoluteString, false)
    }

    // MARK: - The ledger

    func settled(isWaitingForTime: Bool) { ledger.settled(isWaitingForTime: isWaitingForTime) }

    func storageChanged(fails: Bool) { ledger.storageChanged(fails: fails) }

    func timePassed() { ledger.timePassed() }

    private func got(_ callback: ClassicCallback) {
        if case .status = callback { return }
        if case .tracking = callback { return }
        tell("    \(name) <- \(callback)")
        if isDropped { found("\(name): \(callback): a callback after the app has released its access enabler") }
        if let problem = ledger.got(callback) { found("\(name): \(callback): \(problem)") }
        if case .token = callback { sawToken() }
        if case .authenticationStatus(_, let code) = callback { lastAnswer = code }
        if let (kind, call) = reaction, WalkCallback(callback) == kind {
            reaction = nil
            tell("    in this callback:")
            make(call)
        }
    }
}
