import TVEFlowEngine
import TVEModels
import Testing

@testable import tve

// A start of the program takes longer than the work of most commands. Therefore the work that only prepares a test uses
// the tool's code in the process of the tests.

extension Desk {
    /// Logs in with demo-cable, as ``logIn(_:password:)`` does, for a test whose subject comes after the login.
    func prepareLogin() async throws {
        try await prepare { run in
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

    /// Does the work of a command with a session of the tool, and ends the session as the end of the program would.
    private func prepare<Value>(_ body: (SessionRun) async throws -> Value) async throws -> Value {
        let command = try TVE.command(in: full(["status", "--timeout", "600"]))
        let options = try #require(command as? StatusCommand).options
        return try await SessionRun.with(options, command: "status") { run in
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(run))
            } catch {
                result = .failure(error)
            }
            await run.session.end()
            return try result.get()
        }
    }
}
