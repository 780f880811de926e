import Foundation

/// A place that holds one block of bytes and replaces it as a whole: a preference, a pasteboard item, a keychain item.
protocol SnapshotCarrier: Sendable {
    /// The bytes, nil when there are none.
    func load() throws(StorageError) -> Data?

    /// Replaces the bytes.
    ///
    /// - Parameters:
    ///   - bytes: the new bytes.
    ///   - old: the bytes that the change was decided on.
    /// - Returns: false when the place holds other bytes now, as far as it can tell; nothing has changed then.
    func save(_ bytes: Data, insteadOf old: Data?) throws(StorageError) -> Bool
}
