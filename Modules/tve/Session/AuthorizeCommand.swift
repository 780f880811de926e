import ArgumentParser
import TVEFlowEngine
import TVEModels

/// Asks for a media token.
struct AuthorizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authorize", abstract: "Ask for a media token and print it.",
        discussion: "The token is single-use and lives for minutes; \"tve token verify\" judges it as a back end would."
    )

    @OptionGroup var options: SessionOptions

    @Argument(help: "A plain id or an MRSS document.")
    var resource: String

    func run() async throws {
        let token = try await SessionRun.with(options, "authorize") {
            try await $0.session.authorize(Resource(resource))
        }
        print(token.text.rawValue)
    }
}
