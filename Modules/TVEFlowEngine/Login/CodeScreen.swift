import Foundation
import TVEModels

/// Shows and hides registration codes one after the other.
///
/// Each change starts when the screen has finished the previous one, of the same login or an earlier one.
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
    /// The last change that the screen has to make; `nil` once the screen has made it.
    private var last: Display?

    init(_ clock: SessionClock) {
        self.clock = clock
    }

    /// Shows a code, or hides the current code if `code` is `nil`.
    ///
    /// - Parameter page: the page at which the viewer types the code.
    func show(_ code: RegistrationCode?, typedAt page: URL?, on screen: Screen, _ actor: isolated any Actor) {
        var code = code
        if let text = code?.code {
            code?.activationURL = page?.appending(queryItems: [URLQueryItem(name: "code", value: text)])
        }
        let display = Display(shows: code != nil)
        let before = last?.task
        last = display
        display.task = Task { [shown = code] in
            await show(shown, on: screen, after: before)
            end(display, actor)
        }
    }

    /// Cancels the display of a code whose login has ended, if the screen has not shown it yet.
    func stopShowing() {
        if let last, last.shows { last.task?.cancel() }
    }

    /// Performs an action when the screen has made all changes so far.
    ///
    /// If there are none left, the action runs at once.
    func whenShown(_ actor: isolated any Actor, _ action: @escaping () -> Void) {
        guard let task = last?.task else { return action() }
        Task {
            _ = await clock.run(atMost: Self.timeLimit) { await task.value }
            perform(action, actor)
        }
    }

    /// Shows or hides a code after the previous change.
    ///
    /// The time limit keeps a screen that does not answer from delaying the next code.
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
