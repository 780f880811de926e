public import Foundation
import TVEModels

/// Stores what belongs to the installation of an app rather than to a viewer: it survives logins and logouts.
///
/// All methods are synchronous and may be called from any thread.
public struct InstallationStore: Sendable {
    let backend: any StorageBackend

    /// Opens the store in a backend; nothing is read before the first call.
    ///
    /// - Parameter backend: where the bytes go.
    public init(backend: any StorageBackend) {
        self.backend = backend
    }

    /// The credentials of a registered application.
    ///
    /// - Parameter application: identifies the application and the service.
    /// - Returns: the stored bytes; nil when there are none or they cannot be read.
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    public func registration(of application: String) throws(StorageError) -> Data? {
        try Self.readable(StoredEntry.registration(application: application).key, backend)
    }

    /// Stores the credentials of a registered application.
    ///
    /// - Parameters:
    ///   - registration: the bytes to store.
    ///   - application: identifies the application and the service.
    ///   - mayReplace: decides from the stored bytes, nil if there are none or they cannot be read, whether to replace
    ///     them; another process may have been faster. It may run again, and must not use the store.
    /// - Returns: the bytes that are stored afterwards, these or the others; nil for none.
    /// - Throws: any ``StorageError``; nothing has changed then.
    @discardableResult
    public func setRegistration(
        _ registration: Data, of application: String, if mayReplace: @escaping @Sendable (Data?) -> Bool = { _ in true }
    ) throws(StorageError) -> Data? {
        let key = StoredEntry.registration(application: application).key
        return try backend.updating { present throws(StorageError) in
            let kept = try Self.readable(key, present)
            return mayReplace(kept) ? ([.put(key, registration)], registration) : ([], kept)
        }
    }

    /// A value; nil when there is none or it cannot be read.
    static func readable(_ key: StorageKey, _ values: any StorageReading) throws(StorageError) -> Data? {
        do throws(StorageError) {
            return try values.value(for: key)
        } catch .invalidValue {
            return nil
        }
    }

    /// The random text that identifies this device where the system has no id; made and stored by the first call.
    ///
    /// - Parameter make: makes the text when none is stored yet.
    /// - Returns: the text.
    /// - Throws: any ``StorageError``.
    public func deviceSeed(orMake make: () -> String) throws(StorageError) -> String {
        let kept = try backend.value(for: StoredEntry.deviceSeed.key)
        if let kept { return String(decoding: kept, as: UTF8.self) }
        return try first(.deviceSeed, make())
    }

    /// The random text that identifies this device; nil when there is none or it cannot be read.
    ///
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    public func knownDeviceSeed() throws(StorageError) -> String? { try text(.deviceSeed) }

    /// Keeps the id that the device had first.
    ///
    /// - Parameter deviceID: the id that the system's present value gives.
    /// - Returns: the first id: this one, if none was kept.
    /// - Throws: any ``StorageError``.
    public func keepFirstDeviceID(_ deviceID: String) throws(StorageError) -> String { try first(.deviceID, deviceID) }

    /// The id that the device had first; nil when none was kept or it cannot be read.
    ///
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    public func keptDeviceID() throws(StorageError) -> String? { try text(.deviceID) }

    /// Stores a text unless there is one; another process may be faster, and the first text counts for all.
    private func first(_ entry: StoredEntry, _ text: String) throws(StorageError) -> String {
        try backend.updating { present throws(StorageError) in
            if let kept = try present.value(for: entry.key) { return ([], String(decoding: kept, as: UTF8.self)) }
            return ([.put(entry.key, Data(text.utf8))], text)
        }
    }

    private func text(_ entry: StoredEntry) throws(StorageError) -> String? {
        let kept = try Self.readable(entry.key, backend)
        return kept.flatMap { String(validUTF8: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
