import AccessEnabler
import TVEDeviceBinding
import TVEFlowEngine
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport

/// A process with an app on the classic API, which makes the walk's calls and checks every callback against the ledger.
///
/// Only the thread of the walk uses it.
@available(macOS 15, iOS 18, tvOS 18, *)
final class WalkApp: @unchecked Sendable {
    /// The closures through which the walk observes an app.
    struct Observer {
        let tell: (String) -> Void
        let found: (String) -> Void
        let sawToken: () -> Void
        let made: (WalkCall) -> Void
    }

    let name: String
    let platform: WalkPlatform
    var ledger: WalkLedgers
    private(set) var isDropped = false
    /// The code of the last answer about the login.
    private(set) var lastAnswer: String?
    /// The last provider that the app received in `selectedProvider`.
    private(set) var lastProvider: String?
    /// The token of the last answer; `nil` after a failure.
    private(set) var lastToken: String?
    /// The call that the app makes inside its next callback of a kind.
    var reaction: (kind: WalkCallback, call: WalkCall)?
    private let observer: Observer
    private var enabler: AccessEnabler?
    private weak var leftover: AccessEnabler?
    private let recorder = CallbackRecorder()
    private let process: WalkProcess
    private var calls = 0
    private var browser: HeadlessBrowser

    init(_ name: String, in world: WalkWorld, isInline: Bool, observer: Observer) {
        self.name = name
        self.observer = observer
        process = WalkProcess(world)
        let platform = WalkPlatform(world.account, world.pause)
        self.platform = platform
        ledger = WalkLedgers(world.scene)
        browser = HeadlessBrowser(transport: world.browserTransport)
        var environment = SessionEnvironment(
            storage: process, transport: process, clock: world.deviceClock,
            app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
            device: DeviceIdentity(seed: "device-1", app: nil), redirectURL: AccessEnabler.redirectURL)
        // With the same redirect, every page ends at the same URL.
        environment.safariRedirectURL = AccessEnabler.redirectURL
        environment.loginStyle = world.scene.style
        environment.platform = world.scene.hasPlatform ? platform : nil
        let enabler = AccessEnabler(
            world.routes.softwareStatement, service: world.dialect, environment: environment, automaticBrowser: nil,
            callbackRun: { callback in
                if isInline { callback() } else { SerialLoop.shared.callBack(callback) }
            })
        enabler.setOptions([OPTION_HANDLE_SVC: world.scene.drivesSafari])
        enabler.delegate = recorder
        enabler.statusDelegate = recorder
        self.enabler = enabler
        leftover = enabler
        recorder.react { [unowned self] in got($0) }
    }

    /// A Boolean value that indicates whether the access enabler was released.
    ///
    /// It must be `true` once the app was closed and all jobs wait.
    var isGone: Bool { leftover == nil }

    // MARK: - Calls

    func make(_ call: WalkCall) {
        guard let enabler else { return }
        calls += 1
        let number = calls
        observer.tell("\(name) \(call)")
        ledger.made(call, number)
        observer.made(call)
        make(call, number: number, with: enabler)
    }

    private func make(_ call: WalkCall, number: Int, with enabler: AccessEnabler) {
        switch call {
        case .setRequestor(let id): enabler.setRequestor(id, serviceProviders: [WalkWorld.serviceURL])
        case .check: enabler.checkAuthentication()
        case .login: enabler.getAuthentication()
        case .forcedLogin: enabler.getAuthentication(true, withData: nil)
        case .choose(let mvpdID): enabler.setSelectedProvider(mvpdID)
        case .logout: enabler.logout()
        case .authorize(let resource): enabler.getAuthorization(resource)
        case .checkAuthorization(let resource): enabler.checkAuthorization(resource)
        case .preauthorize(let resources): enabler.checkPreauthorizedResources(resources)
        case .preauthorizeWithReasons(let resources):
            let request = PreauthorizeRequest.Builder().setResources(resources: resources).build()
            let answered: (PreauthorizeResponse) -> Void = { [weak self] _ in self?.preauthorized(number) }
            enabler.preauthorize(
                request, didCompleteWith: AccessEnablerCallback(onResponse: answered, onFailure: answered))
        case .metadata(let question):
            enabler.getMetadata([
                METADATA_OPCODE_KEY: question, METADATA_RESOURCE_ID_KEY: "DEMO-1",
                METADATA_USER_META_KEY: WalkCall.metadataName,
            ])
        case .selectedProvider: enabler.getSelectedProvider()
        case .redirect(let url): enabler.handleExternalURL(url)
        case .foreignRedirect: enabler.handleExternalURL("adobepass://x")
        }
    }

