/// Shows and hides codes, each when the screen has done what came before, of the same login or the last one.
final class CodeScreen {
    /// A code that is being shown or hidden.
    private final class Display {
        let shows: Bool
        var task: Task<Void, Never>?

        init(shows: Bool) {
            self.shows = shows
        }
    }

    private let clock: SessionClock
    /// What the screen does last, until it has done so.
    private var last: Display?

    init(_ clock: SessionClock) {
        self.clock = clock
    }

    /// Shows a code; nil hides it.
    func show(_ code: RegistrationCode?, on screen: Screen, _ actor: isolated any Actor) {
        let display = Display(shows: code != nil)
        let before = last?.task
        last = display
        display.task = Task {
            await show(code, on: screen, after: before)
            end(display, actor)
        }
    }

    /// A code whose login has ended is not shown any more, if the screen has not done so yet.
    func stopShowing() {
        if let last, last.shows { last.task?.cancel() }
    }

    /// Does something when the screen has done everything so far: at once, where it has.
    func whenShown(_ actor: isolated any Actor, _ action: @escaping () -> Void) {
        guard let task = last?.task else { return action() }
        Task {
            _ = await clock.run(atMost: Self.timeLimit) { await task.value }
            perform(action, actor)
        }
    }

    /// A screen that does not answer must not keep the next code back.
    nonisolated(nonsending) private func show(
        _ code: RegistrationCode?, on screen: Screen, after before: Task<Void, Never>?
    ) async {
        if let before { _ = await clock.run(atMost: Self.timeLimit) { await before.value } }
        if let code { await screen.show(code) } else { await screen.hideCode() }
    }

    private func end(_ display: Display, _ actor: isolated any Actor) {
        if last === display { last = nil }
    }

    private func perform(_ action: () -> Void, _ actor: isolated any Actor) { action() }

    private static let timeLimit = Duration.seconds(5)
}
