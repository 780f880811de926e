import Foundation

/// A place that holds one piece of bytes and replaces it as a whole: a preference, a pasteboard item, a keychain item.
protocol SnapshotCarrier: Sendable {
    /// The bytes, nil when there are none.
    func load() throws(StorageError) -> Data?

    /// Puts bytes in the place of those that were there.
    ///
    /// - Parameters:
    ///   - bytes: what to put.
    ///   - old: what was there when it was decided to put them.
    /// - Returns: false when something else is there by now, as far as the place can tell; nothing has changed then.
    func save(_ bytes: Data, insteadOf old: Data?) throws(StorageError) -> Bool
}
