package import Foundation
import TVEModels

/// The storage of an application's registration between starts, supplied by the code that creates the service.
public struct RegistrationKeeper: Sendable {
    /// A closure that reads the stored registration.
    ///
    /// It returns nil if there is none, and throws if it is unreadable.
    public var load: @Sendable () throws -> RegisteredApplication?
    /// A closure that stores a registration, and throws if that fails.
    public var save: @Sendable (RegisteredApplication) throws -> Void

    /// A closure that stores a registration if none is stored yet, and throws if that fails.
    ///
    /// Another process may register at the same time.
    public var saveFirst: @Sendable (RegisteredApplication) throws -> Void
    /// A closure that replaces the registration with this client id if it is still the stored one, and throws if that
    /// fails.
    ///
    /// It returns a Boolean value that indicates whether it replaced the registration. Another process may
    /// register or request a token at the same time.
    public var replace: @Sendable (_ clientID: String, _ with: RegisteredApplication) throws -> Bool
    /// A closure that throws if a registration could not be stored, before the application registers.
    package var checkIsWritable: @Sendable () throws -> Void = {}

    /// Creates a keeper from functions.
    ///
    /// - Parameters:
    ///   - load: reads the stored registration.
    ///   - save: stores a registration.
    ///   - saveFirst: stores a registration if none is stored yet. Pass nil to use `save`.
    ///   - replace: replaces the registration with this client id, if it is still the stored one. Pass nil to use
    ///     `save`.
    public init(
        load: @escaping @Sendable () throws -> RegisteredApplication?,
        save: @escaping @Sendable (RegisteredApplication) throws -> Void,
        saveFirst: (@Sendable (RegisteredApplication) throws -> Void)? = nil,
        replace: (@Sendable (_ clientID: String, _ with: RegisteredApplication) throws -> Bool)? = nil
    ) {
        self.load = load
        self.save = save
        self.saveFirst = saveFirst ?? save
        self.replace =
            replace ?? { _, application in
                try save(application)
                return true
            }
    }

    /// Creates a keeper from functions that read and change the stored bytes of a registration.
    ///
    /// If a stored registration is unreadable, the application registers again.
    ///
    /// - Parameters:
    ///   - stored: returns the stored bytes, or nil if there are none.
    ///   - former: returns the bytes that an earlier version has stored under another name, or nil if there are none.
    ///     The next change of the registration stores it under its present name.
    ///   - store: stores bytes if its second argument, which receives the stored bytes, agrees. It returns the bytes
    ///     that are stored afterwards.
    ///   - checkIsWritable: throws if a registration could not be stored.
    package init(
        stored: @escaping @Sendable () throws -> Data?, former: @escaping @Sendable () throws -> Data?,
        store: @escaping @Sendable (Data, @escaping @Sendable (Data?) -> Bool) throws -> Data?,
        checkIsWritable: @escaping @Sendable () throws -> Void
    ) {
        @Sendable func read(_ bytes: Data?) -> RegisteredApplication? {
            bytes.flatMap { try? UntrustedJSON.read(RegisteredApplication.self, from: $0) }
        }
        self.init(
            load: { read(try stored() ?? former()) },
            save: { _ = try store(JSONEncoder().encode($0)) { _ in true } },
            saveFirst: { _ = try store(JSONEncoder().encode($0)) { $0 == nil } },
            replace: { clientID, registration in
                let bytes = try JSONEncoder().encode(registration)
                let earlier = try former()
                let kept = try store(bytes) { kept in
                    read(kept ?? earlier)?.clientID.isSameBytes(as: clientID) == true
                }
                return kept == bytes
            })
        self.checkIsWritable = checkIsWritable
    }
}
