public import Foundation
import TVEModels

/// The last exchanges of a run, without secrets, as a file for a support request.
///
/// Secrets are removed when an exchange is recorded, so that the memory of the app holds no second copy of them. The
/// recording contains hosts, the words of the documented paths, requestors and TV providers, statuses, times, codes of
/// errors, and the headers that describe a body. Everything else is replaced by `(hidden)`.
public final class ExchangeRecording: Sendable {
    private let entries = Guarded<[MetadataValue]>([])
    private let maximumCount: Int
    let now: @Sendable () -> Date

    /// Creates an empty recording.
    ///
    /// - Parameters:
    ///   - maximumCount: the number of exchanges that the recording holds at most. New exchanges replace the oldest
    ///     ones.
    ///   - now: returns the current time.
    public init(maximumCount: Int = 200, now: @escaping @Sendable () -> Date = { Date() }) {
        self.maximumCount = max(1, maximumCount)
        self.now = now
    }

    /// The number of exchanges in the recording.
    public var count: Int { entries.withLock(\.count) }

    /// Removes all exchanges.
    public func removeAll() { entries.withLock { $0 = [] } }

    func add(_ exchange: RecordedExchange) {
        entries.withLock { entries in
            entries.append(exchange.entry)
            if entries.count > maximumCount { entries.removeFirst(entries.count - maximumCount) }
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
                "entries": .array(entries.withLock(\.self)),
                "_facts": .object(facts.mapValues { .string($0) }),
            ]
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        // Texts and finite numbers can always be encoded.
        return (try? encoder.encode(archive)) ?? Data()
    }
}
