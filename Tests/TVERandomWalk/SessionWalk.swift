import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport

/// A sequence of calls of sessions, faults and waits, all of which a seed decides.
///
/// Several sessions and processes share a store. Calls are cancelled, sessions are closed, and calls are made inside
/// events and presenters. A presenter may ignore the cancellation of its task.
@available(macOS 15, iOS 18, tvOS 18, *)
final class SessionWalk: @unchecked Sendable {
    // The text is a valid URL, so the alternative is never used.
    static let redirectURL = URL(string: "adobepass://ios.app") ?? URL(fileURLWithPath: "/")

    private(set) var story: WalkStory
    let world: WalkWorld
    private var random: SeededRandom
    private var members: [SessionMember] = []
    private let loop = SerialLoop.shared
    private var browser: HeadlessBrowser
    /// A Boolean value that indicates whether the service may have ended a login by itself.
    private var serviceMayForget = false
    /// A Boolean value that indicates whether a forced login has reached a page over REST API v2.
    ///
    /// That service shows no page before it has ended the stored login.
    private var serviceHasEndedForcedLogin = false
    /// A Boolean value that indicates whether presenters make no calls, because the outcome of the current story is
    /// known.
    private var isOrdinary = false

    init(_ dialect: ServiceDialect, seed: UInt64, key: SandboxKey, except exceptions: [String]) throws {
        story = WalkStory(except: exceptions)
        random = SeededRandom(state: seed)
        world = try WalkWorld(dialect, scene: WalkScene(using: &random), key: key, seed: seed)
        browser = HeadlessBrowser(transport: world.browserTransport)
        loop.begin(seed, callbacksAreLate: false)
        tell("\(world.scene)")
    }

    // MARK: - The walk

    /// Makes the walk, until its end or the first problem.
    func run() {
        addMember()
        if chance(2) { addMember() }
        for _ in 0..<Int.random(in: 6...14, using: &random) where !story.hasEnded {
            takeStep()
            switch Int.random(in: 0..<4, using: &random) {
            case 0: loop.run(atMost: Int.random(in: 0..<30, using: &random))
            case 1: loop.run(atMost: Int.random(in: 0..<200, using: &random))
            default: settle()
            }
        }
        finish()
    }

    /// Records that a call changes the login, which all members share.
    func disturbAll() { for member in members { member.disturb() } }

    func changesLogin(besides number: Int, of member: SessionMember) -> Bool {
        members.contains { $0.changesLogin(besides: $0 === member ? number : nil) }
    }

    func forcedPageIsShown() { serviceHasEndedForcedLogin = world.dialect == .restV2 }

    private func addMember() {
        let member = SessionMember(String("ABCDEFGHIJKLMNOPQRSTUVWXYZ".dropFirst(members.count % 26).prefix(1)), self)
        members.append(member)
        member.begin(chance(4) ? "DEMO2" : "DEMO")
        settle()
        if !chance(10) {
            member.make(.start)
            if !chance(3) { settle() }
        }
    }

    private func takeStep() {
        guard let member = members.filter({ !$0.isClosed }).randomElement(using: &random) else { return addMember() }
        if chance(6) { member.reaction = call() }
        if chance(2), answerViewer(member) { return }
        switch Int.random(in: 0..<24, using: &random) {
        case 0: changeFault()
        case 1: passTime([1, 20, 40, 400, 4_000, 100_000, 3_000_000].randomElement(using: &random) ?? 1)
        case 2: relaunch(member)
        case 3...4: member.cancelOne(using: &random)
        case 5: changeStorage()
        case 6: changeService()
        case 7: tellStory { leavesAForcedLogin(member) }
        case 8: tellStory { playsOnAFullDisk(member) }
        case 9: tellStory { logsOut(member) }
        case 10...12: logIn(member)
        default: for _ in 0..<Int.random(in: 1...3, using: &random) { member.make(call()) }
        }
    }

    private func relaunch(_ member: SessionMember) {
        let session = member.session
        let isKilled = chance(2)
        member.close(isKilled: isKilled)
        if chance(2) { settle() }
        if let session, !isKilled, chance(3) {
            settle()
            let calls: [SessionCall] = [
                .choose("demo-cable"), .logout(opensPage: false), .profiles, .configuration, .start, .metadata,
                .authorize("DEMO-1", mayLogIn: false), .preauthorize(["DEMO-1"]),
            ]
            if let call = calls.randomElement(using: &random) { member.makeOnClosed(call, session) }
            settle()
        }
        addMember()
    }

