import AccessEnabler
import Foundation
import TVENetworking
import TVESandbox
import TVETestSupport

/// One sequence of calls, faults and waits, all decided by a seed.
@available(macOS 15, iOS 18, tvOS 18, *)
final class Walk: @unchecked Sendable {
    private(set) var story: [String] = []
    private(set) var problem: String?

    private let world: WalkWorld
    private var random: SeededRandom
    private var apps: [WalkApp] = []
    private let isInline: Bool
    /// Whether the service cannot be told about logouts, and viewers often do not return from a page.
    private let isForgetful: Bool
    private let loop = SerialLoop.shared
    private var step = 0
    /// When a viewer last logged in at a page, and when a logout was last requested.
    private var lastLogin = 0
    private var loginRequestor: String?
    private var lastLogout = -1
    /// The last logout that certainly took effect.
    private var lastSettledLogout = -1
    /// Whether a logout may not have begun.
    private var logoutMayWait = false

    init(_ dialect: ServiceDialect, seed: UInt64, key: SandboxKey) throws {
        world = try WalkWorld(dialect, key)
        random = SeededRandom(state: seed)
        isInline = Bool.random(using: &random)
        isForgetful = Int.random(in: 0..<4, using: &random) == 0
        loop.begin(seed)
    }

    /// Walks until the end or the first problem.
    func run() {
        apps = [app("A")]
        if chance(3) { apps.append(app("B")) }
        for app in apps { app.make(.setRequestor("DEMO")) }
        if isForgetful {
            story.append("the network: logouts cannot be told")
            world.transport.fail(.init(path: "/logout", kind: .unreachable))
        }
        settle()
        if isForgetful, chance(2) { giveHistory(apps[0]) }
        for _ in 0..<Int.random(in: 5...11, using: &random) where problem == nil {
            step += 1
            takeStep()
            switch Int.random(in: 0..<4, using: &random) {
            case 0: runSome(atMost: 30)
            case 1: runSome(atMost: 200)
            default: settle()
            }
        }
        finish()
    }

    // MARK: - Steps

    private func takeStep() {
        guard let app = apps.filter({ !$0.isDropped }).randomElement(using: &random) else { return }
        if chance(6) {
            app.reaction = reaction()
        }
        if chance(2), answerViewer(app) { return }
        switch Int.random(in: 0..<20, using: &random) {
        case 0 where !isForgetful: changeFault()
        case 8: changeStorage()
        case 9 where chance(2): changeClock()
        case 10 where chance(2): askWhileNothingCanBeRead(app)
        case 1: passTime(Double([1, 20, 40, 400].randomElement(using: &random) ?? 1))
        case 2 where chance(2):
            // The logout of an app that is closed may never begin, for example while the service does not answer.
            if logoutMayWait { lastLogin = step }
            app.drop()
            let next = self.app(app.name + "'")
            next.storageChanged(fails: world.storage.isFaulty)
            apps.append(next)
            next.make(.setRequestor("DEMO"))
        case 3...5: makePair(app)
        case 6...7: lookAtAnotherProvider(app)
        default:
            // Nothing runs between the calls of one step.
            for _ in 0..<Int.random(in: 1...3, using: &random) { make(call(), app) }
        }
    }

    private func reaction() -> (WalkCallback, WalkCall) {
        let call = [WalkCall.login, .choose(nil), .forcedLogin, .choose("demo-fiber"), .logout, .check].randomElement(
            using: &random)
        let kind: WalkCallback =
            switch Int.random(in: 0..<10, using: &random) {
            case 0: .requestorComplete
            case 1: .picker
            case 2: .page
            case 3: .authorizationEnd
            case 4: .lookup
            default: .authenticationStatus
            }
        return (kind, call ?? .login)
    }

    /// Runs a few of the ready jobs.
    private func runSome(atMost limit: Int) {
        let areDone = loop.run(atMost: Int.random(in: 0..<limit, using: &random))
        if areDone, !apps.contains(where: { !$0.isDropped && $0.ledger.isStarting }) { logoutMayWait = false }
    }

    /// Makes two calls that apps make right after each other and that interfere.
    private func makePair(_ app: WalkApp) {
        let pair: (WalkCall, WalkCall) =
            switch Int.random(in: 0..<5, using: &random) {
            case 0...1: (.authorize("DEMO-1"), .logout)
            case 2: (.choose("demo-cable"), .choose(nil))
            case 3: (.logout, .login)
            default: (.login, .choose("demo-fiber"))
            }
        // Both may be made before the session is there.
        if chance(4) { make(.setRequestor(Bool.random(using: &random) ? "DEMO" : "DEMO2"), app) }
        make(pair.0, app)
        runSome(atMost: 120)
        make(pair.1, app)
    }

