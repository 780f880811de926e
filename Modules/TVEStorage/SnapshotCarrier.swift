import Foundation

/// A place that holds one piece of bytes and replaces it as a whole: a preference, a pasteboard item, a keychain item.
protocol SnapshotCarrier: Sendable {
    /// The bytes, nil when there are none.
    func load() throws(StorageError) -> Data?

    /// Puts bytes in the place of those that were there.
    func save(_ bytes: Data) throws(StorageError)
}
