/// The calls of a session that have no answer yet, apart from those that belong to a flow.
struct SessionCalls {
    /// Calls that were begun in order.
    var begun: [CallID: Task<Void, Never>] = [:]
    /// Calls that a machine holds.
    var paused: [CallID: CheckedContinuation<Void, Never>] = [:]
    private var count = 0

    /// The id of a new call.
    mutating func next() -> CallID {
        count += 1
        return CallID(number: count)
    }
}