    /// The viewer opens a provider's page, leaves it, and the app asks who is logged in.
    private func lookAtAnotherProvider(_ app: WalkApp) {
        let mvpdID = Bool.random(using: &random) ? "demo-fiber" : "demo-cable"
        makeEach([.login, .choose(mvpdID)], app)
        if app.ledger.stage != nil { makeEach([.choose(nil)], app) }
        makeEach([.check], app)
    }

    /// The store fails for a moment: meanwhile no answer says whether the viewer is logged in, and afterwards the viewer is
    /// as logged in as before.
    private func askWhileNothingCanBeRead(_ app: WalkApp) {
        guard !world.storage.isFaulty else { return }
        settle()
        app.reaction = nil
        makeEach([.check, .check], app)
        let before = app.lastAnswer
        setStorage(.reading)
        makeEach([.check, .authorize("DEMO-1")], app)
        if [USER_AUTHENTICATED, USER_NOT_AUTHENTICATED_ERROR].contains(app.lastAnswer) {
            found("an answer about the login, which cannot be read")
        }
        setStorage(nil)
        makeEach([.check], app)
        if app.lastAnswer != before { found("the answer is not what it was before the store failed") }
    }

    /// A login that was ended before the walk began.
    private func giveHistory(_ app: WalkApp) {
        makeEach([.login, .choose(Bool.random(using: &random) ? "demo-fiber" : "demo-cable")], app)
        guard case .page(let url)? = app.ledger.stage else { return }
        browse(url, app, as: .logsIn(name: "viewer", password: "secret"), comesBack: true)
        settle()
        makeEach([.logout], app)
    }

    /// Makes calls, each when everything before it has ended.
    private func makeEach(_ calls: [WalkCall], _ app: WalkApp) {
        for call in calls where problem == nil {
            step += 1
            make(call, app)
            settle()
        }
    }

    private func call() -> WalkCall {
        let resource = ["DEMO-1", "DEMO-2", "DEMO-PLUS"].randomElement(using: &random) ?? ""
        return switch Int.random(in: 0..<25, using: &random) {
        case 0...4: .login
        case 5...6: .forcedLogin
        case 7...8: .check
        case 9...10: .choose("demo-cable")
        case 11: .choose("demo-fiber")
        case 12...13: .choose(nil)
        case 14...16: .logout
        case 17...18: .authorize(resource)
        case 19: .checkAuthorization(resource)
        case 20: .foreignRedirect
        case 21: .metadata(Int32.random(in: 0...4, using: &random))
        case 22: .preauthorize(["DEMO-1", resource])
        case 23: .selectedProvider
        default: .setRequestor(Bool.random(using: &random) ? "DEMO" : "DEMO2")
        }
    }

    private func make(_ call: WalkCall, _ app: WalkApp) {
        // Where the service keeps logins, it keeps one for each requestor. A login that no store ever knew, because the
        // app has not returned from its page, is only ended by a logout of its own requestor.
        let isOfLogin = world.dialect == .classic || loginRequestor == nil || loginRequestor == app.ledger.requestor
        // Another process may be about to finish a login whose viewer has left the page before.
        let isAlone = apps.allSatisfy { $0 === app || $0.isDropped || $0.ledger.stage == nil }
        if call == .logout, isOfLogin, isAlone {
            lastLogout = step
            // Anything that finished before it does not count, whenever that was in this step.
            step += 1
        }
        app.make(call)
        if call == .logout { logoutMayWait = true }
    }

    /// Does what an app asks the viewer to do.
    ///
    /// - Returns: whether there was anything to do.
    private func answerViewer(_ app: WalkApp) -> Bool {
        switch app.ledger.stage {
        case .picker:
            make(.choose(["demo-cable", "demo-fiber", nil].randomElement(using: &random) ?? nil), app)
        case .page(let url):
            browse(url, app, as: chance(4) ? .cancels : .logsIn(name: "viewer", password: "secret"))
        case nil:
            guard let url = app.ledger.logoutPage, chance(2) else { return false }
            browse(url, app, as: .cancels)
        }
        return true
    }

