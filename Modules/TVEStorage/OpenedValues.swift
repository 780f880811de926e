import Foundation
import TVEModels

/// Values that were read and opened, kept as long as nobody has changed the store.
final class OpenedValues: Sendable {
    private struct Kept {
        var revision: UInt64 = 0
        var values: [StorageKey: Data?] = [:]
        var bytes = 0
    }

    private let kept = Guarded(Kept())

    /// More than a device's entitlements take, in bytes.
    private static let most = 1 << 20
    /// Values longer than this are not kept.
    private static let mostOfOne = 64 << 10

    /// What is kept of a key as of a revision: nil when nothing is, nil inside when the key has no value.
    func value(for key: StorageKey, as revision: UInt64) -> Data?? {
        kept.withLock { kept in
            kept.revision == revision ? kept.values[key] : nil
        }
    }

    /// Keeps a value that was read when the store had this revision, or a later one.
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
