public import Foundation
import TVEModels

/// The last exchanges of a run, without secrets, as a file for a support request.
///
/// Secrets are removed when an exchange is recorded, so that the memory of the app holds no second copy of them. The
/// recording contains hosts, the words of the documented paths, requestors and TV providers, statuses, times, codes of
/// errors, the headers that describe a body, the names of JSON members and form fields, and Boolean values that are
/// not facts about the viewer. Everything else is replaced by `(hidden)`.
///
/// The recording holds about 4 MB at most. If a body is longer than 64 KB, with its secrets or without them, only its
/// length is recorded.
public final class ExchangeRecording: Sendable {
    private struct State {
        var entries: [(value: MetadataValue, bytes: Int)] = []
        var bytes = 0
    }

    private let state = Guarded(State())
    private let maximumCount: Int
    /// The maximum size of all exchanges, in bytes.
    private static let maximumBytes = 4 << 20
    let now: @Sendable () -> Date

    /// Creates an empty recording.
    ///
    /// - Parameters:
    ///   - maximumCount: the number of exchanges that the recording holds at most. New exchanges replace the oldest
    ///     ones, also if the exchanges become larger than 4 MB together.
    ///   - now: returns the current time.
    public init(maximumCount: Int = 200, now: @escaping @Sendable () -> Date = { Date() }) {
        self.maximumCount = max(1, maximumCount)
        self.now = now
    }

    /// The number of exchanges in the recording.
    public var count: Int { state.withLock(\.entries.count) }

    /// Removes all exchanges.
    public func removeAll() { state.withLock { $0 = State() } }

    func add(_ exchange: RecordedExchange) {
        let entry = exchange.entry
        let bytes = entry.bytes
        state.withLock { state in
            state.entries.append((value: entry, bytes: bytes))
            state.bytes += bytes
            // The newest exchange stays, however large it is.
            while state.entries.count > 1, state.entries.count > maximumCount || state.bytes > Self.maximumBytes {
                let oldest = state.entries.removeFirst()
                state.bytes -= oldest.bytes
            }
        }
    }

    /// Returns the recording as an HTTP Archive (HAR 1.2), which browsers and proxies show.
    ///
    /// - Parameter facts: other facts that the support needs, for example versions and the model of the device. They
    ///   are written unchanged, so they must not contain secrets.
    /// - Returns: the file, encoded in UTF-8.
    public func archive(facts: [String: String] = [:]) -> Data {
        let archive: MetadataValue = [
            "log": [
                "version": "1.2", "creator": ["name": "swift-access-enabler", "version": "1"],
                "entries": .array(state.withLock { $0.entries.map(\.value) }),
                "_facts": .object(facts.mapValues { .string($0) }),
            ]
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        // Texts and finite numbers can always be encoded.
        return (try? encoder.encode(archive)) ?? Data()
    }
}

extension MetadataValue {
    /// The approximate size of the value in memory, in bytes.
    fileprivate var bytes: Int {
        let own = 32
        return switch self {
        case .null, .bool, .number: own
        case .string(let text): own + text.utf8.count
        case .array(let list): list.reduce(own) { $0 + $1.bytes }
        case .object(let members): members.reduce(own) { $0 + $1.key.utf8.count + $1.value.bytes }
        }
    }
}
