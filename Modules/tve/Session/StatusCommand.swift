import ArgumentParser
import Foundation
import TVEFlowEngine
import TVEModels

/// Says whether the viewer is logged in.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say who is logged in; ends with 1 when nobody is.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    func run() async throws {
        let status = try await SessionRun.with(options, "status") { await $0.session.authenticationStatus() }
        switch status {
        case .authenticated(let profile):
            try LoginReport(profile).print(asJSON: json.isOn)
        case .notAuthenticated(let error):
            try LoginReport(error.message ?? "Nobody is logged in.").print(asJSON: json.isOn)
            throw ExitCode.failure
        }
    }
}
