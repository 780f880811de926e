import Foundation
import Harness
import TVEStorage
import TVETokenCodec

// Repeats one kind of work, for tools that count instructions and allocations (`.ci/package/instructions`): `Counted
// decode|bare|configuration|bare-configuration|put|durable-put|get|sealed-get|check|start TIMES`.
let arguments = CommandLine.arguments
guard arguments.count == 3, let times = Int(arguments[2]) else {
    fatalError(
        "usage: Counted decode|bare|configuration|bare-configuration|put|durable-put|get|sealed-get|check|start TIMES")
}

switch arguments[1] {
case "decode":
    let decoder = TokenDecoder()
    let tokens = TokenPopulation.authentication
    for number in 0..<times {
        guard (try? decoder.authenticationToken(tokens[number % tokens.count])) != nil else { fatalError("refused") }
    }
case "configuration":
    let reader = ConfigurationReader()
    let body = Data(ConfigurationPopulation.text(providers: 1_000).utf8)
    for _ in 0..<times {
        guard (try? reader.configuration(body)) != nil else { fatalError("refused") }
    }
case "bare-configuration":
    BareLibXML2.parse([Array(ConfigurationPopulation.text(providers: 1_000).utf8CString)])(times)
case "put", "durable-put", "get", "sealed-get", "check":
    let folder = StorePopulation.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let entries = StorePopulation.entries(1_000)
    let file = FileStorage(directory: folder, flushes: arguments[1] == "durable-put")
    let store = SealedStorage(file, key: .random())
    let isSealed = ["check", "sealed-get"].contains(arguments[1])
    try (isSealed ? store as any StorageBackend : file).apply(entries.map { .put($0.key, $0.value) })
    for number in 0..<times {
        let entry = entries[number * 7 % entries.count]
        switch arguments[1] {
        case "put", "durable-put": try file.apply([.put(entry.key, entry.value)])
        case "sealed-get":
            guard try store.value(for: entries[number % 10].key) != nil else { fatalError("lost") }
        case "get": guard try file.value(for: entry.key) != nil else { fatalError("lost") }
        default:
            let entitlements = EntitlementStore(
                backend: store, reader: StorePopulation.reader, fingerprint: StorePopulation.fingerprint)
            guard entitlements.check(.all).problems.isEmpty else { fatalError("damaged") }
        }
    }
case "start":
    let folder = StorePopulation.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let key = SealingKey.random()
    let entries = StorePopulation.entries(10)
    try SealedStorage(FileStorage(directory: folder), key: key).apply(entries.map { .put($0.key, $0.value) })
    for _ in 0..<times {
        let store = EntitlementStore(
            backend: SealedStorage(FileStorage(directory: folder), key: key), reader: StorePopulation.reader,
            fingerprint: StorePopulation.fingerprint)
        guard store.check(.all).problems.isEmpty else { fatalError("damaged") }
    }
case "bare":
    BareLibXML2.parse(TokenPopulation.documents)(times)
default:
    fatalError("unknown work")
}
