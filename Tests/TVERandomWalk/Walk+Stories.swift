import AccessEnabler
import TVETestSupport

/// Steps that apps and viewers take together, and whose outcome is known.
@available(macOS 15, iOS 18, tvOS 18, *)
extension Walk {
    /// The viewer opens a provider's page, leaves it, and the app asks who is logged in.
    func lookAtAnotherProvider(_ app: WalkApp) {
        let mvpdID = Bool.random(using: &random) ? "demo-fiber" : "demo-cable"
        makeEach([.login, .choose(mvpdID)], app)
        if app.ledger.stage != nil { makeEach([.choose(nil)], app) }
        makeEach([.check], app)
    }

    /// The store fails for a moment: meanwhile no answer says whether the viewer is logged in, and afterwards the viewer is
    /// as logged in as before.
    func askWhileNothingCanBeRead(_ app: WalkApp) {
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
        let lasts = world.scene.login > 1_000 && !world.scene.hasTempPass && !mayHaveExpired
        if app.lastAnswer != before, lasts { found("the answer is not what it was before the store failed") }
    }

    /// A login that was ended before the walk began.
    func giveHistory(_ app: WalkApp) {
        guard logIn(app, with: Bool.random(using: &random) ? "demo-fiber" : "demo-cable") else { return }
        makeEach([.logout], app)
    }

    /// Logs in at a provider's page or with a code.
    ///
    /// - Returns: whether a page or code came.
    private func logIn(_ app: WalkApp, with mvpdID: String) -> Bool {
        makeEach([.login, .choose(mvpdID)], app)
        let viewer = HeadlessBrowser.Viewer.logsIn(name: "viewer", password: "secret")
        switch app.ledger.stage {
        case .page(let url): browse(url, app, as: viewer, comesBack: true)
        case .code(let code):
            browse(code: code, app, as: viewer)
            passTime(10)
        case .picker, .dialog, nil: return false
        }
        settle()
        return !hasEnded
    }

    /// Whether nothing can go wrong now, so that the outcome of a call is known.
    private func isCalm(_ app: WalkApp) -> Bool {
        settle()
        app.reaction = nil
        return !hasEnded && world.works && !isForgetful && !app.ledger.hasFailed && app.ledger.isQuiet
            && !world.scene.hasPlatform && apps.allSatisfy { $0 === app || $0.isDropped || $0.ledger.isQuiet }
    }

    /// The app is killed while its viewer is at the provider's page, and opened again by the redirect.
    func isKilledAtThePage(_ app: WalkApp) {
        guard isCalm(app), app.ledger.requestor == "DEMO", world.scene.style == .browser, world.scene.login > 1_000
        else {
            return
        }
        makeEach([.forcedLogin, .choose("demo-cable")], app)
        guard case .page(let url)? = app.ledger.stage else { return }
        let next = relaunch(app, isKilled: true)
        if chance(2) { settle() }
        browse(url, next, as: .logsIn(name: "viewer", password: "secret"), comesBack: true)
        settle()
        makeEach([.check], next)
        if next.lastAnswer != USER_AUTHENTICATED { found("the login of a killed app is lost") }
    }

    /// A choice is tracked and told.
    func asksForTheChosenProvider(_ app: WalkApp) {
        guard isCalm(app), let mvpdID = world.scene.providers.randomElement(using: &random) else { return }
        app.ledger.reports.forgetChoices()
        makeEach([.choose(mvpdID), .selectedProvider], app)
        guard !hasEnded, world.works else { return }
        if !app.ledger.reports.hasTracked(mvpdID) { found("the choice of \(mvpdID) is not tracked") }
        if app.lastProvider != mvpdID { found("the chosen provider is not told") }
    }

    /// The viewer logs out and finishes the page; the next login needs the viewer.
    func logsOut(_ app: WalkApp) {
        guard isCalm(app), !world.scene.hasTempPass, !world.scene.usesSafari else { return }
        makeEach([.check], app)
        if app.lastAnswer != USER_AUTHENTICATED, !logIn(app, with: "demo-cable") { return }
        app.forgetAnswer()
        makeEach([.logout], app)
        if let page = app.ledger.logoutPage {
            browse(page, app, as: .cancels, comesBack: true)
            settle()
        }
        guard !hasEnded else { return }
        if app.lastAnswer != USER_NOT_AUTHENTICATED_ERROR {
            found("a logout that the viewer has finished has no answer")
        }
        makeEach([.login, .choose("demo-cable")], app)
        guard !hasEnded else { return }
        if app.ledger.stage == nil { found("a viewer who has logged out is logged in without being asked") }
        makeEach([.choose(nil)], app)
    }

    /// The viewer takes a TempPass, which ends.
    func usesTempPass(_ app: WalkApp) {
        guard world.scene.hasTempPass, isCalm(app) else { return }
        app.forgetAnswer()
        makeEach([.choose(WalkScene.tempPass), .authorize("DEMO-1")], app)
        guard !hasEnded, app.lastAnswer == USER_AUTHENTICATED else { return }
        passTime(700)
        makeEach([.check], app)
        if app.lastAnswer == USER_AUTHENTICATED { found("a TempPass that has ended counts") }
    }

    /// The viewer logs in and watches; later the login has ended, and without a new one there is no token.
    func staysUntilTheEnd(_ app: WalkApp) {
        guard isCalm(app), !world.scene.hasTempPass, !world.scene.usesSafari else { return }
        makeEach([.check], app)
        if app.lastAnswer != USER_AUTHENTICATED, !logIn(app, with: "demo-cable") { return }
        makeEach([.check, .authorize("DEMO-1")], app)
        guard !hasEnded else { return }
        // The service is asked behind the first answer, and a forced login that failed may have ended this one there.
        if app.lastAnswer != USER_AUTHENTICATED, serviceMayForget { return }
        if app.lastAnswer != USER_AUTHENTICATED || app.lastToken == nil {
            found("a viewer who is logged in has no token")
        }
        passTime(3_000_000)
        makeEach([.check, .checkAuthorization("DEMO-1")], app)
        guard !hasEnded else { return }
        if app.lastAnswer == USER_AUTHENTICATED || app.lastToken != nil { found("a login that has ended counts") }
    }
}
