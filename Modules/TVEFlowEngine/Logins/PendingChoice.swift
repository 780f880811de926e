import TVEModels

/// A choice of a provider whose kind is not known yet, because the configuration is loading.
///
/// Calls that only read the store continue. Logins, permissions and all requests about the viewer wait for the
/// configuration.
final class PendingChoice {
    private let callers = Callers<Void>()
    private var count = 0
    private var withdrawals = 0
    /// The provider of the last pending choice; `nil` while no choice is pending.
    private(set) var mvpdID: MVPDID?

    var isPending: Bool { count > 0 }

    /// Prepares a choice.
    ///
    /// Waiting calls continue after the caller has finished its turn.
    ///
    /// - Returns: a Boolean value that indicates whether the choice is still the last one.
    func prepare(_ mvpdID: MVPDID, _ providers: Providers, on actor: isolated any Actor) async -> Bool {
        let earlier = withdrawals
        count += 1
        self.mvpdID = mvpdID
        await providers.prepareChoice(of: mvpdID, on: actor)
        count -= 1
        if count == 0 {
            self.mvpdID = nil
            callers.answerAll(())
        }
        return earlier == withdrawals
    }

    /// Withdraws the choice after a later choice or a logout.
    ///
    /// Waiting calls still wait for the configuration.
    func withdraw() {
        withdrawals += 1
        mvpdID = nil
    }

    /// Waits until no choice is pending or the task is cancelled.
    func settled(on actor: isolated any Actor) async {
        guard isPending else { return }
        await callers.wait(on: actor) { _ in
        } leave: { [self] call in
            callers.answer([call], ())
        }
    }
}
