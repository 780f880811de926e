import AccessEnabler
import Foundation
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETokenCodec

/// The steps of the demo; it stops at the first step that fails.
final class DemoStory {
    private let options: DemoCommand
    private let timeline: Timeline
    private let directory: URL
    private var sandbox: Sandbox?
    private var facts = SandboxFacts()
    /// How long an exchange may take; known after the preparation.
    private var timeLimit = Duration.zero
    private var mediaToken = ""

    init(options: DemoCommand, timeline: Timeline, directory: URL) {
        self.options = options
        self.timeline = timeline
        self.directory = directory
    }

    func tell() async -> Bool {
        let isGood = await beginning()
        await sandbox?.stop()
        return isGood
    }

    private func beginning() async -> Bool {
        let title = options.service.map { "use \($0)" } ?? "start a sandbox"
        guard await timeline.step(title, prepare) else { return false }
        let first = app()
        guard await establish(first), await expectLoggedOut(first), await logIn(first), await play(first),
            await verify()
        else { return false }
        // A second start: only the first one's file is left.
        let second = app()
        guard await establish(second, note: "second start"), await expectLoggedIn(second), await playAgain(second),
            await beDenied(second), await logOut(second)
        else { return false }
        return await expectLoggedOut(second)
    }

    private func app() -> DemoApp {
        DemoApp(
            options: options, statement: options.statement ?? facts.softwareStatement,
            storage: FileStorage(directory: directory), timeLimit: timeLimit, timeline: timeline)
    }

    private var isClassic: Bool { options.dialect == .classic }

    // MARK: - Steps

    private func prepare() async throws -> String {
        let base: URL
        if let service = options.service {
            guard let provider = ServiceProvider(service) else { throw ToolFailure("\(service) is no URL.") }
            base = provider.root
        } else {
            let sandbox = try await Sandbox()
            self.sandbox = sandbox
            base = sandbox.baseURL
        }
        timeLimit = try ExchangeTimeLimit.limit()
        facts = await SandboxFacts.read(from: base, within: timeLimit)
        return facts.hasAnswered
            ? "The service answers at \(base.absoluteString)."
            : "No sandbox answers at \(base.absoluteString); trying."
    }

    private func establish(_ app: DemoApp, note: String? = nil) async -> Bool {
        let call = "setRequestor(\"\(options.requestor)\")\(note.map { "  (\($0))" } ?? "")"
        return await timeline.step(call) {
            let end = try await app.run {
                $0.setRequestor(options.requestor, serviceProviders: ["\(facts.baseURL)/adobe-services"])
            } until: {
                if case .requestorComplete = $0 { true } else { false }
            }
            guard end == .requestorComplete(ACCESS_ENABLER_STATUS_SUCCESS) else { throw app.failure(end) }
            return "The requestor is established."
        }
    }

    private func expectLoggedOut(_ app: DemoApp) async -> Bool {
        await timeline.step("checkAuthentication()") {
            let end = try await app.run({ $0.checkAuthentication() }, until: \.isAuthenticationStatus)
            guard end == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR) else { throw app.failure(end) }
            let tokens = try FileStorage(directory: directory).keys(under: StorageKey("requestor"))
            guard tokens.isEmpty else { throw ToolFailure("The storage still holds \(tokens.count) values.") }
            return "The viewer is not logged in, and no token is stored."
        }
    }

    private func logIn(_ app: DemoApp) async -> Bool {
        await timeline.step("getAuthentication()") {
            let end = try await app.run({ $0.getAuthentication() }, until: \.isAuthenticationStatus)
            guard end == .authenticationStatus(1, code: USER_AUTHENTICATED) else { throw app.failure(end) }
            return "The viewer is logged in; \(isClassic ? "the AuthN token" : "a copy of the profile") is stored."
        }
    }

    private func play(_ app: DemoApp) async -> Bool {
        await timeline.step("getAuthorization(\"\(options.resource)\")") {
            let end = try await app.run({ $0.getAuthorization(options.resource) }, until: \.isAuthorizationEnd)
            guard case .token(let token, resource: options.resource) = end else { throw app.failure(end) }
            mediaToken = token
            return "The \(isClassic ? "AuthZ token" : "decision") is stored, the media token handed out."
        }
    }

    private func verify() async -> Bool {
        await timeline.step("the playback back end verifies the media token") {
            let verifier = MediaTokenVerifier(
                keys: [try TokenVerificationKey(pemRepresentation: facts.mediaTokenPublicKey)],
                requestorID: options.requestor)
            let verdict = verifier.verify(mediaToken, resource: Resource(options.resource)).verdict
            guard verdict == .validToken else { throw ToolFailure("The verdict is \(verdict.rawValue).") }
            let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            let isStored = try files.contains { try Data(contentsOf: $0).firstRange(of: Data(mediaToken.utf8)) != nil }
            if isStored { throw ToolFailure("The media token was found in storage.") }
            return "validToken; the media token is nowhere in storage."
        }
    }

    private func expectLoggedIn(_ app: DemoApp) async -> Bool {
        await timeline.step("checkAuthentication()") {
            let end = try await app.run({ $0.checkAuthentication() }, until: \.isAuthenticationStatus)
            guard end == .authenticationStatus(1, code: USER_AUTHENTICATED) else { throw app.failure(end) }
            return "Logged in from storage, without a login page."
        }
    }

    private func playAgain(_ app: DemoApp) async -> Bool {
        await timeline.step("checkAuthorization(\"\(options.resource)\")") {
            let end = try await app.run({ $0.checkAuthorization(options.resource) }, until: \.isAuthorizationEnd)
            guard case .token(_, resource: options.resource) = end else { throw app.failure(end) }
            return isClassic
                ? "The stored AuthZ token brought a fresh media token."
                : "The service decided anew and sent a fresh media token."
        }
    }

    private func beDenied(_ app: DemoApp) async -> Bool {
        await timeline.step("getAuthorization(\"\(options.denied)\")") {
            let end = try await app.run({ $0.getAuthorization(options.denied) }, until: \.isAuthorizationEnd)
            guard case .tokenRequestFailed(options.denied, USER_NOT_AUTHORIZED_ERROR, let text) = end, !text.isEmpty
            else {
                throw app.failure(end)
            }
            return "Denied, with the provider's text."
        }
    }

    private func logOut(_ app: DemoApp) async -> Bool {
        await timeline.step("logout()") {
            let end = try await app.run({ $0.logout() }, until: \.isAuthenticationStatus)
            guard end == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR) else { throw app.failure(end) }
            return "Logged out here, at the service and at the provider."
        }
    }
}

extension ClassicCallback {
    fileprivate var isAuthenticationStatus: Bool {
        if case .authenticationStatus = self { true } else { false }
    }

    fileprivate var isAuthorizationEnd: Bool {
        switch self {
        case .token, .tokenRequestFailed: true
        default: false
        }
    }
}
