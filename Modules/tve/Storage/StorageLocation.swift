import ArgumentParser
import Foundation
import TVEStorage

/// Which store a command is about.
struct StorageLocation: ParsableArguments {
    @Option(name: .shortAndLong, help: "The store's directory; by default that of the app in --app.")
    var directory: String?

    @Option(help: ArgumentHelp("The app whose store it is.", valueName: "bundle-id"))
    var app = "tve"

    @Option(
        help: ArgumentHelp("The file with the sealing key; by default sealing.key in the directory.", valueName: "file")
    )
    var keyFile: String?

    @Flag(help: "The store is not sealed.")
    var unsealed = false

    /// Where the store is.
    var url: URL {
        directory.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? FileStorage.defaultDirectory(name: app)
    }

    /// Where its key is, nil for a store without.
    var keyURL: URL? {
        unsealed ? nil : keyFile.map { URL(fileURLWithPath: $0) } ?? FileStorage.sealingKey(in: url)
    }

    /// Opens the store.
    func open() throws -> any StorageBackend {
        let file = FileStorage(directory: url)
        guard let keyURL else { return file }
        return SealedStorage(file, key: try SealingKey.file(keyURL))
    }

    /// The key of an entry as it was typed.
    static func key(_ text: String) throws -> StorageKey {
        guard !text.isEmpty else { throw ValidationError("A key must not be empty.") }
        return StorageKey(rawValue: text)
    }
}
