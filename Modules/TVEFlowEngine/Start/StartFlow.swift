import TVEModels
import TVEStorage

/// What the session keeps about its start.
struct StartFlow {
    /// How far the start is.
    var machine = StartMachine()
    /// The calls that wait for it.
    var calls: [CallID: CheckedContinuation<Result<RequestorConfiguration, TVEError>, Never>] = [:]
    /// The step that runs.
    var step: Step?
    /// Whether the check of the store that the housekeeping asks for was done.
    var hasCheckedStore = false
    /// What a check of the store found before the session was made.
    var earlyReport: IntegrityReport?

    /// A step of the start with a number.
    struct Step {
        let start: Int
        let task: Task<Void, Never>
    }
}
