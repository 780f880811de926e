import ArgumentParser
import Foundation
import TVEStorage

/// The store of a command.
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

    /// The path of its key, nil for a store without one.
    var keyURL: URL? {
        unsealed ? nil : keyFile.map { URL(fileURLWithPath: $0) } ?? FileStorage.sealingKey(in: url)
    }

    /// Opens an existing store; a mistyped path or key must not create a new one.
    func open() throws -> any StorageBackend {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw ValidationError("There is no store at \(url.path).")
        }
        if let keyURL, !FileManager.default.fileExists(atPath: keyURL.path) {
            throw ValidationError("There is no sealing key at \(keyURL.path); --unsealed if the store is not sealed.")
        }
        return openOrMake()
    }

    /// Opens the store, which is created with its first value.
    func openOrMake() -> any StorageBackend {
        keyURL.map { SealedStorage.file(url, key: $0) } ?? FileStorage(directory: url)
    }

    /// Parses the key of an entry as it was typed.
    static func key(_ text: String) throws -> StorageKey {
        guard !text.isEmpty else { throw ValidationError("A key must not be empty.") }
        return StorageKey(rawValue: text)
    }
}
