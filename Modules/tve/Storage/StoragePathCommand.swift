import ArgumentParser
import Foundation

/// Prints where a store is.
struct StoragePathCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "path", abstract: "Say where the store is.")

    @OptionGroup var location: StorageLocation
    @OptionGroup var json: JSONOption

    func run() async throws {
        if json.isOn { return try Printer.json(["path": location.url.path, "key": location.keyURL?.path]) }
        Printer.line(location.url.path)
        if let key = location.keyURL { Printer.line("sealed with \(key.path)") }
    }
}
