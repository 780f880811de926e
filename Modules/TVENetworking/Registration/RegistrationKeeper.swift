/// Keeps the registration of an application between starts; whoever makes the service brings the storage.
public struct RegistrationKeeper: Sendable {
    /// Reads what was kept, nil when nothing was; throws when that cannot be found out.
    public var load: @Sendable () throws -> RegisteredApplication?
    /// Keeps a registration; throws when that fails.
    public var save: @Sendable (RegisteredApplication) throws -> Void

    /// Keeps a registration if none is kept yet, for whoever registers at the same time; throws when that fails.
    public var saveFirst: @Sendable (RegisteredApplication) throws -> Void
    /// Keeps a registration if the one with this client id is still the one that is kept, for whoever registers anew or fetches a
    /// token at the same time; says whether it did, throws when that fails.
    public var replace: @Sendable (_ clientID: String, _ with: RegisteredApplication) throws -> Bool

    /// Makes a keeper of functions.
    ///
    /// - Parameters:
    ///   - load: reads what was kept.
    ///   - save: keeps a registration.
    ///   - saveFirst: keeps a registration if none is kept yet; like `save` when not given.
    ///   - replace: keeps a registration in the place of one with this client id, if that one is still there; like `save` when not
    ///     given.
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
