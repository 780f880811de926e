import ArgumentParser
import TVEStorage

/// Lists entries.
struct StorageListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "List entries with the size of their values as they are kept.")

    @OptionGroup var location: StorageLocation

    @Argument(help: "Only this key and those below it.")
    var key: String?

    @OptionGroup var json: JSONOption

    func run() async throws {
        let store = try location.open()
        let ancestor = try key.map(StorageLocation.key) ?? .everything
        for key in try store.keys(under: ancestor).sorted() {
            let size = try store.rawValue(for: key)?.count ?? 0
            if json.isOn {
                try Printer.json(Entry(key: key.rawValue, bytes: size))
            } else {
                Printer.line("\(String(size).leftPadded(to: 8))  \(key.rawValue)")
            }
        }
    }
}

private struct Entry: Encodable {
    let key: String
    let bytes: Int
}

extension String {
    fileprivate func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
