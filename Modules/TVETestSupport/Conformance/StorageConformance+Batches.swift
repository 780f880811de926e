import Dispatch
import Foundation
import TVEModels
public import TVEStorage

/// The tests of the promise of a batch, whose intermediate states can never be read.
extension StorageConformance {
    /// Tests whether another thread ever reads only one value of a pair that is written and removed in batches.
    ///
    /// A store that passes is tested again with batches in `update(patience:_:)`, through which a session writes.
    ///
    /// - Parameters:
    ///   - writer: a handle of the store, which is emptied.
    ///   - reader: another handle of the same store, or the same handle.
    /// - Returns: one sentence for each way of reading that returned half of a batch.
    /// - Throws: the `StorageError` of a call that should have succeeded, or `locked` if one hangs for a minute.
    public static func batchViolations(
        writer: any StorageBackend, reader: any StorageBackend
    ) throws(StorageError) -> [String] {
        let violations = try halfBatches(writer: writer, reader: reader)
        guard violations.isEmpty else { return violations }
        return try halfBatches(writer: limited(writer), reader: reader).map { sentenceOfALimit($0) }
    }

    /// Returns one sentence for each way of reading that returned half of a batch.
    private static func halfBatches(
        writer: any StorageBackend, reader: any StorageBackend
    ) throws(StorageError) -> [String] {
        let pair = StorageKey("pair")
        let keys = [pair.appending("a"), pair.appending("b")]
        try writer.apply([.removeAll(under: .everything)])
        let outcome = Guarded(Outcome())
        let hasBegun = DispatchSemaphore(value: 0)
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            hasBegun.signal()
            do throws(StorageError) {
                while !outcome.withLock(\.isWritten) {
                    let began = ContinuousClock.now
                    try read(reader, pair: pair, keys: keys, outcome: outcome)
                    // Many stores try their lock about every millisecond. A slow reader that held it nearly always
                    // could keep the writer out for longer than it waits.
                    if ContinuousClock.now - began > .milliseconds(1) { usleep(2_000) }
                }
            } catch {
                outcome.withLock { $0.failure = error }
            }
            isDone.signal()
        }
        hasBegun.wait()
        defer {
            outcome.withLock { $0.isWritten = true }
            _ = isDone.wait(timeout: .now() + 60)
        }
        for round in 0..<100 {
            let value = Data([UInt8(round)])
            try writer.apply(keys.map { .put($0, value) })
            try writer.apply(round.isMultiple(of: 2) ? [.removeAll(under: pair)] : keys.map { .remove($0) })
        }
        outcome.withLock { $0.isWritten = true }
        guard isDone.wait(timeout: .now() + 60) == .success else { throw StorageError.locked }
        isDone.signal()
        let (failure, violations) = outcome.withLock { ($0.failure, $0.violations) }
        if let failure { throw failure }
        return violations.sorted()
    }

    private struct Outcome {
        var isWritten = false
        var failure: StorageError?
        var violations: Set<String> = []
    }

    private static func report(_ promise: String, _ outcome: Guarded<Outcome>) {
        let sentence = violation(
            promise, usually: "changes are written one by one, and readers do not wait for the last of them")
        outcome.withLock { _ = $0.violations.insert(sentence) }
    }

    private static func read(
        _ reader: any StorageBackend, pair: StorageKey, keys: [StorageKey], outcome: Guarded<Outcome>
    ) throws(StorageError) {
        if try reader.keys(under: pair).count == 1 {
            report("A list of keys never contains half of a batch.", outcome)
        }
        try reader.update { present throws(StorageError) in
            let values = [try present.value(for: keys[0]), try present.value(for: keys[1])]
            if values[0] != values[1] {
                report("An update never reads half of a batch.", outcome)
            }
            return []
        }
    }
}
