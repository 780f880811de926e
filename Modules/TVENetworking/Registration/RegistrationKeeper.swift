/// Keeps the registration of an application between starts; whoever makes the service brings the storage.
public struct RegistrationKeeper: Sendable {
    /// Reads what was kept, nil when nothing was; throws when that cannot be found out.
    public var load: @Sendable () throws -> RegisteredApplication?
    /// Keeps a registration; throws when that fails.
    public var save: @Sendable (RegisteredApplication) throws -> Void

    /// Makes a keeper of two functions.
    ///
    /// - Parameters:
    ///   - load: reads what was kept.
    ///   - save: keeps a registration.
    public init(
        load: @escaping @Sendable () throws -> RegisteredApplication?,
        save: @escaping @Sendable (RegisteredApplication) throws -> Void
    ) {
        self.load = load
        self.save = save
    }
}
