import Foundation

/// A wait for a lock that another process or handle holds.
enum StorageWait {
    /// Runs an attempt about every millisecond until it returns a value.
    ///
    /// - Parameters:
    ///   - patience: the longest time to wait. With zero, there is one attempt.
    ///   - attempt: returns nil if the lock is held.
    /// - Throws: `StorageError.locked` when the time is over, or any error of the attempt.
    static func retry<Value>(
        for patience: Duration, _ attempt: () throws(StorageError) -> Value?
    ) throws(StorageError) -> Value {
        // A pause takes longer than it should where the system saves energy, so the time is measured.
        let end = ContinuousClock.now + patience
        while true {
            if let value = try attempt() { return value }
            guard ContinuousClock.now < end else { throw .locked }
            usleep(1_000)
        }
    }
}
