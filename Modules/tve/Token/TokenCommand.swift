import ArgumentParser

/// Commands about tokens.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Look into a token, or verify a media token.",
        subcommands: [TokenInspectCommand.self, TokenVerifyCommand.self])
}
