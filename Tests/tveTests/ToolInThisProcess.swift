import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestTraits
import Testing

@testable import tve

// A start of the program takes longer than the work of most commands. Therefore the tables of texts and the work that
// only prepares a test use the tool's code in the process of the tests. One row of each table starts the program.

extension Tool {
    /// Reads a command line, and returns what the program would print and its exit code if the line is refused.
    static func refusal(of arguments: [String]) async -> Tool {
        do {
            _ = try await TVE.command(in: arguments)
            return Tool(status: 0, output: "")
        } catch {
            return Tool(TVE.Failure(error: error, arguments: arguments))
        }
    }

    /// Runs a command that fails, and returns the text of its error and its exit code.
    ///
    /// All other output of the command goes to that of the tests.
    static func failure(of arguments: [String]) async throws -> Tool {
        // Without this option, a command would use the store of the person at the machine.
        let usesNoStore = ["conformance", "sandbox", "token"].contains(arguments.first)
        try #require(usesNoStore || arguments.contains("--directory"))
        // A sandbox reads its files before its address. At this one it cannot start, because nothing would end it.
        let ending = arguments.first == "sandbox" ? ["--host", "none"] : []
        guard let failure = await TVE.failure(of: arguments + ending) else { return Tool(status: 0, output: "") }
        return Tool(failure)
    }

    /// Checks a service, and returns what `tve doctor` prints about the service and the exit code.
    ///
    /// The store, the redirect and the browser are not checked.
    static func serviceChecks(of arguments: [String]) async throws -> Tool {
        // The statement of a sandbox is requested within the limit of the options.
        let command = try await TVE.command(in: arguments + ["--timeout", "600"])
        let options = try #require(command as? DoctorCommand).options
        let checks = DoctorChecks(options: options, redirect: nil, limit: .hanging)
        let findings = try await checks.service().get().map { $0.withoutSecrets(of: arguments) }
        let lines = findings.flatMap(\.lines).map { "\(Printer.clean($0))\n" }
        return Tool(status: findings.contains { $0.state == .bad } ? 1 : 0, output: lines.joined())
    }

    private init(_ failure: TVE.Failure) {
        let text = failure.text
        self.init(status: failure.status, output: text.isEmpty ? "" : "\(text)\n")
    }
}

extension Folder {
    /// Returns the store `store` of the folder, as `tve storage put` opens it.
    func sealedStore() -> SealedStorage { SealedStorage.file(url.appendingPathComponent("store")) }
}

extension Desk {
    /// Runs a command that fails in this process.
    func failure(of arguments: [String]) async throws -> Tool {
        try await Tool.failure(of: full(arguments + ["--timeout", "600"]))
    }

    /// Runs a command in this process, and returns its exit code.
    ///
    /// It suits a step whose output other tests read, such as the question of who is logged in now.
    func exitCode(of arguments: String...) async throws -> Int32 { try await failure(of: arguments).status }

    /// Logs in with demo-cable, as ``logIn(_:password:)`` does, for a test whose subject is not the login.
    ///
    /// - Parameter directory: the directory of the store; `nil` selects the usual one.
    func prepareLogin(in directory: String? = nil) async throws {
        try await prepare(in: directory) { run in
            let provider = MVPDID("demo-cable")
            let way = LoginWay.headless(user: "viewer", password: "secret")
            let presenter = TerminalPresenter(provider: provider, way: way, run: run)
            let profile = try await run.session.authenticate(using: presenter)
            #expect(profile.mvpdID == provider)
        }
    }

    /// Makes a household, as `tve household link` does, and returns a link code.
    func prepareHousehold() async throws -> String {
        try await prepare { run in
            let household = try run.household()
            try await household.create()
            return try await household.linkCode().text
        }
    }

    /// Returns the options of a session with the sandbox, as the command line would give them.
    ///
    /// Reading a command line would take longer than most preparations, because in a debug build the parser checks
    /// every option several times.
    private func options(_ directory: String) -> SessionOptions {
        var options = SessionOptions()
        // An option that is not set could not be read.
        options.service = [sandbox.baseURL.absoluteString]
        options.dialect = dialect == "classic" ? .classic : .restV2
        options.requestor = nil
        options.statement = nil
        options.timeout = 600
        options.directory = directory
        options.trace = nil
        options.traceShowsIDs = false
        return options
    }

    /// Does the work of a command with a session of the tool.
    private func prepare<Value>(
        in directory: String? = nil, _ body: (SessionRun) async throws -> Value
    ) async throws -> Value {
        let directory = directory ?? store
        forgetPace(in: directory)
        return try await SessionRun.with(options(directory), command: "status", body)
    }
}