    private func finish() {
        world.transport.fail(nil)
        world.storage.fail(nil)
        for _ in 0..<20 where !story.hasEnded {
            for member in members { member.leaveAll() }
            loop.run(atMost: 200_000)
            world.clock.advance(by: 60)
        }
        loop.run(atMost: 200_000)
        for member in members where !member.process.isKilled {
            if let missing = member.missing { found("\(member.name): \(missing)") }
        }
        for member in members where !member.isClosed { member.close() }
        loop.run(atMost: 200_000)
        let before = world.storage.memory.keys(under: StorageKey("requestor")).map(\.rawValue)
        for _ in 0..<20 where !story.hasEnded {
            loop.run(atMost: 200_000)
            world.clock.advance(by: 60)
        }
        let after = world.storage.memory.keys(under: StorageKey("requestor")).map(\.rawValue)
        if before != after { found("closed sessions change the store") }
        // The members refer to the walk.
        members = []
    }

    // MARK: - Calls

    private func call() -> SessionCall {
        let resource = Resource(["DEMO-1", "DEMO-2", "DEMO-PLUS"].randomElement(using: &random) ?? "")
        return switch Int.random(in: 0..<30, using: &random) {
        case 0...4: .authenticate(isForced: chance(4))
        case 5...6: .status
        case 7...8: .choose(world.scene.providers.randomElement(using: &random).map { MVPDID($0) })
        case 9: .choose(nil)
        case 10...12: .logout(opensPage: chance(2))
        case 13...16: .authorize(resource, mayLogIn: chance(2))
        case 17: .preauthorize(["DEMO-1", resource])
        case 18: .metadata
        case 19: .profiles
        case 20: .configuration
        case 21: .start
        case 22: .resume(Self.redirectURL)
        case 23...25: .joinHousehold
        case 26: .leaveHousehold
        case 27: .logoutHousehold
        case 28: .manageHousehold
        default: .status
        }
    }

    /// Returns a call that a presenter makes while it shows something, or `nil` for none.
    func callInside() -> SessionCall? {
        guard !isOrdinary, chance(12) else { return nil }
        return [.status, .logout(opensPage: false), .metadata, .choose(nil), .choose("demo-fiber")]
            .randomElement(using: &random)
    }

    // MARK: - Viewers

    /// Answers one waiting request for a viewer of a member.
    ///
    /// - Returns: `true` if there was anything to answer.
    private func answerViewer(_ member: SessionMember) -> Bool {
        if world.scene.hasPlatform, chance(2) {
            member.platform.choose(
                [.success(WalkScene.platformID), .failure(.cancelled)].randomElement(using: &random)
                    ?? .failure(.cancelled))
        }
        if let code = member.codes.randomElement(using: &random), chance(2) {
            type(code)
            return true
        }
        guard let viewer = member.waitingViewers.randomElement(using: &random) else { return false }
        tell("\(viewer.name)'s viewer answers")
        answer(viewer, logsIn: !chance(4))
        return true
    }

    private func answer(_ viewer: SessionViewer, logsIn: Bool, with mvpdID: String? = nil) {
        switch viewer.stage {
        case .picker:
            let id = mvpdID ?? (logsIn ? world.scene.providers.randomElement(using: &random) : nil)
            viewer.reply(.choice(id.map { MVPDID($0) }))
        case .page(let page): browse(page, as: logsIn ? Self.viewer : .cancels) { viewer.reply(.redirect($0)) }
        case .logoutPage(let page): browse(page, as: .cancels) { viewer.reply(.redirect($0)) }
        case .code, .dialog, nil: viewer.reply(nil)
        }
    }

    private static let viewer = HeadlessBrowser.Viewer.logsIn(name: "viewer", password: "secret")

    private func browse(
        _ page: BrowserPage, as viewer: HeadlessBrowser.Viewer, ended: @escaping @Sendable (URL?) -> Void
    ) {
        Task {
            var browser = self.browser
            let end = await browser.open(page.url, endingAt: page.redirectURL, as: viewer)
            self.browser = browser
            if case .redirect(let url) = end { ended(url) } else { ended(nil) }
        }
        loop.run(atMost: 100_000)
    }

    /// Lets a viewer type a code on another device.
    private func type(_ code: String) {
        tell("a viewer types a code")
        let page = "\(WalkWorld.serviceURL)/activate"
        guard let start = URL(string: "\(page)?code=\(code)"), let end = URL(string: "\(page)/done") else { return }
        Task {
            var browser = self.browser
            _ = await browser.open(start, endingAt: end, as: Self.viewer)
            self.browser = browser
        }
        loop.run(atMost: 100_000)
    }

    private func logIn(_ member: SessionMember) {
        member.make(.authenticate(isForced: false))
        settle()
        for _ in 0..<3 where !story.hasEnded {
            guard let viewer = member.waitingViewers.first else { return }
            answer(viewer, logsIn: true, with: "demo-cable")
            settle()
        }
    }

    // MARK: - Stories

    private func tellStory(_ story: () -> Void) {
        isOrdinary = true
        story()
        isOrdinary = false
    }

