import Foundation
import TVENetworking
import TVESandbox
import TVETestSupport

/// A sequence of calls, faults and waits of apps on the classic API, all of which a seed decides.
@available(macOS 15, iOS 18, tvOS 18, *)
final class Walk: @unchecked Sendable {
    private(set) var story: WalkStory

    let world: WalkWorld
    var random: SeededRandom
    var apps: [WalkApp] = []
    private let isInline: Bool
    /// A Boolean value that indicates whether the service never receives logouts, and viewers often do not return from
    /// a page.
    let isForgetful: Bool
    let loop = SerialLoop.shared
    var step = 0
    /// The step in which a viewer last logged in at a page.
    var lastLogin = 0
    /// The step in which a logout was last requested.
    private var lastLogout = -1
    /// The step of the last logout that certainly took effect.
    private var lastSettledLogout = -1
    /// A Boolean value that indicates whether a logout may not have begun yet.
    var logoutMayWait = false
    /// The logins that were stored when all jobs last waited.
    private var keptLogins: Set<String> = []
    /// A Boolean value that indicates whether anything may have ended one of ``keptLogins`` since then.
    private var mayLoseLogins = false
    /// A Boolean value that indicates whether the service may have ended a login, by itself or because another replaced
    /// it.
    ///
    /// The device may learn of that at any time.
    var serviceMayForget = false
    /// A Boolean value that indicates whether logins and TempPasses may have expired during the waits of the walk.
    private(set) var mayHaveExpired = false
    /// The sum of all waits of the walk, in seconds.
    private var waited = 0.0

    /// Creates a walk.
    ///
    /// - Parameters:
    ///   - dialect: the dialect of the service.
    ///   - seed: the seed that decides everything.
    ///   - key: the key with which the service signs.
    ///   - exceptions: texts of problems to ignore.
    init(_ dialect: ServiceDialect, seed: UInt64, key: SandboxKey, except exceptions: [String]) throws {
        story = WalkStory(except: exceptions)
        random = SeededRandom(state: seed)
        world = try WalkWorld(dialect, scene: WalkScene(using: &random), key: key, seed: seed)
        isInline = Bool.random(using: &random) && !loop.hasThreads
        isForgetful = Int.random(in: 0..<4, using: &random) == 0
        loop.begin(seed, callbacksAreLate: Int.random(in: 0..<4, using: &random) == 0)
        tell("\(world.scene)")
    }

