/// The actions of scripted clients, as one list of steps.
///
/// The flow of a client that follows every row is one such list. Each client that breaks a row is a change to it.
struct Flow {
    /// The party that acts.
    enum Actor: String, CaseIterable {
        /// An app that logs in on its own screen.
        case phone
        /// An app whose viewer enters a code elsewhere.
        case television
        /// The programmer's own page on which the code is entered.
        case page
    }

    /// The action.
    enum Act {
        case register, token, configuration
        /// Creates a session with these parameters. The provider may be missing.
        case session(mvpd: String?, redirect: String?)
        case partnerSession
        /// Requests the session, or adds missing parameters.
        case check, resume(mvpd: String?)
        /// A browser opens the login page; the viewer logs in or leaves.
        case logIn, leave
        case poll, profiles
        case profile(String)
        case preauthorize([String]), authorize(String), play(String)
        case logout, openLogout
        /// Requests a service token for an account or for the newest link code, renews it, or performs an action of a
        /// member.
        case joinAccount(String), joinWithCode, renewServiceToken, makeLinkCode, listDevices
        /// Time passes.
        case wait(Double)
        /// The provider of later steps.
        case choose(String)
        /// Selects a code other than the newest one from here on.
        case useOldCode, useNewCode
    }

    struct Step {
        let actor: Actor
        var act: Act
        /// The name by which a change finds the step.
        var name = ""
        /// The headers to change, with nil to omit one, and an addition to the query.
        var headers: [String: String?] = [:]
        var query = ""
    }

    var steps: [Step]

    /// Steps of one actor.
    static func steps(_ actor: Actor, _ acts: (String, Act)...) -> [Step] {
        acts.map { Step(actor: actor, act: $1, name: $0) }
    }

    mutating func insert(_ acts: Act..., after name: String) {
        let place = self.place(name)
        let new = acts.map { Step(actor: steps[place].actor, act: $0) }
        steps.insert(contentsOf: new, at: place + 1)
    }

    mutating func replace(_ name: String, by acts: Act...) {
        let place = self.place(name)
        let actor = steps[place].actor
        steps.replaceSubrange(place...place, with: acts.map { Step(actor: actor, act: $0) })
    }

    mutating func change(_ name: String, _ body: (inout Step) -> Void) { body(&steps[place(name)]) }

    /// Removes the following steps.
    mutating func end(after name: String) { steps.removeLast(steps.count - place(name) - 1) }

    private func place(_ name: String) -> Int {
        guard let place = steps.firstIndex(where: { $0.name == name }) else { preconditionFailure("no step \(name)") }
        return place
    }

    /// A client that follows every row, on two screens.
    static let good = Flow(
        steps: steps(
            .phone, ("register", .register), ("token", .token), ("start", .profiles), ("first picker", .configuration),
            ("first choice", .choose("demo-cable")),
            ("given up", .session(mvpd: "demo-cable", redirect: "adobepass://ios.app")), ("left", .leave),
            ("poll 1", .poll), ("pause 1", .wait(4)), ("poll 2", .poll), ("pause 2", .wait(10)),
            ("session", .session(mvpd: "demo-cable", redirect: "adobepass://ios.app")), ("before the page", .wait(5)),
            ("login", .logIn), ("success", .poll), ("list", .preauthorize(["DEMO-1", "DEMO-2", "DEMO-PLUS"])),
            ("authorize 1", .authorize("DEMO-1")), ("play 1", .play("DEMO-1")), ("watching", .wait(600)),
            ("authorize 2", .authorize("DEMO-1")), ("play 2", .play("DEMO-1")), ("denied", .authorize("DEMO-PLUS")),
            ("reading", .wait(30)), ("list again", .preauthorize(["DEMO-PLUS"])), ("restart", .profile("demo-cable")),
            ("unknown", .profile("nobody")), ("authorize 3", .authorize("DEMO-2")), ("play 3", .play("DEMO-2")),
            ("later", .wait(600)), ("second picker", .configuration), ("second choice", .choose("demo-fiber")),
            ("second session", .session(mvpd: "demo-fiber", redirect: "adobepass://ios.app")),
            ("second login", .logIn), ("second success", .poll), ("several", .profiles),
            ("authorize 4", .authorize("DEMO-1")), ("a day", .wait(86_390)), ("renewed", .token),
            ("authorize 5", .authorize("DEMO-2")), ("goodbye", .wait(60)), ("logout", .logout),
            ("logout page", .openLogout), ("partner", .partnerSession), ("partner choice", .choose("demo-fiber")),
            ("partner's session", .resume(mvpd: "demo-fiber")), ("partner's login", .logIn),
            ("partner's success", .poll), ("authorize 6", .authorize("DEMO-1")),
            ("household", .joinAccount("account")), ("devices", .listDevices), ("code", .makeLinkCode),
            ("an hour", .wait(3_500)), ("renewed household", .renewServiceToken))
            + steps(
                .television, ("tv registers", .register), ("tv token", .token), ("tv start", .profiles),
                ("tv session", .session(mvpd: nil, redirect: nil)), ("tv poll 1", .poll), ("tv pause", .wait(3)),
                ("tv poll 2", .poll))
            + steps(
                .page, ("page registers", .register), ("page token", .token), ("typed", .check),
                ("page picker", .configuration), ("page choice", .resume(mvpd: "demo-cable")), ("page login", .logIn))
            + steps(
                .television, ("tv poll 3", .poll), ("tv authorize", .authorize("DEMO-1")),
                ("tv chosen", .session(mvpd: "demo-fiber", redirect: "https://example.com/done")),
                ("tv poll 4", .poll), ("tv pause 2", .wait(3)), ("tv poll 5", .poll))
            + steps(.page, ("typed again", .check), ("page login 2", .logIn))
            + steps(
                .television, ("tv pause 3", .wait(2)), ("tv poll 6", .poll), ("tv choice", .choose("demo-fiber")),
                ("tv authorize 2", .authorize("DEMO-2")))
            + steps(.phone, ("next code", .makeLinkCode))
            + steps(.television, ("tv household", .joinWithCode), ("tv devices", .listDevices)))
}
