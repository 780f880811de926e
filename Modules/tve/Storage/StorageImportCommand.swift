import ArgumentParser
import Foundation
import TVEStorage

/// Imports entries.
struct StorageImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Store entries that export wrote, one after the other.",
        discussion: "Entries of the same key are replaced, others stay. Stops at the first line that is no entry.")

    @OptionGroup var location: StorageLocation

    @Flag(help: "Print the key of each entry as soon as it is on the medium.")
    var verbose = false

    @Argument(help: "The file to read; - reads standard input.")
    var file: String

    func run() async throws {
        let store = location.openOrMake()
        let input = file == "-" ? fdopen(STDIN_FILENO, "r") : fopen(file, "r")
        guard let input else { throw ValidationError("\(file) cannot be read.") }
        defer { fclose(input) }
        let decoder = JSONDecoder()
        var number = 0
        while let line = Self.line(input) {
            number += 1
            guard let entry = try? decoder.decode(StorageEntryLine.self, from: line), !entry.key.isEmpty else {
                throw ValidationError("Line \(number) is not an entry; the lines before it are stored.")
            }
            try store.apply([.put(StorageKey(rawValue: entry.key), entry.value)])
            if verbose {
                Printer.line(entry.key)
            } else if number % 100 == 0 {
                Terminal.progress("imported", number, of: nil)
            }
        }
        if !verbose, number >= 100 { Terminal.progress("imported", number, of: number) }
    }

    /// The next line without its end, nil after the last.
    private static func line(_ input: UnsafeMutablePointer<FILE>) -> Data? {
        var buffer: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(buffer) }
        let count = getline(&buffer, &capacity, input)
        guard count > 0, let buffer else { return nil }
        let bytes = Data(bytes: buffer, count: count)
        return bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes
    }
}
