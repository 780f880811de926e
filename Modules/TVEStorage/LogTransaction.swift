import Foundation

/// Makes one record out of batches that are written together, against an index that they have not changed yet.
///
/// One record, so that a write that breaks off leaves nothing that a reader could take for whole.
struct LogTransaction {
    private var payload = Data()
    /// Whether everything below some key was removed, and what was there should not lie in the file for long.
    private(set) var isClearing = false
    /// What they do to the index, with offsets in the file.
    private var steps: [LogOperation.Step] = []
    /// Whether keys have a value after the steps, for keys the steps are about.
    private var present: [StorageKey: Bool] = [:]
    private var cleared: [StorageKey] = []
    private let start: Int

    /// Begins at the end of a log.
    ///
    /// - Parameter start: the offset at which the records will stand.
    init(at start: Int) {
        self.start = start
    }

    /// The record, nil when nothing changes.
    var record: Data? { payload.isEmpty ? nil : LogFormat.record(payload) }

    /// Adds a batch.
    ///
    /// - Parameters:
    ///   - batch: the changes.
    ///   - index: the log's index; not kept, since a second owner would make the log copy it for the next change.
    mutating func add(_ batch: [StorageChange], to index: borrowing LogIndex) throws(StorageError) {
        let payloadStart = start + LogFormat.recordHeaderLength
        for change in batch {
            switch change {
            case .put(let key, let value): put(key, value, payloadStart)
            case .putIfAbsent(let key, let value):
                if !isPresent(key, index) { put(key, value, payloadStart) }
            case .remove(let key):
                guard isPresent(key, index) else { continue }
                LogOperation.remove(key).encode(into: &payload)
                steps.append(.remove(key))
                present[key] = false
            case .removeAll(let ancestor):
                guard hasAnything(under: ancestor, index) else { continue }
                LogOperation.removeAll(ancestor).encode(into: &payload)
                steps.append(.removeAll(ancestor))
                for key in present.keys where key.isInside(ancestor) { present[key] = false }
                cleared.append(ancestor)
                isClearing = true
            }
        }
        guard payload.count <= LogFormat.maximumPayload else { throw .tooLarge(limit: LogFormat.maximumPayload) }
    }

    /// Brings an index up to date once the records are written.
    func apply(to index: inout LogIndex) {
        for step in steps { index.apply(step, payloadAt: 0) }
    }

    private mutating func put(_ key: StorageKey, _ value: Data, _ payloadStart: Int) {
        LogOperation.put(key, value).encode(into: &payload)
        steps.append(.put(key, offset: payloadStart + payload.count - value.count, count: value.count))
        present[key] = true
    }

    private func isPresent(_ key: StorageKey, _ index: borrowing LogIndex) -> Bool {
        if let known = present[key] { return known }
        return index.entries[key] != nil && !cleared.contains { key.isInside($0) }
    }

    private func hasAnything(under ancestor: StorageKey, _ index: borrowing LogIndex) -> Bool {
        if present.contains(where: { $0.value && $0.key.isInside(ancestor) }) { return true }
        for key in index.entries.keys where key.isInside(ancestor) && present[key] == nil {
            if !cleared.contains(where: { key.isInside($0) }) { return true }
        }
        return false
    }
}
