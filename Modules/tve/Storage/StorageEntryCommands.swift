import ArgumentParser
import Foundation
import TVEStorage

struct StorageListCommand: AsyncParsableCommand, UsesStore {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "List entries with the sizes of their stored values.")

    @OptionGroup var location: StorageLocation
    var places: StorePlaces { location.places }

    @Argument(help: "The key to list with all keys below it; by default, all keys are listed.")
    var key: StorageKey?

    @OptionGroup var json: JSONOption

    func run() async throws {
        let store = try location.open()
        for key in try store.keys(under: key ?? .everything).sorted() {
            let size = try store.rawValue(for: key)?.count ?? 0
            if json.isOn {
                try Printer.json(Entry(key: key.rawValue, bytes: size))
            } else {
                try Printer.line("\(String(size).leftPadded(to: 8))  \(key.rawValue)")
            }
        }
    }

    private struct Entry: Encodable {
        let key: String
        let bytes: Int
    }
}

struct StorageGetCommand: AsyncParsableCommand, UsesStore {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print a value.",
        discussion: "Prints only its size unless --show-secrets is given. Exits with 1 when there is no such entry.")

    @OptionGroup var location: StorageLocation
    var places: StorePlaces { location.places }

    @Flag(help: "Print the value itself, byte for byte.")
    var showSecrets = false

    @Argument(help: "The key, as ls shows it.")
    var key: StorageKey

    func run() async throws {
        guard let value = try location.openWithKey(mayBeNew: false).value(for: key) else {
            // The store could be read, so this is an answer.
            throw ToolFailure(FileFault.noEntry(key.rawValue), code: .failure)
        }
        if showSecrets {
            try Printer.exact(value)
        } else {
            try Printer.line("\(Printer.count(value.count, "byte")) (hidden; --show-secrets shows them)")
        }
    }
}

struct StoragePutCommand: AsyncParsableCommand, UsesStore {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Store the bytes of standard input.",
        discussion: "The value does not come from the command line, because every user of the machine can see that.")

    @OptionGroup var location: StorageLocation
    var places: StorePlaces { location.places }

    @Argument(help: "The key.")
    var key: StorageKey

    func run() async throws {
        let value: Data
        do {
            value = try FileHandle.standardInput.readToEnd() ?? Data()
        } catch {
            throw ToolFailure(FileFault.cannotReadInput(reason: error.reasonForPeople))
        }
        try location.openWithKey(mayBeNew: true).apply([.put(key, value)])
    }
}

struct StorageRemoveCommand: AsyncParsableCommand, UsesStore {
    static let configuration = CommandConfiguration(commandName: "rm", abstract: "Remove an entry.")

    @OptionGroup var location: StorageLocation
    var places: StorePlaces { location.places }

    @Flag(name: .shortAndLong, help: "Remove everything below the key as well.")
    var recursive = false

    @Argument(help: "The key, as ls shows it.")
    var key: StorageKey

    func run() async throws {
        try location.open().update { [key, recursive] present throws(StorageError) in
            // Only the removal of everything below a key erases the bytes from the medium.
            let keys = try present.keys(under: key)
            return [recursive || keys.allSatisfy { $0 == key } ? .removeAll(under: key) : .remove(key)]
        }
    }
}
