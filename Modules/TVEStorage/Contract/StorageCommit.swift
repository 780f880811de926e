import Foundation
import TVEModels

/// An update that waits to be written, alone or together with others.
final class StorageCommit: Sendable {
    let body: @Sendable (any StorageReading) throws(StorageError) -> [StorageChange]
    private let outcome = Guarded<Result<Void, StorageError>?>(nil)

    init(_ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> [StorageChange]) {
        self.body = body
    }

    /// Its outcome, nil while it waits.
    var result: Result<Void, StorageError>? { outcome.withLock { $0 } }

    /// Sets its outcome, once.
    func finish(_ result: Result<Void, StorageError>) { outcome.withLock { $0 = $0 ?? result } }
}
