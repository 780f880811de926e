import Foundation
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport

/// A process of the device with a session, which makes the walk's calls and checks their outcomes.
///
/// Only the thread of the walk uses it. With several threads, what the engine does is recorded there a little later.
@available(macOS 15, iOS 18, tvOS 18, *)
final class SessionMember: @unchecked Sendable {
    /// A call without an answer.
    struct Open {
        let call: SessionCall
        let task: Task<Void, Never>
        let viewer: SessionViewer?
        /// The number of media tokens that had arrived from the service before the call.
        let mediaTokens: Int
        /// The last call that had certainly begun before this one was made.
        let begunBefore: Int
        /// A Boolean value that indicates whether something else may have ended this call.
        ///
        /// That can be another call, a cancellation or the end of the session.
        var isDisturbed = false
    }

    let name: String
    let platform: WalkPlatform
    let process: WalkProcess
    private let walk: SessionWalk
    private(set) var session: EntitlementSession?
    private(set) var isClosed = false
    /// A Boolean value that indicates whether all jobs have waited since the session was closed.
    ///
    /// A presenter that was called before may still be on its way to its own executor.
    private var isClosedForLong = false
    /// A Boolean value that indicates whether everything that happens now was caused after the session was closed.
    private var hasBeenClosed: Bool { SerialLoop.shared.hasThreads ? isClosedForLong : isClosed }
    private(set) var open: [Int: Open] = [:]
    private(set) var lastStatus: AuthenticationStatus?
    /// The error with which the last call for a media token failed; `nil` if it succeeded.
    private(set) var lastPlayFailure: TVEError.Code?
    /// The viewers of all calls, by number.
    private var viewers: [Int: SessionViewer] = [:]
    /// The calls that may share the login of an answered call, by the number of that call.
    ///
    /// A call that has shared the login passes it on to those that wait when it is answered.
    private var sharers: [Int: Set<Int>] = [:]
    /// The last call that had begun when all jobs last waited.
    ///
    /// Tasks do not begin in the order in which they are created, so this is known only then.
    private var lastBegun = 0
    /// The last call that had begun before a logout that was answered.
    private var lastLoggedOut = 0
    /// The call that is made inside the next event.
    var reaction: SessionCall?
    private var count = 0

    init(_ name: String, _ walk: SessionWalk) {
        self.name = name
        self.walk = walk
        process = WalkProcess(walk.world)
        platform = WalkPlatform(walk.world.account, walk.world.pause)
    }

    /// The codes that viewers can type.
    var codes: [String] { viewers.sorted { $0.key < $1.key }.compactMap(\.value.code) }

    var waitingViewers: [SessionViewer] {
        open.sorted { $0.key < $1.key }.compactMap(\.value.viewer).filter(\.isWaiting)
    }
    var hasOpenCalls: Bool { !open.isEmpty }

    /// Creates the session, which sends no request yet.
    func begin(_ requestor: String) {
        let world = walk.world
        var environment = SessionEnvironment(
            storage: process, transport: process, clock: world.deviceClock,
            app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
            device: DeviceIdentity(seed: "device-1", app: nil), redirectURL: SessionWalk.redirectURL)
        environment.loginStyle = world.scene.style
        environment.platform = world.scene.hasPlatform ? platform : nil
        environment.allowsHTTP = true
        guard let provider = try? ServiceProvider(WalkWorld.serviceURL) else { return }
        Task { [environment] in
            do throws(TVEError) {
                let session = try await EntitlementSession(
                    requestorID: RequestorID(requestor), softwareStatement: world.routes.softwareStatement,
                    serviceProviders: [provider], service: world.dialect,
                    environment: environment
                ) { [weak self] event in SerialLoop.shared.onWalksThread { [self] in self?.heard(event) } }
                SerialLoop.shared.onWalksThread { [self] in
                    if isClosed { session.close() } else { self.session = session }
                }
            } catch {
                SerialLoop.shared.onWalksThread { [self] in walk.tell("\(name) has no session: \(error.code)") }
            }
        }
    }

