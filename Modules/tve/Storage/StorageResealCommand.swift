import ArgumentParser
import Foundation
import TVEStorage

/// Seals a store with another key.
struct StorageResealCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reseal", abstract: "Seal every value with another key.",
        discussion: """
            Stop every program that uses the store first, and give them the new key afterwards: with --key-file, or by \
            putting the new file in the place of the old one. All values are resealed in one step, or none is. \
            The command can be repeated.
            """)

    @OptionGroup var location: StorageLocation

    @Argument(help: ArgumentHelp("The file with the new key; it is made if it is not there.", valueName: "file"))
    var newKeyFile: String

    func run() async throws {
        guard let oldKeyURL = location.keyURL else { throw ValidationError("A store that is not sealed has no key.") }
        _ = try location.open()
        guard let old = try SealingKey.existing(oldKeyURL) else { throw StorageError.keyMissing }
        let new = try SealingKey.file(URL(fileURLWithPath: newKeyFile))
        let store = SealedStorage(FileStorage(directory: location.url), key: new, olderKeys: [old])
        let count = try store.reseal { done, all in Terminal.progress("resealed", done, of: all) }
        Printer.line("\(count) values are sealed with \(newKeyFile) now.")
    }
}
