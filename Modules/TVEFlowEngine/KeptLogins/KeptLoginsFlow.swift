/// The session's state of its questions for the logins that the service keeps.
struct KeptLoginsFlow {
    /// When the service is asked, and who waits for the answer.
    var machine = KeptLoginsMachine()
    /// The running question.
    var task: Task<Void, Never>?
}
