/// Stores the registration of an application between starts; the code that makes the service supplies the storage.
public struct RegistrationKeeper: Sendable {
    /// Reads the stored registration, nil when there is none; throws when it cannot be read.
    public var load: @Sendable () throws -> RegisteredApplication?
    /// Stores a registration; throws when that fails.
    public var save: @Sendable (RegisteredApplication) throws -> Void

    /// Stores a registration if none is stored yet, in case another process registers at the same time; throws when
    /// that fails.
    public var saveFirst: @Sendable (RegisteredApplication) throws -> Void
    /// Replaces the registration with this client id if it is still the stored one, in case another process registers
    /// or fetches a token at the same time; returns whether it did, throws when that fails.
    public var replace: @Sendable (_ clientID: String, _ with: RegisteredApplication) throws -> Bool

    /// Makes a keeper from functions.
    ///
    /// - Parameters:
    ///   - load: reads the stored registration.
    ///   - save: stores a registration.
    ///   - saveFirst: stores a registration if none is stored yet; like `save` when nil.
    ///   - replace: replaces the registration with this client id, if it is still the stored one; like `save` when nil.
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