    /// Waits for all jobs, and returns a Boolean value that indicates whether the outcome of the next calls is known.
    private func isCalm(_ member: SessionMember) -> Bool {
        settle()
        member.reaction = nil
        return !story.hasEnded && world.works && !serviceMayForget && !member.hasOpenCalls
            && members.allSatisfy { !$0.hasOpenCalls }
            && !world.scene.hasPlatform && !world.scene.hasTempPass && world.scene.style == .browser
            && !world.scene.usesSafari && world.scene.login > 10_000
    }

    /// Asks the session for the status, and returns a Boolean value that indicates whether the viewer is logged in.
    private func isLoggedIn(_ member: SessionMember) -> Bool {
        member.make(.status)
        settle()
        if case .authenticated = member.lastStatus { return true }
        return false
    }

    private func isLoggedInNow(_ member: SessionMember) -> Bool {
        guard isCalm(member) else { return false }
        if !isLoggedIn(member) { logIn(member) }
        member.reaction = nil
        return isCalm(member) && isLoggedIn(member)
    }

    /// Lets a viewer who is logged in leave a forced login.
    private func leavesAForcedLogin(_ member: SessionMember) {
        guard isLoggedInNow(member) else { return }
        member.make(.authenticate(isForced: true))
        settle()
        for _ in 0..<3 where !story.hasEnded {
            guard let viewer = member.waitingViewers.first else { break }
            if case .picker = viewer.stage, chance(2) {
                answer(viewer, logsIn: true, with: "demo-cable")
            } else {
                viewer.reply(nil)
            }
            settle()
        }
        guard isCalm(member), !serviceHasEndedForcedLogin else { return }
        member.make(.authorize("DEMO-1", mayLogIn: false))
        settle()
        if !isLoggedIn(member) || member.lastPlayFailure == .notAuthenticated {
            found("\(member.name): a forced login that was left logs the viewer out")
        }
    }

    /// Lets a viewer play while the store cannot be written.
    private func playsOnAFullDisk(_ member: SessionMember) {
        guard isLoggedInNow(member) else { return }
        setStorage(.writing, oneOf: 1)
        let before = member.process.mediaTokens
        member.make(.authorize("DEMO-1", mayLogIn: false))
        settle()
        setStorage(nil, oneOf: 1)
        // Nothing else runs, so nothing else can have ended the login.
        guard !member.hasOpenCalls, member.process.mediaTokens > before, let failure = member.lastPlayFailure else {
            return
        }
        found("\(member.name): a play whose media token has arrived fails on a full disk: \(failure)")
    }

    private func logsOut(_ member: SessionMember) {
        guard isLoggedInNow(member) else { return }
        member.make(.logout(opensPage: chance(2)))
        settle()
        for viewer in member.waitingViewers { answer(viewer, logsIn: false) }
        guard isCalm(member) else { return }
        if isLoggedIn(member) { found("\(member.name): the viewer is logged in after a logout") }
    }

    // MARK: - The world

    private func changeFault() {
        let paths = [
            "/logout", "/profiles", "/", "/authorize", "/session", "/config", "/o/client", "/regcode", "/sso",
            "/serviceToken",
        ]
        let path = paths.randomElement(using: &random) ?? "/"
        let kind = WalkTransport.Fault.Kind.allCases.randomElement(using: &random) ?? .unreachable
        let fault = chance(3) ? nil : WalkTransport.Fault(path: path, kind: kind)
        tell("the network: \(fault.map { "\($0.kind) for \($0.path)" } ?? "works")")
        world.transport.fail(fault)
    }

    private func changeStorage() {
        setStorage(
            chance(2) ? nil : FailingStorage.Fault.allCases.randomElement(using: &random),
            oneOf: [1, 1, 3, 10].randomElement(using: &random) ?? 1)
    }

    private func setStorage(_ fault: FailingStorage.Fault?, oneOf rate: Int) {
        tell("the storage: \(fault.map { "1 of \(rate) fails at \($0)" } ?? "works")")
        world.storage.fail(fault, oneOf: rate, seed: random.next())
    }

    private func changeService() {
        guard let change = WalkWorld.ServiceChange.allCases.randomElement(using: &random) else { return }
        if change != .codeEnds { serviceMayForget = true }
        tell("the service: \(change)")
        world.change(change, using: &random)
        for member in members { member.disturb() }
    }

    private func passTime(_ seconds: Double) {
        settle()
        tell("\(Int(seconds)) s pass")
        world.clock.advance(by: seconds)
        settle()
    }

    /// Runs jobs until all of them wait for the viewer or for time to pass, or none is left.
    func settle() {
        for _ in 0..<12 where !story.hasEnded {
            guard loop.run(atMost: 200_000) else { return found("does not come to an end") }
            let isWaiting = members.contains { $0.hasOpenCalls && $0.waitingViewers.isEmpty }
            guard isWaiting, world.clock.sleepers > 0 else { break }
            world.clock.advance(by: 5)
        }
        for member in members { member.settled() }
    }

    // MARK: -

    func tell(_ line: String) { story.tell(line) }
    func found(_ problem: String) { story.found(problem) }
    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
}
