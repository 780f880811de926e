import Foundation
import TVEModels

/// A batch that waits to be written, alone or together with others.
final class StorageCommit: Sendable {
    let batch: [StorageChange]
    private let outcome = Guarded<Result<Void, StorageError>?>(nil)

    init(_ batch: [StorageChange]) {
        self.batch = batch
    }

    /// What became of it, nil while it waits.
    var result: Result<Void, StorageError>? { outcome.withLock { $0 } }

    func finish(_ result: Result<Void, StorageError>) { outcome.withLock { $0 = result } }
}
