import ArgumentParser
import Foundation
import TVEFlowEngine
import TVEModels

/// Says whether somebody is logged in.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say who is logged in; ends with 1 when nobody is.")

    @OptionGroup var options: SessionOptions

    func run() async throws {
        let status = try await SessionRun.with(options, "status") { await $0.session.authenticationStatus() }
        switch status {
        case .authenticated(let profile):
            print("Logged in with \(profile.mvpdID) until \(profile.expires.formatted(.iso8601)).")
        case .notAuthenticated(let error):
            print(error.message ?? "Nobody is logged in.")
            throw ExitCode.failure
        }
    }
}
