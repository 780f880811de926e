import ArgumentParser

/// The command line of the project.
@main
struct TVE: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tve",
        abstract: "TV Everywhere on the command line.",
        subcommands: [
            DemoCommand.self, SandboxCommand.self, LoginCommand.self, StatusCommand.self, ProvidersCommand.self,
            AuthorizeCommand.self, PreauthorizeCommand.self, MetadataCommand.self, LogoutCommand.self,
            StatsCommand.self,
            TokenCommand.self, StorageCommand.self, SharingApp.self,
        ])
}
