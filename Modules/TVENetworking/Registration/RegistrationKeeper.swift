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
}