    /// Makes the walk, until its end or the first problem.
    func run() {
        apps = [app("A")]
        if chance(3) { apps.append(app("B")) }
        if isForgetful {
            tell("the network: logouts cannot be told")
            world.transport.fail(.init(path: "/logout", kind: .unreachable))
        } else if chance(10) {
            changeFault()
        }
        for app in apps {
            // The library queues calls until there is a requestor.
            if chance(5) { for _ in 0..<Int.random(in: 1...3, using: &random) { make(call(), app) } }
            app.make(.setRequestor("DEMO"))
        }
        settle()
        if isForgetful, chance(2) { giveHistory(apps[0]) }
        for _ in 0..<Int.random(in: 5...11, using: &random) where !hasEnded {
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

    private func finish() {
        tell("the network: works")
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

    // MARK: - Calls

    func make(_ call: WalkCall, _ app: WalkApp) {
        // Another process may be about to finish a login whose viewer has already left the page.
        let isAlone = apps.allSatisfy { $0 === app || $0.isDropped || $0.ledger.isQuiet }
        if call == .logout, isAlone {
            lastLogout = step
            // A login that finished earlier in this step must not appear to be newer than the logout.
            step += 1
        }
        // A TempPass logs in without a page.
        if call == .choose(WalkScene.tempPass) { lastLogin = step }
        app.make(call)
    }

    /// Makes calls one by one, each when all jobs of the previous one wait.
    func makeEach(_ calls: [WalkCall], _ app: WalkApp) {
        for call in calls where !hasEnded {
            step += 1
            make(call, app)
            settle()
        }
    }

    /// Closes an app and starts it again.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - isKilled: `true` if its process ends without a warning.
    /// - Returns: the same app in its next process.
    func relaunch(_ app: WalkApp, isKilled: Bool) -> WalkApp {
        // The logout of a closed app may never begin, for example while the service does not answer.
        if logoutMayWait { lastLogin = step }
        app.drop(isKilled: isKilled)
        let next = self.app(app.name + "'")
        apps.append(next)
        next.make(.setRequestor("DEMO"))
        return next
    }

    private func app(_ name: String) -> WalkApp {
        WalkApp(
            name, in: world, isInline: isInline,
            observer: WalkApp.Observer { [unowned self] in
                tell($0)
            } found: { [unowned self] in
                found($0)
            } sawToken: { [unowned self] in
                noteStorageFailure()
                if lastLogin <= lastSettledLogout, !world.scene.hasPlatform { found("a token after the logout") }
            } made: { [unowned self] call in
                if call == .logout {
                    logoutMayWait = true
                    mayLoseLogins = true
                }
                if call == .forcedLogin, world.dialect == .restV2 { serviceMayForget = true }
            })
    }

    // MARK: - The world

    func setStorage(_ fault: FailingStorage.Fault?, oneOf rate: Int = 1) {
        tell("the storage: \(fault.map { "1 of \(rate) fails at \($0)" } ?? "works")")
        world.storage.fail(fault, oneOf: rate, seed: random.next())
    }

    func passTime(_ seconds: Double) {
        settle()
        guard !hasEnded else { return }
        tell("\(Int(seconds)) s pass")
        pass(seconds)
        settle()
    }

    private func pass(_ seconds: Double) {
        if seconds > 5 {
            waited += seconds
            mayHaveExpired = waited >= 500 || waited * 2 >= Double(world.scene.login)
        }
        for app in apps { app.ledger.timePassed(seconds) }
        world.clock.advance(by: seconds)
    }

    /// Runs a random number of the jobs that are ready.
    func runSome(atMost limit: Int) {
        let areDone = loop.run(atMost: Int.random(in: 0..<limit, using: &random))
        if areDone, !apps.contains(where: { !$0.isDropped && $0.ledger.isStarting }) { logoutMayWait = false }
    }

    // MARK: - When all jobs wait

    /// Runs jobs until all of them wait for the viewer or the network, or none is left, and then checks the answers.
    func settle() {
        for round in 0..<60 where !hasEnded {
            guard loop.run(atMost: 200_000) else { return found("does not come to an end") }
            // Half a minute is enough for an answer that is only missing if other calls have got the answers before it.
            let mayMiss = round < 6 && world.clock.sleepers > 0 && apps.contains { !$0.isDropped && $0.ledger.mayMiss }
            guard missing() != nil || mayMiss else { break }
            // A job waits for the pace of the service, or for the end of a delay.
            if story.lines.last != "more time passes" { tell("more time passes") }
            pass(5)
        }
        logoutMayWait = false
        lastSettledLogout = lastLogout
        noteStorageFailure()
        if let missing = missing() { return found(missing) }
        for app in apps where !app.isDropped { app.settled(isWaitingForTime: world.clock.sleepers > 0) }
        checkLogins()
    }

    private func checkLogins() {
        let logins = world.logins
        let isSilent = world.scene.hasPlatform
        if lastLogin <= lastLogout, !logins.isEmpty, !isSilent { found("a login is stored after the logout") }
        // Any other answer of the network is no evidence against a login.
        if world.transport.mayRefuse || !world.deviceWorks || isSilent || isForgetful { mayLoseLogins = true }
        if !mayLoseLogins, !serviceMayForget, !mayHaveExpired, !keptLogins.isSubset(of: logins) {
            found("a login is lost")
        }
        keptLogins = logins
        mayLoseLogins = false
    }

    /// Takes into account that a value that could not be removed is still in the store.
    private func noteStorageFailure() {
        guard world.storage.takeFailure() else { return }
        lastLogin = step
        mayLoseLogins = true
    }

    private func missing() -> String? {
        apps.lazy.filter { !$0.isDropped }.compactMap { app in app.ledger.missing().map { "\(app.name): \($0)" } }.first
    }

    // MARK: -

    /// A Boolean value that indicates whether there was a problem.
    var hasEnded: Bool { story.hasEnded }

    func tell(_ line: String) { story.tell(line) }

    func found(_ problem: String) { story.found(problem) }

    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
}
