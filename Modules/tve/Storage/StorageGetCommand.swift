import ArgumentParser
import Foundation
import TVEStorage

/// Prints a value.
struct StorageGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print a value.",
        discussion: "Without --show-secrets only its size. Ends with 1 when there is no such entry.")

    @OptionGroup var location: StorageLocation

    @Flag(help: "Print the value itself, byte for byte.")
    var showSecrets = false

    @Argument(help: "The key, as ls shows it.")
    var key: String

    func run() async throws {
        guard let value = try location.open().value(for: try StorageLocation.key(key)) else { throw ExitCode(1) }
        if showSecrets {
            Printer.exact(value)
        } else {
            Printer.line("\(value.count) bytes (hidden; --show-secrets shows them)")
        }
    }
}
