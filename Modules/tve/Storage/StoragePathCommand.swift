import ArgumentParser
import Foundation

/// Says where a store is.
struct StoragePathCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "path", abstract: "Say where the store is.")

    @OptionGroup var location: StorageLocation

    func run() async throws {
        print(location.url.path)
        if let key = location.keyURL { print("sealed with \(key.path)") }
    }
}
