import ArgumentParser

/// The command line of the project.
@main
struct TVE: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tve",
        abstract: "TV Everywhere on the command line.",
        subcommands: [DemoCommand.self, SandboxCommand.self, TokenCommand.self, StorageCommand.self, SharingApp.self])
}
