import AccessEnabler
import TVEFlowEngine
import TVETestSupport

/// The random steps of a walk.
@available(macOS 15, iOS 18, tvOS 18, *)
extension Walk {
    func takeStep() {
        guard let app = apps.filter({ !$0.isDropped }).randomElement(using: &random) else { return }
        if chance(6) {
            app.reaction = reaction()
        }
        if chance(2), answerViewer(app) { return }
        switch Int.random(in: 0..<24, using: &random) {
        case 0 where !isForgetful: changeFault()
        case 1: passTime([1, 20, 40, 400, 400, 4_000, 100_000, 3_000_000].randomElement(using: &random) ?? 1)
        case 2 where chance(2): _ = relaunch(app, isKilled: chance(2))
        case 3...5: makePair(app)
        case 6...7: lookAtAnotherProvider(app)
        case 8: changeStorage()
        case 9 where chance(2): changeClock()
        case 10 where chance(2): askWhileNothingCanBeRead(app)
        case 11: isKilledAtThePage(app)
        case 12: asksForTheChosenProvider(app)
        case 13 where chance(2): staysUntilTheEnd(app)
        case 14 where chance(2): logsOut(app)
        case 15: usesTempPass(app)
        case 16 where chance(2): changeService()
        case 17 where chance(2): joinsAHousehold(app)
        default:
            // No job runs between the calls of one step.
            for _ in 0..<Int.random(in: 1...3, using: &random) { make(call(), app) }
        }
    }

    /// Joins a household, whose login the next start finds, if there is one.
    private func joinsAHousehold(_ app: WalkApp) {
        // From now on a login may be found without a page, and may disappear when another device ends it.
        lastLogin = step
        serviceMayForget = true
        app.joinHousehold()
        settle()
        guard !hasEnded else { return }
        make(.setRequestor("DEMO"), app)
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

    /// Makes two calls that interfere with each other, as apps do in quick succession.
    private func makePair(_ app: WalkApp) {
        let pair: (WalkCall, WalkCall) =
            switch Int.random(in: 0..<6, using: &random) {
            case 0...1: (.authorize("DEMO-1"), .logout)
            case 2: (.choose("demo-cable"), .choose(nil))
            case 3: (.logout, .login)
            case 4 where world.scene.hasTempPass: (.choose(WalkScene.tempPass), .logout)
            default: (.login, .choose("demo-fiber"))
            }
        // Both calls may be made before the session exists.
        if chance(4) { make(.setRequestor(Bool.random(using: &random) ? "DEMO" : "DEMO2"), app) }
        make(pair.0, app)
        runSome(atMost: 120)
        make(pair.1, app)
    }

    func call() -> WalkCall {
        let resource = ["DEMO-1", "DEMO-2", "DEMO-PLUS"].randomElement(using: &random) ?? ""
        return switch Int.random(in: 0..<27, using: &random) {
        case 0...4: .login
        case 5...6: .forcedLogin
        case 7...8: .check
        case 9...10: .choose("demo-cable")
        case 11: .choose(world.scene.providers.randomElement(using: &random))
        case 12...13: .choose(nil)
        case 14...16: .logout
        case 17...18: .authorize(resource)
        case 19: .checkAuthorization(resource)
        case 20: .foreignRedirect
        case 21: .metadata(Int32.random(in: 0...4, using: &random))
        case 22: .preauthorize(["DEMO-1", resource])
        case 23: .selectedProvider
        case 24: .preauthorizeWithReasons([resource])
        default: .setRequestor(Bool.random(using: &random) ? "DEMO" : "DEMO2")
        }
    }

    // MARK: - The viewer

    /// Lets the viewer respond to what an app shows.
    ///
    /// - Returns: `true` if the app showed anything.
    private func answerViewer(_ app: WalkApp) -> Bool {
        switch app.ledger.stage {
        case .picker:
            make(.choose((world.scene.providers + [nil]).randomElement(using: &random) ?? nil), app)
        case .page(let url):
            browse(url, app, as: chance(4) ? .cancels : .logsIn(name: "viewer", password: "secret"))
        case .code(let code):
            browse(code: code, app, as: chance(4) ? .cancels : .logsIn(name: "viewer", password: "secret"))
        case .dialog:
            app.choose(
                [.success(WalkScene.platformID), .failure(.cancelled), .failure(.notOffered)].randomElement(
                    using: &random) ?? .failure(.cancelled))
        case nil:
            guard let url = app.ledger.logoutPage, chance(2) else { return false }
            browse(url, app, as: .cancels)
        }
        return true
    }

    func browse(_ url: String, _ app: WalkApp, as viewer: HeadlessBrowser.Viewer, comesBack known: Bool? = nil) {
        tell("\(app.name)'s viewer goes through the page")
        let comesBack = known ?? (isForgetful ? chance(2) : !chance(6))
        let isTwice = chance(5)
        Task {
            let (end, hasLoggedIn) = await app.browse(url, to: AccessEnabler.redirectURL, as: viewer)
            loop.onWalksThread { [self] in
                if hasLoggedIn { lastLogin = step }
                app.ledger.finished(url)
                guard comesBack, let end else { return }
                app.make(.redirect(end))
                if isTwice { app.make(.redirect(end)) }
            }
        }
        // As in an app, the page is closed before anything else happens.
        loop.run(atMost: 100_000)
    }

    /// Lets the viewer type a code on another device.
    func browse(code: String, _ app: WalkApp, as viewer: HeadlessBrowser.Viewer) {
        tell("\(app.name)'s viewer types the code")
        Task {
            let page = "\(WalkWorld.serviceURL)/activate"
            // Both texts are valid URLs, so the guard never fails.
            guard let end = URL(string: "\(page)/done") else { return }
            guard await app.browse("\(page)?code=\(code)", to: end, as: viewer).hasLoggedIn else { return }
            loop.onWalksThread { [self] in lastLogin = step }
        }
        loop.run(atMost: 100_000)
    }

    // MARK: - Faults

    func changeFault() {
        let paths = ["/logout", "/profiles", "/", "/authorize", "/session", "/config", "/o/client", "/regcode", "/sso"]
        let path = paths.randomElement(using: &random)
        let kind = WalkTransport.Fault.Kind.allCases.randomElement(using: &random)
        let fault = chance(3) ? nil : WalkTransport.Fault(path: path ?? "/", kind: kind ?? .unreachable)
        tell("the network: \(fault.map { "\($0.kind) for \($0.path)" } ?? "works")")
        world.transport.fail(fault)
    }

    private func changeStorage() {
        let fault = chance(2) ? nil : FailingStorage.Fault.allCases.randomElement(using: &random)
        let rate = [1, 1, 3, 10].randomElement(using: &random) ?? 1
        setStorage(fault, oneOf: rate)
    }

    private func changeService() {
        guard let change = WalkWorld.ServiceChange.allCases.randomElement(using: &random) else { return }
        tell("the service: \(change)")
        world.change(change, using: &random)
        switch change {
        // The next code replaces this one, and the next token the last one.
        case .codeEnds, .serviceTokensEnd: break
        // The device may learn at any time that it no longer has a login, which belongs to the registration.
        default: serviceMayForget = true
        }
    }

    private func changeClock() {
        let error = [-31_536_000, -90_000, -45, 0, 0, 45, 90_000, 31_536_000].randomElement(using: &random) ?? 0
        tell("the device's clock: \(error) s ahead")
        world.setDeviceClock(TimeInterval(error))
    }
}
