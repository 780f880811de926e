import AccessEnabler
import Foundation
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETokenVerification

/// The steps of the demo, which stops at the first step that fails.
final class DemoStory {
    private let options: DemoCommand
    private let dialect: ServiceDialect
    private let timeline: Timeline
    private let directory: URL
    private var sandbox: Sandbox?
    private var facts = SandboxFacts()
    /// The longest time that an exchange may take, which is known after the preparation.
    private var timeLimit = Duration.zero
    private var mediaToken = ""

    init(options: DemoCommand, dialect: ServiceDialect, timeline: Timeline, directory: URL) {
        self.options = options
        self.dialect = dialect
        self.timeline = timeline
        self.directory = directory
    }

    func tell() async throws -> Bool {
        do {
            let isGood = try await beginning()
            await sandbox?.stop()
            return isGood
        } catch {
            await sandbox?.stop()
            throw error
        }
    }

    private func beginning() async throws -> Bool {
        // Without its user, password and query.
        let root = try options.service.map { try ServiceProvider(argument: $0).root.absoluteString }
        let title: TraceText = root.map { "use \(name: $0)" } ?? "start a sandbox"
        guard try await timeline.step(title, prepare) else { return false }
        let first = app()
        guard try await establish(first), try await expectLoggedOut(first), try await logIn(first),
            try await play(first),
            try await verify()
        else { return false }
        // The second app starts with nothing but the file that the first one left.
        let second = app()
        guard try await establish(second, note: "  (second start)"), try await expectLoggedIn(second),
            // The app plays again after the denial, because a client that logs out right after one breaks row CL20 of
            // the acceptance list.
            try await beDenied(second), try await playAgain(second), try await logOut(second)
        else { return false }
        return try await expectLoggedOut(second)
    }

    private func app() -> DemoApp {
        DemoApp(
            options: options, dialect: dialect,
            statement: options.statement ?? (facts.hasAnswered ? facts.softwareStatement : Self.noStatement),
            storage: FileStorage(directory: directory), timeLimit: timeLimit, timeline: timeline)
    }

    /// The software statement that is sent if no sandbox has answered.
    ///
    /// A text that is clearly no statement would not be sent, so the demo could not show that nobody answers.
    private static let noStatement = "no.statement.known"

    private var isClassic: Bool { dialect == .classic }

    /// A Boolean value that indicates whether no service answers at the address that the command line names, or only a
    /// sandbox that does not give its facts to this client.
    var hasNoService: Bool {
        switch facts.absence {
        case .noAnswer?, .otherAnswer(_?)?, .closed?: options.service != nil
        case .otherAnswer(nil)?, nil: false
        }
    }

    // MARK: - Steps

    private func prepare() async throws -> String {
        let base: URL
        if let service = options.service {
            base = try ServiceProvider(argument: service).root
        } else {
            let sandbox = try await Sandbox(key: SandboxKey.ofThisTool())
            self.sandbox = sandbox
            base = sandbox.baseURL
        }
        timeLimit = try ExchangeTimeLimit.limit()
        facts = await SandboxFacts.read(from: base, within: timeLimit)
        // The demo verifies a media token with the sandbox's public key, so a statement alone is of no use.
        if facts.absence == .closed { throw ToolFailure(DemoFault.closedSandbox(base.absoluteString)) }
        return facts.hasAnswered
            ? "The service answers at \(base.absoluteString)."
            : "The demo uses \(base.absoluteString), where no sandbox answers."
    }

    /// Makes a call and waits for its last callback.
    ///
    /// - Parameters:
    ///   - app: the app that makes the call.
    ///   - title: the title of the step.
    ///   - call: the call to the access enabler.
    ///   - judge: a closure that returns a sentence about the step, or `nil` if the callback is not the expected one.
    /// - Returns: a Boolean value that indicates whether the step succeeded.
    private func step(
        _ app: DemoApp, title: TraceText, call: (AccessEnabler) -> Void,
        judge: (ClassicCallback) throws -> String?
    ) async throws -> Bool {
        try await timeline.step(title) {
            let end = try await app.run(call)
            guard let text = try judge(end) else { throw app.failure(end) }
            return text
        }
    }