    // MARK: - Calls

    func make(_ call: SessionCall) {
        guard let session else { return }
        count += 1
        let number = count
        walk.tell("\(name) \(number): \(call)")
        let viewer = call.hasPresenter ? viewer(of: call, number) : nil
        viewers[number] = viewer
        // With several plays it is unknown whose media token arrives.
        let isOneOfSeveral = call.isPlay && open.values.contains(where: \.call.isPlay)
        if call.changesLogin { walk.disturbAll() } else if isOneOfSeveral { disturb() }
        let task = Task { [weak self] in
            let outcome = await call.perform(in: session, using: viewer)
            SerialLoop.shared.onWalksThread { [self] in self?.answered(number, outcome) }
        }
        open[number] = Open(
            call: call, task: task, viewer: viewer, mediaTokens: process.mediaTokens, begunBefore: lastBegun)
        // A call that is already running may end this one too.
        if walk.changesLogin(besides: number, of: self) || isOneOfSeveral { open[number]?.isDisturbed = true }
    }

    /// Returns a Boolean value that indicates whether a call is running that changes the shared login.
    ///
    /// - Parameter number: a call that is ignored; `nil` for none.
    func changesLogin(besides number: Int? = nil) -> Bool {
        open.contains { $0.key != number && $0.value.call.changesLogin }
    }

    /// Records that something has happened that may end any call.
    func disturb() { for number in open.keys { open[number]?.isDisturbed = true } }

    func cancel(_ number: Int) {
        guard let call = open[number] else { return }
        walk.tell("\(name) cancels \(number)")
        disturb()
        call.task.cancel()
    }

    func cancelOne(using random: inout SeededRandom) {
        if let number = open.keys.sorted().randomElement(using: &random) { cancel(number) }
    }

    func close(isKilled: Bool = false) {
        walk.tell("\(name) is \(isKilled ? "killed" : "closed")")
        if isKilled { process.kill() }
        isClosed = true
        disturb()
        session?.close()
        session = nil
    }

    /// Makes a call on a closed session, which must not succeed.
    func makeOnClosed(_ call: SessionCall, _ session: EntitlementSession) {
        walk.tell("\(name), closed: \(call)")
        Task {
            if case .success = await call.perform(in: session, using: nil) {
                SerialLoop.shared.onWalksThread { [self] in found("\(call.title) succeeds on a closed session") }
            }
        }
    }

    private func answered(_ number: Int, _ outcome: Result<SessionAnswer, TVEError>) {
        guard let call = open.removeValue(forKey: number) else { return found("a second answer to call \(number)") }
        switch outcome {
        case .success(let answer): walk.tell("    \(name) \(number) -> \(answer.line)")
        case .failure(let error): walk.tell("    \(name) \(number) -> \(error.code)")
        }
        let waiting = Set(open.filter(\.value.call.mayShowLogin).keys)
        for (earlier, calls) in sharers where calls.contains(number) { sharers[earlier] = calls.union(waiting) }
        sharers[number] = waiting
        if case .success(.status(let status)) = outcome { lastStatus = status }
        if case .logout = call.call, case .success = outcome { lastLoggedOut = max(lastLoggedOut, call.begunBefore) }
        if call.call.isPlay {
            lastPlayFailure = if case .failure(let error) = outcome { error.code } else { nil }
            judgePlay(call, outcome)
        }
    }

    /// Checks that a media token from the service reaches the app, unless something else may have ended the call.
    private func judgePlay(_ call: Open, _ outcome: Result<SessionAnswer, TVEError>) {
        guard case .failure(let error) = outcome, !call.isDisturbed, !isClosed,
            process.mediaTokens > call.mediaTokens
        else { return }
        // Only the store has a login with the classic services, and any call that is refused may remove it.
        let mayBeRefused = walk.world.transport.isFaulty || error.code == .notAuthenticated
        if walk.world.dialect == .classic, mayBeRefused { return }
        found("a play whose media token has arrived fails: \(error.code)")
    }

