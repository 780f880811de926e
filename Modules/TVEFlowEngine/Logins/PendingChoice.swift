import TVEModels

/// A choice of provider of which it is not known yet what kind of provider it is, because the configuration is loading.
///
/// What only reads the store goes on; a login, a permission and whatever asks the service about the viewer wait for it.
final class PendingChoice {
    private let callers = Callers<Void>()
    private var waiting: [CallID] = []
    private var count = 0
    /// The provider of the last one; nil while none is pending.
    private(set) var mvpdID: MVPDID?

    var isPending: Bool { count > 0 }

    /// Prepares a choice; whoever waits goes on behind what its caller does next in this turn.
    func prepare(_ mvpdID: MVPDID, _ providers: Providers, on actor: isolated any Actor) async {
        count += 1
        self.mvpdID = mvpdID
        await providers.prepareChoice(of: mvpdID, on: actor)
        count -= 1
        guard count == 0 else { return }
        self.mvpdID = nil
        callers.answer(waiting, ())
        waiting = []
    }

    /// A later choice or a logout decides; whoever waits still waits for the configuration.
    func withdraw() { mvpdID = nil }

    /// Waits until no choice is pending, or the task is cancelled.
    func settled(on actor: isolated any Actor) async {
        guard isPending else { return }
        await callers.wait(on: actor) { call in
            waiting.append(call)
        } leave: { [self] call in
            callers.answer([call], ())
        }
    }
}
