import ArgumentParser
import Foundation
import TVEModels
import TVEStorage

/// An entry of an export, which is a line of JSON.
private struct EntryLine: Codable {
    /// The key as `tve storage ls` prints it.
    var key: String
    /// The value in Base64.
    var value: Data
}

struct StorageExportCommand: AsyncParsableCommand, UsesStore {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write all entries, decrypted, as lines of JSON.",
        discussion: "Whoever can read the file can use the tokens in it; it is created readable by its owner alone.")

    @OptionGroup var location: StorageLocation
    var places: StorePlaces { location.places }

    @Argument(help: "The file to write, which must not exist yet; - writes to standard output.")
    var file: String

    func run() async throws {
        let store = try location.openWithKey(mayBeNew: false)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var text = Data()
        let keys = try store.keys(under: .everything).sorted()
        let progress = Terminal.Progress("exported")
        for (number, key) in keys.enumerated() {
            if number >= 99, (number + 1).isMultiple(of: 100) || number + 1 == keys.count {
                progress.show(number + 1, of: keys.count)
            }
            guard let value = try store.value(for: key) else { continue }
            text += try encoder.encode(EntryLine(key: key.rawValue, value: value)) + Data("\n".utf8)
        }
        if file == "-" { return try Printer.exact(text) }
        try PrivateFile.create(file, text)
    }
}

struct StorageImportCommand: AsyncParsableCommand, UsesStore {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Store the entries that export wrote.",
        discussion:
            """
            Entries with the same key are replaced; others stay. The entries are stored in batches, about one a \
            second, and each batch is stored as a whole or not at all. Empty lines are ignored. Stops at the first line \
            that is not an entry; the lines before it are stored.
            """)

    @OptionGroup var location: StorageLocation
    var places: StorePlaces { location.places }

    @Flag(help: "Store entries one by one, and print the key of each as soon as it is on disk.")
    var verbose = false

    @Argument(help: "The file to read; - reads standard input.")
    var file: String

    func run() async throws {
        guard let input = LineReader(file) else { throw unreadable() }
        let store = try location.openWithKey(mayBeNew: true)
        let decoder = JSONDecoder()
        var batch = ImportBatch(store: store, isImmediate: verbose, allBytes: input.size)
        var number = 0
        var hasBegun = false
        while let line = input.next() {
            number += 1
            // Editors and joined exports add lines without content.
            guard line.contains(where: { ![0x09, 0x0D, 0x20].contains($0) }) else { continue }
            if !hasBegun, Self.isUTF16(line) {
                throw ToolFailure(FileFault.exportInUTF16(file == "-" ? "Standard input" : file))
            }
            hasBegun = true
            // The decoder would read a line of UTF-16 too, although it was divided between the bytes of a character.
            guard !line.contains(0), let entry = try? decoder.decode(EntryLine.self, from: line), !entry.key.isEmpty
            else {
                try batch.flush()
                throw ToolFailure(FileFault.notAnEntry(line: number))
            }
            try batch.add(entry, line.count + 1)
            if verbose { try Printer.line(entry.key) }
        }
        let failure = input.hasFailed ? unreadable() : nil
        try batch.flush()
        if let failure { throw failure }
        batch.finish()
    }

    /// Returns a Boolean value that indicates whether a text begins with a byte order mark of UTF-16, or with an object
    /// of JSON in it.
    private static func isUTF16(_ text: Data) -> Bool {
        let starts: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF], [0x7B, 0], [0, 0x7B]]
        return starts.contains { text.starts(with: $0) }
    }

    /// Returns a failure with the system's last error.
    private func unreadable() -> ToolFailure {
        ToolFailure(FileFault.unreadable(file, reason: systemText(errno)))
    }
}

/// A batch of entries that are stored in one step.
///
/// Each step waits for the disk, so a step for each entry would take minutes.
private struct ImportBatch {
    let store: any StorageBackend
    /// A Boolean value that indicates whether each entry is stored in a step of its own.
    let isImmediate: Bool
    /// The length of the input in bytes, or `nil` if it is unknown.
    let allBytes: Int?

    private let progress = Terminal.Progress("imported")
    private var changes: [StorageChange] = []
    private var began = ContinuousClock.now
    /// The number of bytes in this batch, which is limited.
    private var size = 0
    /// The number of bytes in all lines so far.
    private var readBytes = 0
    private var count = 0

    private static let maximumSize = 16 << 20

    init(store: any StorageBackend, isImmediate: Bool, allBytes: Int?) {
        self.store = store
        self.isImmediate = isImmediate
        self.allBytes = allBytes
    }

    mutating func add(_ entry: EntryLine, _ bytes: Int) throws {
        changes.append(.put(StorageKey(rawValue: entry.key), entry.value))
        count += 1
        size += bytes
        readBytes += bytes
        guard isImmediate || size > Self.maximumSize || ContinuousClock.now - began > .seconds(1) else { return }
        try flush()
        guard !isImmediate else { return }
        if let allBytes, readBytes < allBytes {
            let share = Double(readBytes) / Double(allBytes)
            progress.show("\(entries), \(Int(bounded: share * 100)) %", share)
        } else {
            progress.show(entries, nil)
        }
    }

    /// Stores the entries that are not stored yet.
    mutating func flush() throws {
        if !changes.isEmpty { try store.apply(changes) }
        changes = []
        size = 0
        began = .now
    }

    func finish() { if !isImmediate, count >= 100 { progress.show(entries, 1) } }

    private var entries: String { Printer.count(count, "entry", plural: "entries") }
}
