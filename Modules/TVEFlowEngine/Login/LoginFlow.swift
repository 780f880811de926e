/// The session's state of the running login.
struct LoginFlow {
    /// The attempt, its stage and its calls.
    var machine = LoginMachine()
    /// The calls that wait for it.
    var calls: [CallID: LoginCall] = [:]
    /// The running step.
    var step: Step?
    /// The step that was stopped last; the next one waits until its page is dismissed.
    var leftStep: Task<Void, Never>?
    /// Shows and hides codes, one after the other.
    var codeDisplay: Task<Void, Never>?

    /// A step of the attempt with a number.
    struct Step {
        let attempt: Int
        let task: Task<Void, Never>
    }
}
