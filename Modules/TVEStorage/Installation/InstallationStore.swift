public import Foundation
import TVEModels

/// A store of the values that belong to the installation of an app rather than to a viewer, and that survive logins and
/// logouts.
///
/// All methods are synchronous and may be called from any thread.
public struct InstallationStore: Sendable {
    let backend: any StorageBackend

    /// Opens the store in a backend.
    ///
    /// It reads nothing before the first call.
    ///
    /// - Parameter backend: the place that stores the bytes.
    public init(backend: any StorageBackend) {
        self.backend = backend
    }

    /// Returns the credentials of a registered application.
    ///
    /// - Parameter application: a text that identifies the application and the service.
    /// - Returns: the stored bytes, or nil if there are none or they are unreadable.
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    public func registration(of application: String) throws(StorageError) -> Data? {
        try backend.readableValue(for: StoredEntry.registration(application: application).key)
    }

    /// Stores the credentials of a registered application.
    ///
    /// - Parameters:
    ///   - registration: the bytes to store.
    ///   - application: a text that identifies the application and the service.
    ///   - mayReplace: decides whether to replace the stored bytes, which are nil if there are none or they are
    ///     unreadable. Another process may have been faster. The function may run again, and must not use the store.
    /// - Returns: the bytes that are stored afterwards, which are these or the earlier ones, or nil for none.
    /// - Throws: any ``StorageError``. Then nothing has changed.
    @discardableResult
    public func setRegistration(
        _ registration: Data, of application: String, if mayReplace: @escaping @Sendable (Data?) -> Bool = { _ in true }
    ) throws(StorageError) -> Data? {
        let key = StoredEntry.registration(application: application).key
        return try backend.updating { present throws(StorageError) in
            let kept = try present.readableValue(for: key)
            return mayReplace(kept) ? ([.put(key, registration)], registration) : ([], kept)
        }
    }

    /// Checks that values can be stored, before a request whose answer would otherwise be lost.
    ///
    /// - Throws: any ``StorageError``.
    package func checkIsWritable() throws(StorageError) {
        guard try backend.probe() else { throw .cannotRead(errno: EIO) }
    }

    /// Returns the random text that identifies this device if the system has no id.
    ///
    /// The first call creates and stores it.
    ///
    /// - Parameter make: creates the text if none is stored yet. An empty text is not stored.
    /// - Returns: the text.
    /// - Throws: any ``StorageError``, including `.invalidValue` if the new text is empty, or if the stored one is
    ///   empty or not a text. A check of the store removes the stored one.
    public func deviceSeed(orMake make: () -> String) throws(StorageError) -> String {
        let kept = try backend.value(for: StoredEntry.deviceSeed.key)
        if let kept { return try Self.text(kept, of: .deviceSeed) }
        return try first(.deviceSeed, make())
    }

    /// Returns the random text that identifies this device, or nil if there is none or it is unreadable.
    ///
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    public func knownDeviceSeed() throws(StorageError) -> String? { try text(.deviceSeed) }

    /// Stores the device's id unless the store has one already.
    ///
    /// - Parameter deviceID: the id according to the system's present value. An empty id is not stored.
    /// - Returns: the device's first id, which is this one if none was stored.
    /// - Throws: any ``StorageError``, including `.invalidValue` if the new id is empty, or if the stored one is empty
    ///   or not a text.
    public func keepFirstDeviceID(_ deviceID: String) throws(StorageError) -> String { try first(.deviceID, deviceID) }

    /// Returns the first id of the device, or nil if none is stored or it is unreadable.
    ///
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    public func keptDeviceID() throws(StorageError) -> String? { try text(.deviceID) }

    /// Stores a text unless there is one.
    ///
    /// If another process is faster, its text is valid for all.
    private func first(_ entry: StoredEntry, _ text: String) throws(StorageError) -> String {
        try backend.updating { present throws(StorageError) in
            if let kept = try present.value(for: entry.key) { return ([], try Self.text(kept, of: entry)) }
            let value = Data(text.utf8)
            return ([.put(entry.key, value)], try Self.text(value, of: entry))
        }
    }

    private func text(_ entry: StoredEntry) throws(StorageError) -> String? {
        guard let kept = try backend.readableValue(for: entry.key) else { return nil }
        return try? Self.text(kept, of: entry)
    }

    /// Returns the text of a stored value.
    ///
    /// Nothing else may identify a device, because the same empty text would make one device of all.
    private static func text(_ value: Data, of entry: StoredEntry) throws(StorageError) -> String {
        guard let text = String(validUTF8: value), !text.isEmpty else { throw .invalidValue(entry.key) }
        return text
    }
}