    private func establish(_ app: DemoApp, note: TraceText = "") async throws -> Bool {
        let services = ["\(facts.baseURL)/adobe-services"]
        return try await step(
            app, title: "setRequestor(\"\(name: options.requestor.text)\")\(note)",
            call: { $0.setRequestor(options.requestor.text, serviceProviders: services) },
            judge: { $0 == .requestorComplete(ACCESS_ENABLER_STATUS_SUCCESS) ? "The requestor is established." : nil })
    }

    private func expectLoggedOut(_ app: DemoApp) async throws -> Bool {
        try await step(app, title: "checkAuthentication()", call: { $0.checkAuthentication() }) { end in
            guard end == .loggedOut else { return nil }
            let tokens = try FileStorage(directory: directory).keys(under: StorageKey("requestor"))
            guard tokens.isEmpty else {
                throw ToolFailure(DemoFault.tokensLeft(tokens.count))
            }
            return "The viewer is not logged in, and no token is stored."
        }
    }

    private func logIn(_ app: DemoApp) async throws -> Bool {
        let stored = isClassic ? "the AuthN token" : "a copy of the profile"
        return try await step(app, title: "getAuthentication()", call: { $0.getAuthentication() }) {
            $0 == .loggedIn ? "The viewer is logged in; \(stored) is stored." : nil
        }
    }

    private func play(_ app: DemoApp) async throws -> Bool {
        let resource = options.resource
        let stored = isClassic ? "AuthZ token" : "decision"
        return try await step(
            app, title: "getAuthorization(\"\(id: resource)\")", call: { $0.getAuthorization(resource) }
        ) { end in
            guard case .token(let token, resource: resource) = end else { return nil }
            mediaToken = token
            return "The \(stored) is stored, and the media token is handed out."
        }
    }

    private func verify() async throws -> Bool {
        try await timeline.step("the playback back end verifies the media token") {
            let verifier = try MediaTokenVerifier(
                keys: [TokenVerificationKey(pemRepresentation: facts.mediaTokenPublicKey)],
                requestorID: options.requestor)
            let verdict = verifier.verify(mediaToken, resource: Resource(options.resource)).verdict
            guard verdict == .validToken else {
                throw ToolFailure(DemoFault.invalidToken(verdict: verdict.rawValue))
            }
            let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            let isStored = try files.contains { try Data(contentsOf: $0).firstRange(of: Data(mediaToken.utf8)) != nil }
            if isStored { throw ToolFailure(DemoFault.storedMediaToken) }
            return "validToken; the media token is nowhere in the storage."
        }
    }

    private func expectLoggedIn(_ app: DemoApp) async throws -> Bool {
        try await step(app, title: "checkAuthentication()", call: { $0.checkAuthentication() }) {
            $0 == .loggedIn ? "Logged in from storage, without a login page." : nil
        }
    }

    private func playAgain(_ app: DemoApp) async throws -> Bool {
        let resource = options.resource
        return try await step(
            app, title: "checkAuthorization(\"\(id: resource)\")", call: { $0.checkAuthorization(resource) }
        ) { end in
            guard case .token(_, resource: resource) = end else { return nil }
            return isClassic
                ? "The stored AuthZ token was enough for a fresh media token."
                : "The service decided again and sent a fresh media token."
        }
    }

    private func beDenied(_ app: DemoApp) async throws -> Bool {
        let resource = options.denied
        return try await step(
            app, title: "getAuthorization(\"\(id: resource)\")", call: { $0.getAuthorization(resource) }
        ) { end in
            guard case .tokenRequestFailed(resource, USER_NOT_AUTHORIZED_ERROR, let text) = end else { return nil }
            return text.isEmpty ? nil : "Denied, with the provider's text."
        }
    }

    private func logOut(_ app: DemoApp) async throws -> Bool {
        try await step(app, title: "logout()", call: { $0.logout() }) {
            $0 == .loggedOut ? "Logged out here, at the service and at the provider." : nil
        }
    }
}

extension ClassicCallback {
    fileprivate static let loggedIn = ClassicCallback.authenticationStatus(1, code: USER_AUTHENTICATED)
    fileprivate static let loggedOut = ClassicCallback.authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR)
}
