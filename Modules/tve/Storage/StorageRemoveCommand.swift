import ArgumentParser
import TVEStorage

/// Removes entries.
struct StorageRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "rm", abstract: "Remove an entry.")

    @OptionGroup var location: StorageLocation

    @Flag(name: .shortAndLong, help: "Remove everything below the key as well.")
    var recursive = false

    @Argument(help: "The key, as ls shows it.")
    var key: String

    func run() async throws {
        let key = try StorageLocation.key(key)
        try location.open().apply([recursive ? .removeAll(under: key) : .remove(key)])
    }
}
