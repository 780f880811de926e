import ArgumentParser
import Foundation
import TVEStorage

/// Exports all entries.
struct StorageExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write all entries, opened, as lines of JSON.",
        discussion: "The file holds tokens for whoever can read it; it is made for its owner alone.")

    @OptionGroup var location: StorageLocation

    @Argument(help: "The file to write, which must not be there yet; - writes to standard output.")
    var file: String

    func run() async throws {
        let store = try location.open()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var text = Data()
        let keys = try store.keys(under: .everything).sorted()
        for (number, key) in keys.enumerated() {
            if number >= 99, (number + 1).isMultiple(of: 100) || number + 1 == keys.count {
                Terminal.progress("exported", number + 1, of: keys.count)
            }
            guard let value = try store.value(for: key) else { continue }
            text += try encoder.encode(StorageEntryLine(key: key.rawValue, value: value)) + Data("\n".utf8)
        }
        if file == "-" {
            Printer.exact(text)
        } else {
            // Created for the owner alone from the beginning, and never over an existing file.
            let descriptor = Foundation.open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw ValidationError("\(file) is there already, or cannot be written.") }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try handle.write(contentsOf: text)
        }
    }
}
