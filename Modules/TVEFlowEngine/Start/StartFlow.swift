import TVEModels
import TVEStorage

/// The session's state of its start.
struct StartFlow {
    /// The stage of the start.
    var machine = StartMachine()
    /// The calls that wait for it.
    var calls: [CallID: CheckedContinuation<Result<RequestorConfiguration, TVEError>, Never>] = [:]
    /// The running step.
    var step: Step?
    /// Whether the store was checked as the housekeeping requests.
    var hasCheckedStore = false
    /// The result of a check before the session was made.
    var earlyReport: IntegrityReport?

    /// A step of the start with a number.
    struct Step {
        let start: Int
        let task: Task<Void, Never>
    }
}
