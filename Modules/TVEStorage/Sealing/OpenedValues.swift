import Foundation
import TVEModels

/// A cache of values that were read and opened, valid until the store changes.
final class OpenedValues: Sendable {
    private struct Kept {
        var revision: UInt64 = 0
        var values: [StorageKey: Data?] = [:]
        var bytes = 0
    }

    private let kept = Guarded(Kept())

    /// Most bytes in the cache: more than a device's entitlements need.
    private static let most = 1 << 20
    /// Values longer than this are not cached.
    private static let mostOfOne = 64 << 10

    /// The cached value of a key at a revision: nil when none is cached, nil inside when the key has no value.
    func value(for key: StorageKey, as revision: UInt64) -> Data?? {
        kept.withLock { kept in
            kept.revision == revision ? kept.values[key] : nil
        }
    }

    /// Caches a value that was read at this revision of the store, or a later one.
    func keep(_ value: Data?, for key: StorageKey, as revision: UInt64) {
        let size = 64 + key.rawValue.utf8.count + (value?.count ?? 0)
        guard size <= Self.mostOfOne else { return }
        kept.withLock { kept in
            if kept.revision != revision || kept.bytes + size > Self.most { kept = Kept(revision: revision) }
            kept.values[key] = .some(value)
            kept.bytes += size
        }
    }
}
