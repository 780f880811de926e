import ArgumentParser
import Foundation
import TVEStorage

struct StorageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storage",
        abstract: "Inspect a store, check it, or move it.",
        discussion: "Values are tokens and other secrets, so they are shown only with --show-secrets.",
        subcommands: [
            StoragePathCommand.self, StorageListCommand.self, StorageGetCommand.self, StoragePutCommand.self,
            StorageRemoveCommand.self, StorageCheckCommand.self, StorageImportCommand.self, StorageExportCommand.self,
            StorageResealCommand.self,
        ])
}

/// The options that select the store of a command.
struct StorageLocation: ParsableArguments {
    @Option(name: .shortAndLong, help: "The store's directory; by default that of the app that --app names.")
    var directory: String?

    @Option(help: ArgumentHelp("The bundle id of the app that owns the store.", valueName: "bundle-id"))
    var app = "tve"

    @Option(
        help: ArgumentHelp("The file with the sealing key; by default sealing.key in the directory.", valueName: "file")
    )
    var keyFile: String?

    @Flag(help: "Open a store that is not sealed, that is, not encrypted.")
    var unsealed = false

    var url: URL {
        directory.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? FileStorage.defaultDirectory(name: app)
    }

    var places: StorePlaces { StorePlaces(directory: url, key: keyURL) }

    /// The location of the sealing key, or `nil` for a store without one.
    var keyURL: URL? {
        unsealed ? nil : keyFile.map { URL(fileURLWithPath: $0) } ?? FileStorage.sealingKey(in: url)
    }

    func validate() throws { try StorePlace.refuseEmpty(directory) }

    /// Opens an existing store.
    ///
    /// A mistyped path or key must not create a new store.
    ///
    /// - Throws: `ToolFailure` if the directory or the key does not exist, or any error of reading.
    func open() throws -> any StorageBackend {
        guard keyFile?.isEmpty != true else { throw ToolFailure(FileFault.emptyName) }
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw ToolFailure(FileFault.noStore(url.path))
        }
        if let keyURL, !FileManager.default.fileExists(atPath: keyURL.path), try FileStorage(directory: url).needsKey {
            throw ToolFailure(FileFault.noSealingKey(keyURL.path))
        }
        return openOrMake()
    }

    /// Opens the store for a command that reads or writes values.
    ///
    /// - Parameter mayBeNew: a Boolean value that indicates whether the command creates a store that does not exist.
    /// - Throws: `ToolFailure` as ``open()`` does, or `StorageError.keyMissing` for the key of another store.
    func openWithKey(mayBeNew: Bool) throws -> any StorageBackend {
        let store = try mayBeNew ? openOrMake() : open()
        try (store as? SealedStorage)?.checkKey()
        return store
    }

    /// Opens the store, which is created when its first value is stored.
    func openOrMake() -> any StorageBackend {
        keyURL.map { SealedStorage.file(url, key: $0) } ?? FileStorage(directory: url)
    }
}

extension SealedStorage {
    /// Checks that the key opens one of the values, if there are any.
    ///
    /// With a wrong key, nobody seems to be logged in. A value that is written with it cannot be read with the right
    /// key, and makes a check of the store take the other values for damaged ones.
    ///
    /// - Throws: `StorageError.keyMissing` if another key sealed every value, or any error of reading.
    func checkKey() throws(StorageError) {
        let names = try keys(under: .everything)
        for start in stride(from: 0, to: names.count, by: 256) {
            let values = try values(for: Array(names[start..<min(start + 256, names.count)]))
            guard values.allSatisfy({ $0 == .failure(.keyMissing) }) else { return }
        }
        guard names.isEmpty else { throw .keyMissing }
    }
}

extension FileStorage {
    /// A Boolean value that indicates whether the sealing key of the store must exist already.
    ///
    /// The key is made with the first value, so a store without values needs none.
    ///
    /// - Throws: any error of reading.
    var needsKey: Bool { get throws(StorageError) { try !keys(under: .everything).isEmpty } }
}

struct StoragePathCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "path", abstract: "Print the path of the store.")

    @OptionGroup var location: StorageLocation
    @OptionGroup var json: JSONOption

    func run() async throws {
        if json.isOn { return try Printer.json(["path": location.url.path, "key": location.keyURL?.path]) }
        try Printer.line(location.url.path)
        if let key = location.keyURL { try Printer.line("sealed with \(key.path)") }
    }
}

struct StorageResealCommand: AsyncParsableCommand, UsesStore {
    static let configuration = CommandConfiguration(
        commandName: "reseal", abstract: "Seal every value with another key.",
        discussion: """
            Stop every program that uses the store first, and give them the new key afterwards: with --key-file, or by \
            replacing the old file with the new one. All values are resealed in one step, or none is. The command can be \
            repeated.
            """)

    @OptionGroup var location: StorageLocation
    var places: StorePlaces { location.places }

    @Argument(help: ArgumentHelp("The file with the new key; created if it does not exist.", valueName: "file"))
    var newKeyFile: String

    func run() async throws {
        guard let oldKeyURL = location.keyURL else { throw ValidationError(ArgumentFault.unsealedHasNoKey) }
        _ = try location.open()
        guard let old = try SealingKey.existing(oldKeyURL) else { throw StorageError.keyMissing }
        guard !newKeyFile.isEmpty else { throw ToolFailure(FileFault.emptyName) }
        let newKeyURL = URL(fileURLWithPath: newKeyFile)
        if !FileManager.default.fileExists(atPath: newKeyURL.path) {
            // The folder may be open to others, because only its owner can read the file itself. The system's random
            // numbers are suitable for keys.
            try PrivateFile.create(newKeyFile, Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }))
        }
        let new: SealingKey
        do throws(StorageError) {
            guard let found = try SealingKey.existing(newKeyURL) else { throw .keyMissing }
            new = found
        } catch {
            throw StoreProblem(error, at: StorePlaces(directory: location.url, key: newKeyURL)).failure
        }
        let store = SealedStorage(FileStorage(directory: location.url), key: new, olderKeys: [old])
        let progress = Terminal.Progress("resealed")
        let count = try store.reseal { done, all in progress.show(done, of: all) }
        try Printer.line("\(Printer.count(count, "value")) resealed with \(newKeyFile).")
    }
}
