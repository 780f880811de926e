/// The session's state of a logout whose tokens are already removed.
struct LogoutFlow {
    /// The stage of the logout.
    var machine = LogoutMachine()
    /// The calls that wait for it.
    var calls: [CallID: LogoutCall] = [:]
    /// Running tasks, by the number of their logout.
    var tasks: [Int: [Task<Void, Never>]] = [:]
}
