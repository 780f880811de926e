import Foundation
import TVESandbox
import TVETestTraits
import Testing

/// The exit codes and the texts while the service cannot answer, which is neither success nor a refusal.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ServiceOutageTests {
    private static let login = ["login", "--provider", "demo-cable", "--headless", "viewer", "--password", "secret"]

    private typealias Fault = SandboxWorld.Fault

    private static let faults: [Fault] = [
        .init(.status, amount: 503), .init(.status, amount: 500), .init(.status, amount: 407), .init(.captivePortal),
        .init(.dropped), .init(.throttled), .init(.garbledBody),
    ]
    /// The engine's tests try every failure with both dialects, so two are enough here for the one that ends.
    private static let classicFaults: [Fault] = [.init(.status, amount: 503), .init(.captivePortal)]

    /// The outages of a dialect share one desk, because each needs the same sandbox and the same login.
    @Test(arguments: ["classic", "v2"])
    func commandsExitWith2_whenTheServiceCannotAnswer(dialect: String) async throws {
        let desk = try await Desk(dialect)
        try await desk.prepareLogin()
        for (number, fault) in (dialect == "classic" ? Self.classicFaults : Self.faults).enumerated() {
            try desk.change { $0.faults = [fault] }
            for command in [["providers"], ["authorize", "DEMO-1"]] {
                let tool = try await number == 0 ? desk.run(command) : desk.failure(of: command)
                #expect(tool.status == 2, "\(fault), \(command): \(tool.output)")
            }
            // This command may print what it does not know before it fails.
            let question = ["preauthorize", "DEMO-1"]
            let unknown = try await number == 0 ? desk.run(question) : desk.failure(of: question)
            #expect(unknown.status == 2, "\(fault): \(unknown.output)")
            // A store without a registration needs the service for the first request already.
            let login = Self.login + ["--directory", desk.folder.path("other-\(number)")]
            let other = try await number == 0 ? desk.run(login) : desk.failure(of: login)
            #expect(other.status == 2, "\(fault): \(other.output)")
        }
        try desk.change { $0.faults = [] }
        #expect(try await desk.exitCode(of: "authorize", "DEMO-1") == 0)
        #expect(try await desk.exitCode(of: "authorize", "DEMO-PLUS") == 1, "a denial is an answer")
    }

    @Test(arguments: ["createSession", "providerPage"])
    func aLoginExitsWith2_whenAPageOrACodeDoesNotCome(step: String) async throws {
        let desk = try await Desk("v2") { $0.faults = [.init(.status, amount: 503, step: step)] }
        let outage = try await desk.logIn()
        #expect(outage.status == 2 && outage.output.contains("503"), "\(outage.output)")
        try desk.change { $0.faults = [] }
        let wrong = Array(Self.login.dropLast()) + ["wrong"]
        #expect(try await desk.failure(of: wrong).status == 1, "a wrong password is an answer")
    }

    @Test(arguments: [[], ["--json"]])
    func preauthorizeExitsWith2_whenTheServiceCannotReachTheProvider(more: [String]) async throws {
        let desk = try await Desk("v2")
        try await desk.prepareLogin()
        try desk.change { $0.faults = [.init(.unreachable)] }
        let unknown = try await desk.run(["preauthorize", "DEMO-1"] + more)
        let beginning = more.isEmpty ? "?    DEMO-1  (" : "[{\"code\":"
        #expect(unknown.status == 2 && unknown.output.hasPrefix(beginning), "\(unknown.output)")
        #expect(!unknown.output.contains("authorized\":"), "\(unknown.output)")
        try desk.change { $0.faults = [] }
        #expect(try await desk.exitCode(of: "preauthorize", "DEMO-1", "DEMO-PLUS") == 0, "a denial is an answer")
    }

    @Test func preauthorizeExitsWith2_whenTheServiceDecidesNothing() async throws {
        let desk = try await Desk("v2")
        try await desk.prepareLogin()
        for body in [#"{"decisions":[]}"#, #"{"decisions":[{"resource":"OTHER","authorized":true}]}"#] {
            var fault = Fault(.rewritten, step: "preauthorize")
            fault.body = body
            try desk.change { $0.faults = [fault] }
            let tool = try await desk.run("preauthorize", "DEMO-1")
            #expect(tool.status == 2 && !tool.output.hasPrefix("no"), "\(tool.output)")
        }
    }

    @Test(arguments: ["classic", "v2"])
    func authorizeExitsWith2_whenTheServiceCannotReachTheProvider(dialect: String) async throws {
        let desk = try await Desk(dialect)
        try await desk.prepareLogin()
        try desk.change { $0.faults = [.init(.unreachable)] }
        let authorize = ["authorize", "DEMO-1"]
        let tool = try await dialect == "classic" ? desk.run(authorize) : desk.failure(of: authorize)
        #expect(tool.status == 2, "\(tool.output)")
    }

    @Test func anErrorWithoutAMessage_isPrintedAsASentence() async throws {
        let desk = try await Desk("v2")
        try await desk.prepareLogin()
        var fault = Fault(.rewritten, step: "authorize")
        fault.body = #"{"action":"none","status":500,"code":"internal_server_error"}"#
        try desk.change { $0.faults = [fault] }
        let tool = try await desk.run("authorize", "DEMO-1")
        let sentence = "Error: The service refused the request (internal_server_error). It recommends no action."
        #expect(tool.output.hasPrefix(sentence), "\(tool.output)")
    }

    // MARK: - Outages that the session bears

    private static let borne: [(SandboxWorld.Fault, String)] = [
        (.init(.status, amount: 503, step: "profiles"), "is not available (HTTP 503)."),
        (.init(.status, amount: 500, step: "profiles"), "is not available (HTTP 500)."),
        (
            .init(.captivePortal, step: "profiles"),
            "answers with a web page (HTTP 200, text/html), which no service does."
        ),
        (.init(.status, amount: 400, step: "profiles"), "answers with HTTP 400."),
        (.init(.status, amount: 403, step: "profiles"), "answers with HTTP 403."),
        (.init(.status, amount: 425, step: "profiles"), "answers with HTTP 425."),
        (.init(.error, code: "invalid_parameter_service_provider", step: "profiles"), "answers with HTTP 400."),
        (.init(.dropped, step: "profiles"), "does not answer: "),
        (.init(.garbledBody, step: "profiles"), "answers with profiles that cannot be read."),
    ]

    /// The outages share one desk, because each needs the same sandbox and the same login.
    @Test func commandsDoNotGuess_whenTheServiceCannotSayWhoIsLoggedIn() async throws {
        let desk = try await Desk("v2")
        #expect(try await desk.exitCode(of: "status") == 1, "The store has no login, and the service has none.")
        for (number, (fault, reason)) in Self.borne.enumerated() {
            try desk.change { $0.faults = [fault] }
            let unknown = try await number == 0 ? desk.run("status") : desk.failure(of: ["status"])
            #expect(unknown.status == 2 && unknown.output.contains("the service could not be asked for one: "))
            #expect(
                unknown.output.contains(": \(desk.sandbox.baseURL.absoluteString) \(reason)"),
                "\(fault): \(unknown.output)")
            let zip = ["metadata", "zip"]
            let metadata = try await number == 0 ? desk.run(zip) : desk.failure(of: zip)
            #expect(metadata.status == 2 && metadata.output.contains(reason), "\(fault): \(metadata.output)")
            for command in [["authorize", "DEMO-1"], ["preauthorize", "DEMO-1"]] {
                let play = try await desk.failure(of: command)
                #expect(play.status == 2 && play.output.contains(reason), "\(fault), \(command): \(play.output)")
            }
            // The service is asked about a provider that is named, and has answered.
            let named = try await desk.failure(of: ["authorize", "DEMO-1", "--as", "demo-cable"])
            #expect(named.status == 1 && named.output.contains("Nobody is logged in."), "\(fault): \(named.output)")
            // This fact is only in the store.
            #expect(try await desk.exitCode(of: "metadata", "authn") == 1, "\(fault)")
            // The doctor explains each outage in the words that the other commands have.
            guard number == 0 || LongTests.areOn else { continue }
            let doctor = try await desk.run("doctor")
            let finding = "bad   service   The service does not say who is logged in. "
            #expect(doctor.status == 1 && doctor.output.contains(finding), "\(fault): \(doctor.output)")
        }
        try desk.change { $0.faults = [] }
        try await desk.prepareLogin()
        for (fault, _) in Self.borne {
            try desk.change { $0.faults = [fault] }
            #expect(try await desk.exitCode(of: "status") == 0, "The store has a login, whatever happens: \(fault)")
        }
    }

    @Test func commandsSayThatNobodyIsLoggedIn_whenTheServiceNamesAMissingLogin() async throws {
        let desk = try await Desk("v2") {
            $0.faults = [.init(.error, code: "authenticated_profile_missing", step: "profiles")]
        }
        let status = try await desk.run("status")
        #expect(status.status == 1 && status.output.contains("logged in"), "\(status.output)")
        let play = try await desk.failure(of: ["authorize", "DEMO-1"])
        #expect(play.status == 1 && play.output.contains("Nobody is logged in."), "\(play.output)")
    }

    @Test(arguments: ["classic", "v2"])
    func logoutNeedsNoStatement_whenNoSandboxAnswers(dialect: String) async throws {
        let desk = try await Desk(dialect)
        let logout = ["logout", "--service", "http://127.0.0.1:1"]
        #expect(try await desk.failure(of: logout).status == 2, "There is no store.")
        try await desk.prepareLogin()
        let ended = try await desk.run(logout)
        #expect(ended.status == 0 && ended.output.hasPrefix("Logged out on this device.\n"), "\(ended.output)")
        let note = "The service has not received the logout. http://127.0.0.1:1 does not answer: "
        #expect(ended.output.contains(note), "\(ended.output)")
        #expect(ended.output.contains("sends the logout again") == (dialect == "v2"), "\(ended.output)")
        #expect(try await desk.exitCode(of: "status") == 1)
        let sent = desk.sandbox.exchanges.count { $0.facts.step == "logout" && $0.status == 200 }
        #expect(sent == (dialect == "v2" ? 1 : 0), "The start sends the logout of a login that the service keeps.")
    }

    @Test(arguments: ["logout", nil])
    func logoutSaysThatTheServiceWasNotTold_andTheNextStartTellsIt(step: String?) async throws {
        let desk = try await Desk("v2")
        func logouts() -> Int { desk.sandbox.exchanges.count { $0.facts.step == "logout" && $0.status == 200 } }
        for more in [[], ["--json"], ["--as", "demo-cable"]] {
            try await desk.prepareLogin()
            let before = logouts()
            try desk.change { $0.faults = [.init(.status, amount: 503, step: step)] }
            let logout = try await desk.run(["logout"] + more)
            let first =
                switch more.first {
                case "--json": "{\"authenticated\":false,\"pendingLogout\":true}\n"
                case "--as": "Logged out of demo-cable on this device.\n"
                default: "Logged out on this device.\n"
                }
            #expect(logout.status == 0 && logout.output.hasPrefix(first), "\(logout.output)")
            #expect(logout.output.contains("The service has not received the logout. http://127.0.0.1:"))
            #expect(logout.output.contains(" is not available (HTTP 503). "), "\(logout.output)")
            #expect(logouts() == before)
            if step != nil {
                // The viewer is logged out, whatever the service still has.
                #expect(try await desk.run("status").status == 1)
            }
            try desk.change { $0.faults = [] }
            #expect(try await desk.exitCode(of: "status") == 1)
            #expect(logouts() == before + 1, "The start has sent the logout.")
            #expect(try await desk.run("logout").output == "Logged out.\n")
        }
    }
}