    private func browse(
        _ url: String, _ app: WalkApp, as viewer: HeadlessBrowser.Viewer, comesBack known: Bool? = nil
    ) {
        story.append("\(app.name)'s viewer goes through the page")
        let comesBack = known ?? (isForgetful ? chance(2) : !chance(6))
        let isTwice = chance(5)
        let requestor = url.contains("/DEMO2/") ? "DEMO2" : "DEMO"
        Task {
            let (end, hasLoggedIn) = await app.browse(url, as: viewer)
            if hasLoggedIn {
                (lastLogin, loginRequestor) = (step, requestor)
            }
            guard comesBack, let end else { return }
            app.make(.redirect(end))
            if isTwice { app.make(.redirect(end)) }
        }
        // The page is closed before anything else happens, as in an app.
        loop.run(atMost: 100_000)
    }

    private func changeFault() {
        let path = ["/logout", "/profiles", "/", "/authorize", "/session", "/config"].randomElement(using: &random)
        let kind = WalkTransport.Fault.Kind.allCases.randomElement(using: &random)
        let fault = chance(3) ? nil : WalkTransport.Fault(path: path ?? "/", kind: kind ?? .unreachable)
        story.append("the network: \(fault.map { "\($0.kind) for \($0.path)" } ?? "works")")
        world.transport.fail(fault)
    }

    private func changeStorage() {
        let fault = chance(2) ? nil : FailingStorage.Fault.allCases.randomElement(using: &random)
        let rate = [1, 1, 3, 10].randomElement(using: &random) ?? 1
        setStorage(fault, oneOf: rate)
    }

    private func setStorage(_ fault: FailingStorage.Fault?, oneOf rate: Int = 1) {
        story.append("the storage: \(fault.map { "1 of \(rate) fails at \($0)" } ?? "works")")
        world.storage.fail(fault, oneOf: rate, seed: random.next())
        for app in apps { app.storageChanged(fails: fault != nil) }
    }

    private func changeClock() {
        let error = [-31_536_000, -90_000, -45, 0, 0, 45, 90_000, 31_536_000].randomElement(using: &random) ?? 0
        story.append("the device's clock: \(error) s ahead")
        world.setDeviceClock(TimeInterval(error))
    }

    private func passTime(_ seconds: Double) {
        settle()
        guard problem == nil else { return }
        story.append("\(Int(seconds)) s pass")
        for app in apps { app.timePassed() }
        world.clock.advance(by: seconds)
        settle()
    }

    // MARK: - When all jobs wait

    /// Runs until all jobs wait for the viewer or the network, or none is left, and checks what should have come.
    private func settle() {
        for _ in 0..<60 where problem == nil {
            guard loop.run(atMost: 200_000) else { return found("does not come to an end") }
            guard missing() != nil else { break }
            // A job waits for the pace of the service, or for the end of a delay.
            if story.last != "more time passes" { story.append("more time passes") }
            world.clock.advance(by: 5)
            for app in apps { app.timePassed() }
        }
        (logoutMayWait, lastSettledLogout) = (false, lastLogout)
        noteStorageFailure()
        if let missing = missing() { return found(missing) }
        for app in apps { app.settled(isWaitingForTime: world.clock.sleepers > 0) }
        if lastLogin <= lastLogout, world.hasLogin { found("a login is stored after the logout") }
    }

    /// What could not be removed from the store is still there.
    private func noteStorageFailure() {
        if world.storage.takeFailure() { lastLogin = step }
    }

    private func missing() -> String? {
        apps.lazy.filter { !$0.isDropped }.compactMap { app in app.ledger.missing().map { "\(app.name): \($0)" } }.first
    }

    private func finish() {
        story.append("the network: works")
        world.transport.fail(nil)
        setStorage(nil)
        settle()
        for app in apps where !app.isDropped {
            app.make(.choose(nil))
        }
        passTime(60)
        for app in apps where !app.isDropped { app.drop() }
        for _ in 0..<20 {
            loop.run(atMost: 200_000)
            world.clock.advance(by: 60)
        }
        for app in apps where !app.isGone { found("\(app.name): its memory is not given back") }
    }

    // MARK: -

    private func app(_ name: String) -> WalkApp {
        WalkApp(name, world, isInline: isInline) { [unowned self] in
            story.append($0)
        } found: { [unowned self] in
            found($0)
        } sawToken: { [unowned self] in
            noteStorageFailure()
            if lastLogin <= lastSettledLogout { found("a token after the logout") }
        }
    }

    private func found(_ problem: String) {
        guard self.problem == nil else { return }
        self.problem = problem
        story.append("PROBLEM: \(problem)")
    }

    private func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
}
