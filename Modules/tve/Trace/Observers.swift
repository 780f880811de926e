import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVEStorage

/// A transport that reports each exchange to a closure.
///
/// The report contains the method, the path, the names of fields and the status, but never a value, a header or a body.
struct ObservedTransport: HTTPTransport {
    let next: any HTTPTransport
    let see: @Sendable (Exchange) -> Void

    struct Exchange: Sendable {
        let method: String
        let path: String
        let fields: [String]
        /// The status, or the error if there was no answer.
        let outcome: Result<Int, TransportError>
        let milliseconds: Double

        var text: TraceText {
            switch outcome {
            case .success(let status): "\(name: method) \(TraceText(page: path))  \(status)"
            case .failure(let error): "\(name: method) \(TraceText(page: path))  no answer: \(name: error.reason)"
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
        let (path, query) = (request.path ?? "/").divided(at: "?")
        see(
            Exchange(
                method: request.method.rawValue, path: String(path),
                fields: Self.names(query.map { String($0) } ?? "") + Self.names(Self.form(request, body)),
                outcome: result.map { $0.0.status.code }, milliseconds: Timeline.milliseconds(since: began)))
        return try result.get()
    }

    private static func form(_ request: HTTPRequest, _ body: Data?) -> String {
        guard request.headerFields[.contentType]?.hasBytePrefix("application/x-www-form-urlencoded") == true else {
            return ""
        }
        return String(decoding: body ?? Data(), as: UTF8.self)
    }

    private static func names(_ form: String) -> [String] {
        form.parts(separatedBy: "&", keepsEmpty: false).map { String($0.divided(at: "=").before) }
    }
}

/// A storage that reports the keys and sizes of each batch to a closure, but never a value.
struct ObservedStorage: StorageBackend {
    let next: any StorageBackend
    let see: @Sendable (_ batch: [TracedWrite], _ milliseconds: Double) -> Void

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try observe(waiting: nil, body)
    }

    func update(
        patience: Duration,
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try observe(waiting: patience, body)
    }

    private func observe(
        waiting patience: Duration?,
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        let began = ContinuousClock.now
        let batch = try next.updating(patience: patience) { present throws(StorageError) in
            let changes = try body(present)
            return (changes, changes.map { TracedWrite($0) })
        }
        if !batch.isEmpty { see(batch, Timeline.milliseconds(since: began)) }
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
    var capacity: Int? { next.capacity }
    func revision() throws(StorageError) -> UInt64? { try next.revision() }
}

/// A change of a batch, without its value.
struct TracedWrite: Sendable {
    private let verb: TraceText
    private let key: StorageKey
    private let rest: TraceText

    init(_ change: StorageChange) {
        (verb, key, rest) =
            switch change {
            case .put(let place, let value): ("put", place, ", \(value.count) bytes")
            case .putIfAbsent(let place, let value): ("put", place, " if absent, \(value.count) bytes")
            case .remove(let place): ("remove", place, "")
            case .removeAll(let place): ("remove all under", place, "")
            }
    }

    /// The change with only the last component of the key, which is the kind of most entries.
    var short: TraceText { "\(verb) \(TraceText(endOf: key))\(rest)" }
    var text: TraceText { "\(verb) \(TraceText(key: key))\(rest)" }
}

extension Trace {
    /// Returns a storage whose writes this trace records.
    func observed(_ storage: any StorageBackend) -> any StorageBackend {
        ObservedStorage(next: storage) { [self] batch, milliseconds in
            let more: TraceText = batch.count > 1 ? " and \(batch.count - 1) more" : ""
            note(
                "\(batch.prefix(1).map(\.short), separator: "")\(more)", from: .library, to: .storage,
                details: "\(batch.map(\.text), separator: "\n")", milliseconds: milliseconds)
        }
    }
}
