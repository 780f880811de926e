/// The calls of a session that have no answer yet, apart from those that a flow knows.
struct SessionCalls {
    /// Calls that somebody wanted begun in order.
    var begun: [CallID: Task<Void, Never>] = [:]
    /// Calls that a machine holds.
    var paused: [CallID: CheckedContinuation<Void, Never>] = [:]
    private var count = 0

    /// The name of a new call.
    mutating func next() -> CallID {
        count += 1
        return CallID(number: count)
    }
}
