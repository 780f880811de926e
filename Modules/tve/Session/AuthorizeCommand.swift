import ArgumentParser
import Foundation
import TVEFlowEngine
import TVEModels

/// Asks for a media token.
struct AuthorizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authorize", abstract: "Ask for a media token and print it.",
        discussion: "The token is single-use and lives for minutes; \"tve token verify\" judges it as a back end would."
    )

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    @Argument(help: "A plain id or an MRSS document.")
    var resource: String

    func run() async throws {
        let token = try await SessionRun.with(options, "authorize") {
            try await $0.session.authorize(Resource(resource))
        }
        if json.isOn { return try Printer.json(["resource": resource, "token": token.text.rawValue]) }
        // Written unchanged into a pipe: a back end verifies the signature of exactly these bytes.
        Printer.exact(Data("\(token.text.rawValue)\n".utf8))
    }
}
