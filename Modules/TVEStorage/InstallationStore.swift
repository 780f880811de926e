public import Foundation

/// Keeps what belongs to the installation of an app rather than to a viewer: it outlives logins and logouts.
///
/// All methods are synchronous and may be called from any thread.
public struct InstallationStore: Sendable {
    private let backend: any StorageBackend

    static let registrations = StorageKey("registration")

    /// Makes a store.
    ///
    /// - Parameter backend: where the bytes go.
    public init(backend: any StorageBackend) {
        self.backend = backend
    }

    /// The credentials of a registered application.
    ///
    /// - Parameter application: which application at which service.
    /// - Returns: the bytes that were kept; nil when there are none, or none that can be read.
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    public func registration(of application: String) throws(StorageError) -> Data? {
        do throws(StorageError) {
            return try backend.value(for: Self.registrations.appending(application))
        } catch .invalidValue {
            return nil
        }
    }

    /// Keeps the credentials of a registered application.
    ///
    /// - Parameters:
    ///   - registration: the bytes to keep.
    ///   - application: which application at which service.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func setRegistration(_ registration: Data, of application: String) throws(StorageError) {
        try backend.apply([.put(Self.registrations.appending(application), registration)])
    }

    /// Keeps the credentials of a registered application unless some are kept already: another process may have been faster.
    ///
    /// - Parameters:
    ///   - registration: the bytes to keep.
    ///   - application: which application at which service.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func setFirstRegistration(_ registration: Data, of application: String) throws(StorageError) {
        try backend.apply([.putIfAbsent(Self.registrations.appending(application), registration)])
    }

    /// The random text that stands for this device where the system offers no id; made and kept at the first call.
    ///
    /// - Parameter make: makes the text when none is kept yet.
    /// - Returns: the text.
    /// - Throws: any ``StorageError``.
    public func deviceSeed(orMake make: () -> String) throws(StorageError) -> String {
        let key = StorageKey("device", "seed")
        if let kept = try backend.value(for: key) { return String(decoding: kept, as: UTF8.self) }
        let seed = make()
        // Another process may have been faster; whoever was first has decided for all.
        try backend.apply([.putIfAbsent(key, Data(seed.utf8))])
        return try backend.value(for: key).map { String(decoding: $0, as: UTF8.self) } ?? seed
    }
}
