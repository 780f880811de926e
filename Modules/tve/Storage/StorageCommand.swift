import ArgumentParser

/// Looks after a store.
struct StorageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storage",
        abstract: "Look into a store, check it, move it.",
        discussion: "Values are tokens and other secrets: they are shown only with --show-secrets.",
        subcommands: [
            StoragePathCommand.self, StorageListCommand.self, StorageGetCommand.self, StoragePutCommand.self,
            StorageRemoveCommand.self, StorageCheckCommand.self, StorageImportCommand.self, StorageExportCommand.self,
            StorageResealCommand.self,
        ])
}
