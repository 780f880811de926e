/// A fault of the engine that a walk has found and that is not cured yet.
///
/// Such a walk ends there, and the run counts it. The list must be empty when the engine's redesign is done
/// (Documentation/HowThisProjectTests.md).
struct KnownFinding: Sendable {
    /// Whose calls a walk makes.
    enum API: String, Sendable { case classic, session }

    let api: API
    /// How the problem is told, without the name of the app.
    let problem: String
    /// What is wrong, for the person who cures it.
    let cause: String

    /// The finding that a problem is; nil for a new one.
    static func matching(_ problem: String, in api: API) -> KnownFinding? {
        all.first { $0.api == api && problem.contains($0.problem) }
    }

    static let all = [
        KnownFinding(
            api: .classic, problem: "a dialog is shown after a cancel or a logout",
            cause: "A step that was stopped is in the platform's code, outside the actor, and presents afterwards."),
        KnownFinding(
            api: .classic, problem: "a dialog is shown that no call waits for",
            cause: "The same, after the next call has answered for the login."),
        KnownFinding(
            api: .session, problem: "is shown after a logout",
            cause: "A step that was stopped has passed its last check, and shows what it has afterwards."),
        KnownFinding(api: .session, problem: "is shown after the session was closed", cause: "The same."),
        KnownFinding(
            api: .session, problem: "is shown that no call waits for", cause: "The same, after a cancellation."),
        KnownFinding(
            api: .session, problem: "a forced login that was left logs the viewer out",
            cause: "Over REST API v2 the old login ends at the service before the new one has come."),
    ]
}
