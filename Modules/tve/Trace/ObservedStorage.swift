import Foundation
import TVEStorage

/// A storage that reports each batch: keys and sizes, never a value.
struct ObservedStorage: StorageBackend {
    let next: any StorageBackend
    let words: TraceWords
    let see: @Sendable (_ batch: [String], _ milliseconds: Double) -> Void

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        let began = ContinuousClock.now
        let batch = try next.updating { present throws(StorageError) in
            let changes = try body(present)
            return (changes, changes.map(text))
        }
        if !batch.isEmpty { see(batch, Timeline.milliseconds(since: began)) }
    }

    private func text(_ change: StorageChange) -> String {
        let key = { (key: StorageKey) in words.key(key.rawValue) }
        return switch change {
        case .put(let place, let value): "put \(key(place)), \(value.count) bytes"
        case .putIfAbsent(let place, let value): "put \(key(place)) if absent, \(value.count) bytes"
        case .remove(let place): "remove \(key(place))"
        case .removeAll(let place): "remove all under \(key(place))"
        }
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? { try next.value(for: key) }
    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { try next.keys(under: ancestor) }

    func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
        try next.values(for: keys)
    }

    func rawValue(for key: StorageKey) throws(StorageError) -> Data? { try next.rawValue(for: key) }
    func damage() throws(StorageError) -> StorageError.Damage? { try next.damage() }
    func probe() throws(StorageError) -> Bool { try next.probe() }
    func removeEverything() throws(StorageError) { try next.removeEverything() }
    func setAside() throws(StorageError) { try next.setAside() }
    func revision() throws(StorageError) -> UInt64? { try next.revision() }
}

extension Trace {
    /// A storage that this trace records.
    func observed(_ storage: any StorageBackend) -> any StorageBackend {
        ObservedStorage(next: storage, words: words) { [self] batch, milliseconds in
            let more = batch.count > 1 ? " and \(batch.count - 1) more" : ""
            // The key contains requestor, device and provider; its last part is the kind of entry.
            let first = batch.first.map { $0.replacing(/[0-9a-f]{40}/, with: "…") } ?? ""
            note(
                .library, .storage, Self.short(first) + more, details: batch.joined(separator: "\n"),
                milliseconds: milliseconds)
        }
    }

    private static func short(_ text: String) -> String {
        guard let space = text.lastIndex(of: " ", before: "/"), let slash = text.lastIndex(of: "/") else { return text }
        return "\(text[..<space]) …\(text[slash...])"
    }
}

extension String {
    /// The last occurrence of a character before the first occurrence of another.
    fileprivate func lastIndex(of character: Character, before other: Character) -> Index? {
        firstIndex(of: other).flatMap { self[..<$0].lastIndex(of: character) }
    }
}
