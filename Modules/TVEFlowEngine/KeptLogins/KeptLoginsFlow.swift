/// What the session keeps about its questions for the logins that the service keeps.
struct KeptLoginsFlow {
    /// When the service is asked, and who waits for the answer.
    var machine = KeptLoginsMachine()
    /// The question that runs.
    var task: Task<Void, Never>?
}
