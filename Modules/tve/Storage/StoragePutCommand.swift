import ArgumentParser
import Foundation
import TVEStorage

/// Stores a value.
struct StoragePutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Store what comes on standard input.",
        discussion: "Values are read from standard input, since what stands on a command line is seen by all.")

    @OptionGroup var location: StorageLocation

    @Argument(help: "The key.")
    var key: String

    func run() async throws {
        let value = try FileHandle.standardInput.readToEnd() ?? Data()
        try location.openOrMake().apply([.put(try StorageLocation.key(key), value)])
    }
}
