import AccessEnabler
import TVETestSupport

/// The stories of a walk: steps that apps and viewers take together, with a known outcome.
@available(macOS 15, iOS 18, tvOS 18, *)
extension Walk {
    /// Lets the viewer open and leave a provider's page, and then lets the app check the login.
    func lookAtAnotherProvider(_ app: WalkApp) {
        let mvpdID = Bool.random(using: &random) ? "demo-fiber" : "demo-cable"
        makeEach([.login, .choose(mvpdID)], app)
        if app.ledger.stage != nil { makeEach([.choose(nil)], app) }
        makeEach([.check], app)
    }

    /// Checks the login before, during and after a failure of the store.
    ///
    /// During the failure no answer may state whether the viewer is logged in. Afterwards the answer must be as before.
    func askWhileNothingCanBeRead(_ app: WalkApp) {
        guard !world.storage.isFaulty, !app.ledger.hasFailed else { return }
        settle()
        // The authorization below repeats a start that has failed, also one that was still under way until now.
        guard !app.ledger.hasFailed else { return }
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
        // The service may have the login of a viewer who has not come back from the page, and the app hears of it.
        let isFound = app.lastAnswer == USER_AUTHENTICATED && world.hasLoginAtService
        if app.lastAnswer != before, lasts, !isFound { found("the answer is not what it was before the store failed") }
    }

    /// Lets the viewer log in and out once, before the rest of the walk.
    func giveHistory(_ app: WalkApp) {
        guard logIn(app, with: Bool.random(using: &random) ? "demo-fiber" : "demo-cable") else { return }
        makeEach([.logout], app)
    }

    /// Logs in on a provider's page or with a code.
    ///
    /// - Returns: `true` if the app showed a page or a code, and there was no problem.
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

    /// Waits for all jobs, and returns a Boolean value that indicates whether the outcome of the next call is known.
    private func isCalm(_ app: WalkApp) -> Bool {
        settle()
        app.reaction = nil
        return !hasEnded && world.works && !isForgetful && !app.ledger.hasFailed && app.ledger.isQuiet
            && !world.scene.hasPlatform && apps.allSatisfy { $0 === app || $0.isDropped || $0.ledger.isQuiet }
    }

    /// Kills the app while its viewer is on the provider's page, and opens it again with the redirect.
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

    /// Chooses a provider, and checks that the choice is tracked and that the app receives it.
    func asksForTheChosenProvider(_ app: WalkApp) {
        guard isCalm(app), let mvpdID = world.scene.providers.randomElement(using: &random),
            mvpdID != world.providerThatLeft.withLock(\.self)
        else { return }
        app.ledger.forgetChoices()
        makeEach([.choose(mvpdID), .selectedProvider], app)
        guard !hasEnded, world.works else { return }
        if !app.ledger.hasTracked(mvpdID) { found("the choice of \(mvpdID) is not tracked") }
        if app.lastProvider != mvpdID { found("the chosen provider is not told") }
    }

    /// Lets the viewer log out and finish the page, and checks that the next login needs the viewer.
    func logsOut(_ app: WalkApp) {
        guard isCalm(app), !world.scene.hasTempPass, !world.scene.usesSafari else { return }
        makeEach([.check], app)
        if app.lastAnswer != USER_AUTHENTICATED, !logIn(app, with: "demo-cable") { return }
        app.forgetAnswer()
        makeEach([.logout], app)
        // The viewer may have a login with each provider, and each login may have a page.
        for _ in world.scene.providers {
            guard let page = app.ledger.logoutPage else { break }
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

    /// Lets the viewer use a TempPass until after its end.
    func usesTempPass(_ app: WalkApp) {
        guard world.scene.hasTempPass, isCalm(app) else { return }
        app.forgetAnswer()
        makeEach([.choose(WalkScene.tempPass), .authorize("DEMO-1")], app)
        guard !hasEnded, app.lastAnswer == USER_AUTHENTICATED else { return }
        passTime(700)
        makeEach([.check], app)
        if app.lastAnswer == USER_AUTHENTICATED { found("a TempPass that has ended counts") }
    }

    /// Lets the viewer log in and watch, and checks that there is no token once the login has ended.
    func staysUntilTheEnd(_ app: WalkApp) {
        guard isCalm(app), !world.scene.hasTempPass, !world.scene.usesSafari else { return }
        makeEach([.check], app)
        if app.lastAnswer != USER_AUTHENTICATED, !logIn(app, with: "demo-cable") { return }
        makeEach([.check, .authorize("DEMO-1")], app)
        guard !hasEnded else { return }
        if app.lastAnswer != USER_AUTHENTICATED || app.lastToken == nil {
            // The service may have ended this login, which the library hears after the first answer or with the play.
            if serviceMayForget { return }
            found("a viewer who is logged in has no token")
        }
        passTime(3_000_000)
        makeEach([.check, .checkAuthorization("DEMO-1")], app)
        guard !hasEnded else { return }
        if app.lastAnswer == USER_AUTHENTICATED || app.lastToken != nil { found("a login that has ended counts") }
    }
}
