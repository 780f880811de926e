/// What the session keeps about a logout whose tokens are gone already.
struct LogoutFlow {
    /// How far the logout is.
    var machine = LogoutMachine()
    /// The calls that wait for it.
    var calls: [CallID: LogoutCall] = [:]
    /// What runs for the logout with a number.
    var tasks: [Int: [Task<Void, Never>]] = [:]
}