    private func heard(_ event: SessionEvent) {
        if hasBeenClosed { found("an event after the session was closed") }
        guard let call = reaction else { return }
        reaction = nil
        walk.tell("    in an event of \(name):")
        make(call)
    }

    // MARK: - Viewers

    private func viewer(of call: SessionCall, _ number: Int) -> SessionViewer {
        SessionViewer(
            "\(name) \(number)", of: call, walk.world.pause, ignoresCancellation: walk.chance(6),
            shows: { [weak self] viewer, stage in
                SerialLoop.shared.onWalksThread { [self] in self?.shown(stage, to: viewer, inCall: number) }
            },
            inside: { [weak self] viewer in await self?.isInside(viewer) })
    }

    private func shown(_ stage: SessionViewer.Stage, to viewer: SessionViewer, inCall number: Int) {
        walk.tell("    \(viewer.name) sees \(stage.line)")
        if case .authenticate(isForced: true)? = open[number]?.call {
            switch stage {
            case .page, .code: walk.forcedPageIsShown()
            case .picker, .logoutPage, .dialog: break
            }
        }
        if process.isKilled { return }
        if isClosedForLong { return found("\(stage.line) is shown after the session was closed") }
        // What another thread shows may have been on its way before the walk knew of an answer.
        if SerialLoop.shared.hasThreads { return }
        if case .logoutPage = stage {
            // A forced login shows one as well, and calls that share a login use the first one's presenter.
            if viewer.call.mayShowLogin, open.values.contains(where: \.call.mayShowLogin) { return }
            if open[number] == nil { found("\(stage.line) is shown after the answer of its call") }
            return
        }
        if number <= lastLoggedOut { found("\(stage.line) is shown after a logout") }
        // A login goes on for the calls that share it, with the presenter of the first one.
        let isWanted =
            if let own = open[number] { own.call.mayShowLogin } else {
                !sharers[number, default: []].isDisjoint(with: open.keys)
            }
        if !isWanted { found("\(stage.line) is shown that no call waits for") }
    }

    private func isInside(_ viewer: SessionViewer) async {
        // The calls of the walk are decided on its own thread.
        guard !SerialLoop.shared.hasThreads, let session, let call = walk.callInside() else { return }
        walk.tell("    inside the presenter of \(viewer.name): \(call)")
        disturb()
        _ = await call.perform(in: session, using: nil)
    }

    // MARK: - When all jobs wait

    /// Records that all calls have begun.
    func settled() {
        lastBegun = count
        isClosedForLong = isClosed
    }

    /// Lets the viewers leave everything that waits for them.
    func leaveAll() {
        for viewer in viewers.sorted(by: { $0.key < $1.key }).map(\.value) where viewer.isWaiting { viewer.reply(nil) }
        // A viewer cannot leave a code: another one follows it, and calls that share the login wait too. So the calls
        // are cancelled.
        if viewers.values.contains(where: { $0.code != nil }) {
            for number in open.keys.sorted() { cancel(number) }
        }
        platform.choose(.failure(.cancelled))
    }

    /// The problem of the first call that has no answer, which is checked when no call waits for anything.
    var missing: String? { open.min { $0.key < $1.key }.map { "\($0.value.call) has no answer" } }

    private func found(_ problem: String) { walk.found("\(name): \(problem)") }
}

extension SessionAnswer {
    fileprivate var line: String {
        switch self {
        case .done: "done"
        case .status(.authenticated(let profile)): "logged in with \(profile.mvpdID)"
        case .status(.notAuthenticated(let error)): "not logged in, \(error.code)"
        case .status(.unknown(let error)): "unknown, \(error.code)"
        case .loggedIn(let profile): "a login with \(profile.mvpdID)"
        case .token: "a media token"
        }
    }
}

extension SessionViewer.Stage {
    fileprivate var line: String {
        switch self {
        case .picker: "a picker"
        case .page: "a login page"
        case .logoutPage: "a logout page"
        case .code: "a code"
        case .dialog: "a dialog"
        }
    }
}
