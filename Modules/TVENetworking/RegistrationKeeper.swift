/// Keeps the registration of an application between starts; whoever makes the service brings the storage.
public struct RegistrationKeeper: Sendable {
    /// Reads what was kept, nil when nothing was.
    public var load: @Sendable () -> RegisteredApplication?
    /// Keeps a registration, or removes it when nil; throws when that fails.
    public var save: @Sendable (RegisteredApplication?) throws -> Void

    /// Makes a keeper of two functions.
    ///
    /// - Parameters:
    ///   - load: reads what was kept.
    ///   - save: keeps or removes a registration.
    public init(
        load: @escaping @Sendable () -> RegisteredApplication?,
        save: @escaping @Sendable (RegisteredApplication?) throws -> Void
    ) {
        self.load = load
        self.save = save
    }
}
