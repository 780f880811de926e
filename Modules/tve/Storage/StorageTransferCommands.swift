import ArgumentParser
import Foundation
import TVEStorage

/// One entry of an export: a line of JSON.
private struct EntryLine: Codable {
    /// The key, as `ls` shows it.
    var key: String
    /// The value in Base64.
    var value: Data
}

struct StorageExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write all entries, decrypted, as lines of JSON.",
        discussion: "Whoever can read the file can use the tokens in it; it is created readable by its owner alone.")

    @OptionGroup var location: StorageLocation

    @Argument(help: "The file to write, which must not exist yet; - writes to standard output.")
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
            text += try encoder.encode(EntryLine(key: key.rawValue, value: value)) + Data("\n".utf8)
        }
        if file == "-" { return Printer.exact(text) }
        // Created for the owner alone from the beginning, and never over an existing file.
        let descriptor = Foundation.open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ValidationError("\(file) exists already or cannot be written.") }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: text)
    }
}

struct StorageImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Store the entries that export wrote, one by one.",
        discussion:
            "Entries with the same key are replaced; others stay. Stops at the first line that is not an entry.")

    @OptionGroup var location: StorageLocation

    @Flag(help: "Print the key of each entry as soon as it is on disk.")
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
            guard let entry = try? decoder.decode(EntryLine.self, from: line), !entry.key.isEmpty else {
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
