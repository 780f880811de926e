public import Foundation
import TVEModels

/// The last exchanges of a run, without secrets, as a file for a support request.
///
/// Secrets are removed when an exchange is recorded, so that the memory of the app holds no second copy of them. What is
/// kept: hosts, the words of the documented paths, requestors and TV providers, statuses, times, codes of errors, and the
/// headers that describe a body. Everything else is replaced by `(hidden)`.
public final class ExchangeRecording: Sendable {
    private let entries = Guarded<[MetadataValue]>([])
    private let maximumCount: Int
    let now: @Sendable () -> Date

    /// Makes an empty recording.
    ///
    /// - Parameters:
    ///   - maximumCount: the number of exchanges that are kept; the oldest make room for new ones.
    ///   - now: the clock.
    public init(maximumCount: Int = 200, now: @escaping @Sendable () -> Date = { Date() }) {
        self.maximumCount = max(1, maximumCount)
        self.now = now
    }

    /// The number of exchanges that are kept.
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
    /// - Parameter facts: what else the support needs to know, for example versions and the model of the device. It is
    ///   written as it is: pass no secrets.
    /// - Returns: the file in UTF-8.
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
