import Foundation
import HTTPTypes
import TVENetworking
import TVEStorage
import TVETestSupport

/// A transport that reports each exchange: method, path, names of fields and status, never a value, header or body.
struct ObservedTransport: HTTPTransport {
    let next: any HTTPTransport
    let see: @Sendable (Exchange) -> Void

    struct Exchange: Sendable {
        let method: String
        let path: String
        let fields: [String]
        /// The status, or why there was no answer.
        let outcome: Result<Int, TransportError>
        let milliseconds: Double

        var text: String {
            switch outcome {
            case .success(let status): "\(method) \(path)  \(status)"
            case .failure(let error): "\(method) \(path)  no answer: \(error.reason)"
            }
        }

        var isFailure: Bool {
            if case .success(let status) = outcome { status >= 400 } else { true }
        }
    }

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let began = ContinuousClock.now
        let result: Result<(HTTPResponse, Data), TransportError>
        do throws(TransportError) {
            result = .success(try await next.send(request, body: body))
        } catch {
            result = .failure(error)
        }
        let parts = (request.path ?? "/").split(separator: "?", maxSplits: 1).map(String.init)
        let path = parts[0].withoutRegistrationCode
        see(
            Exchange(
                method: request.method.rawValue, path: path,
                fields: Self.names(parts.count > 1 ? parts[1] : "") + Self.names(Self.form(request, body)),
                outcome: result.map { $0.0.status.code }, milliseconds: Timeline.milliseconds(since: began)))
        return try result.get()
    }

    private static func form(_ request: HTTPRequest, _ body: Data?) -> String {
        guard request.headerFields[.contentType]?.hasPrefix("application/x-www-form-urlencoded") == true else {
            return ""
        }
        return String(decoding: body ?? Data(), as: UTF8.self)
    }

    private static func names(_ form: String) -> [String] {
        form.split(separator: "&").map { String($0.prefix { $0 != "=" }) }
    }
}

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