    /// Joins the household of an account, for which there is no callback.
    func joinHousehold() {
        observer.tell("\(name) household.join")
        guard let household = enabler?.household else { return }
        Task { try? await household.join(account: "account") }
    }

    /// Releases the access enabler.
    ///
    /// - Parameter isKilled: `true` if the process ends too, so that nothing that happens at the release has an effect.
    func drop(isKilled: Bool = false) {
        observer.tell("\(name) is \(isKilled ? "killed" : "closed")")
        if isKilled { process.kill() }
        isDropped = true
        enabler = nil
    }

    /// Visits a page in the browser.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - end: the URL at which the visit ends.
    ///   - viewer: the behaviour of the viewer.
    /// - Returns: the URL at which the visit ended, and a value that indicates whether the viewer logged in.
    func browse(
        _ page: String, to end: URL, as viewer: HeadlessBrowser.Viewer
    ) async -> (end: String?, hasLoggedIn: Bool) {
        guard let url = URL(string: page) else { return (nil, false) }
        var browser = browser
        let destination = await browser.open(url, endingAt: end, as: viewer)
        self.browser = browser
        guard case .redirect(let redirect) = destination else { return (nil, false) }
        if case .logsIn = viewer { return (redirect.absoluteString, true) }
        return (redirect.absoluteString, false)
    }

    // MARK: - The ledger

    func settled(isWaitingForTime: Bool) {
        if let problem = ledger.settled(isWaitingForTime: isWaitingForTime) { observer.found("\(name): \(problem)") }
    }

    func forgetAnswer() { lastAnswer = nil }

    /// Lets the viewer choose in the platform's dialog, or leave it.
    func choose(_ choice: Result<String, PlatformSignOnError>) {
        observer.tell("\(name)'s viewer: \(choice)")
        ledger.leftDialog()
        platform.choose(choice)
    }

    private func preauthorized(_ number: Int) {
        observer.tell("    \(name) <- preauthorize")
        if !isDropped, let problem = ledger.preauthorized(number) {
            observer.found("\(name): preauthorize: \(problem)")
        }
    }

    private func got(_ callback: ClassicCallback) {
        observer.tell("    \(name) <- \(callback.line)")
        if isDropped {
            observer.found("\(name): \(callback.line): a callback after the app has released its access enabler")
        }
        if let problem = ledger.got(callback) {
            observer.found("\(name): \(callback.line): \(problem)")
        }
        switch callback {
        case .token(let token, _):
            lastToken = token
            observer.sawToken()
        case .tokenRequestFailed: lastToken = nil
        case .authenticationStatus(_, let code): lastAnswer = code
        case .selectedProvider(let id): lastProvider = id
        default: break
        }
        if let (kind, call) = reaction, WalkCallback(callback) == kind {
            reaction = nil
            observer.tell("    in this callback:")
            make(call)
        }
    }
}

extension ClassicCallback {
    /// A description of the callback without the parts that differ each time.
    fileprivate var line: String {
        switch self {
        case .status(let id, _, _, _): "status(\(id))"
        case .tracking(let data, let event): "sendTrackingData(\(data.first ?? ""), \(event))"
        default: description
        }
    }
}
