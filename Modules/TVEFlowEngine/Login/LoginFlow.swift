/// What the session keeps about the login that is on its way.
struct LoginFlow {
    /// Who is at a login.
    var machine = LoginMachine()
    /// The calls that wait for it.
    var calls: [CallID: LoginCall] = [:]
    /// The step that runs.
    var step: Step?
    /// The step that was left last; the next one waits until it has taken away what it shows.
    var leftStep: Task<Void, Never>?
    /// Shows and hides codes, one after the other.
    var codeDisplay: Task<Void, Never>?

    /// A step of the attempt with a number.
    struct Step {
        let attempt: Int
        let task: Task<Void, Never>
    }
}
