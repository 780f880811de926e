import Foundation
import TVEModels

extension EntitlementChanges {
    /// Removes permissions until the store is smaller than its backend's capacity.
    ///
    /// Values that a repair has set aside and unreadable permissions are removed first. Then permissions are removed in
    /// the order of their expiry: the expired ones, and of permissions with equal lifetimes the oldest. This order
    /// needs no clock, which may be wrong. Permissions of this change are removed last. A quarter of the capacity stays
    /// free, so that not every later change has to make room.
    ///
    /// - Parameter capacity: the number of bytes that keys and values may take at most.
    /// - Throws: `StorageError.tooLarge` for a change that enlarges a store which is too large even without
    ///   permissions, or any error about reading.
    mutating func makeRoom(within capacity: Int, before present: any StorageReading) throws(StorageError) {
        guard !draft.changes.isEmpty else { return }
        var size = try Self.size(of: draft)
        guard size > capacity else { return }
        for candidate in try removable() where size > capacity / 4 * 3 {
            size -= candidate.size
            try draft.add([.remove(candidate.key)])
        }
        if size > capacity, try size > Self.size(of: present) { throw .tooLarge(limit: capacity) }
    }

    /// A value that may be removed to make room.
    ///
    /// Smaller candidates are removed first.
    private struct Candidate: Comparable {
        let key: StorageKey
        let size: Int
        let isNew: Bool
        /// The time at which a permission ends, or nil for a value without use.
        let end: TokenDate?

        static func < (left: Candidate, right: Candidate) -> Bool {
            if left.isNew != right.isNew { return right.isNew }
            guard let leftEnd = left.end, let rightEnd = right.end else { return left.end == nil && right.end != nil }
            return leftEnd < rightEnd
        }
    }

    private func removable() throws(StorageError) -> [Candidate] {
        var found: [Candidate] = []
        for key in try draft.keys(under: .everything) {
            let isAside = key.isInside(StoredEntry.quarantine)
            guard isAside || StoredEntry(key)?.isPermission == true, let size = try Self.size(of: key, in: draft)
            else { continue }
            let text = isAside ? nil : try values.readableValue(for: key).map { String(decoding: $0, as: UTF8.self) }
            let token = text.flatMap { try? reader.authorization($0) }
            found.append(
                Candidate(key: key, size: size, isNew: draft.decision(about: key) != nil, end: token?.claims.expires))
        }
        return found.sorted()
    }

    private static func size(of values: any StorageReading) throws(StorageError) -> Int {
        var size = 0
        for key in try values.keys(under: .everything) { size += try self.size(of: key, in: values) ?? 0 }
        return size
    }

    private static func size(of key: StorageKey, in values: any StorageReading) throws(StorageError) -> Int? {
        try values.rawValue(for: key).map { key.rawValue.utf8.count + $0.count }
    }
}

extension StoredEntry {
    fileprivate var isPermission: Bool { if case .authorization = self { true } else { false } }
}
