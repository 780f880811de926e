public import Foundation

/// A backend that apps of one team share, as named pasteboards of iOS are shared.
///
/// On iOS it is a `UIPasteboard`. On other systems it is a board on disk, for tests of the documented sharing: a log in
/// a folder that only apps of the same generation and team open. The system wipes boards when it is upgraded to iOS 10.
public final class PasteboardStorage: StorageBackend {
    private let storage: any StorageBackend

    /// Opens a board; nothing is read or created before the first call.
    ///
    /// - Parameters:
    ///   - name: the board's name, the same in all apps that share it.
    ///   - generation: which apps share it.
    ///   - boards: the folder of all boards on systems that have no pasteboards.
    public init(
        name: String, generation: PasteboardGeneration,
        boards: URL = FileStorage.defaultDirectory(name: "pasteboards")
    ) {
        #if canImport(UIKit) && !os(tvOS) && !targetEnvironment(macCatalyst)
        storage = SystemPasteboard(name: "\(generation.name).\(name)")
        #else
        let folder = [generation.name, name].map { $0.replacing("/", with: "_") }
        storage = FileStorage(
            directory: boards.appendingPathComponent(folder.joined(separator: "."), isDirectory: true))
        #endif
    }

    /// The value of a key.
    ///
    /// - Parameter key: which value.
    /// - Returns: the bytes, or nil when the key has no value.
    /// - Throws: any ``StorageError`` about reading.
    public func value(for key: StorageKey) throws(StorageError) -> Data? { try storage.value(for: key) }

    /// All keys that are this key or lie below it.
    ///
    /// - Parameter ancestor: where to look.
    /// - Returns: the keys that have values.
    /// - Throws: any ``StorageError`` about reading.
    public func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try storage.keys(under: ancestor)
    }

    /// Reads, decides and writes in one step.
    ///
    /// - Parameter body: reads the current values and returns the changes to make, in order.
    /// - Throws: what `body` throws, or any ``StorageError``; nothing has changed then.
    public func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try storage.update(body)
    }

    /// Whether the board's bytes are consistent.
    ///
    /// - Returns: nil when they are, else the damage.
    /// - Throws: any ``StorageError`` about reading.
    public func damage() throws(StorageError) -> StorageError.Damage? { try storage.damage() }

    /// Removes everything, as the upgrade to iOS 10 does.
    ///
    /// - Throws: any ``StorageError``.
    public func removeEverything() throws(StorageError) { try storage.removeEverything() }
}
