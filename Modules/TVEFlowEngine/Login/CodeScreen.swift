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
    /// The calls whose login has ended and that wait for the screen, with the provider of a login that succeeded.
    private var waiting: [CallID: MVPDID?] = [:]

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

    /// Answers calls when the screen has made all changes so far.
    ///
    /// If there are none left, the calls are answered at once.
    ///
    /// - Parameters:
    ///   - calls: the calls.
    ///   - mvpdID: the provider of the login, or `nil` without one.
    ///   - answer: a closure that answers the calls that have not been withdrawn.
    func whenShown(
        to calls: [CallID], with mvpdID: MVPDID?, _ actor: isolated any Actor, answer: @escaping () -> Void
    ) {
        guard let task = last?.task else { return answer() }
        for call in calls { waiting.updateValue(mvpdID, forKey: call) }
        Task {
            _ = await clock.run(atMost: Self.timeLimit) { await task.value }
            end(calls, on: actor, answer: answer)
        }
    }

    /// Removes waiting calls whose login is no longer true, so that they can be answered without the screen.
    ///
    /// - Parameter isOver: returns a Boolean value that indicates whether the login of a call, with this provider, is
    ///   no longer true.
    /// - Returns: the calls that were removed.
    func withdraw(_ isOver: (CallID, MVPDID?) -> Bool) -> [CallID] {
        let withdrawn = waiting.filter { isOver($0.key, $0.value) }.map(\.key)
        for call in withdrawn { waiting.removeValue(forKey: call) }
        return withdrawn
    }

    private func end(_ calls: [CallID], on actor: isolated any Actor, answer: () -> Void) {
        for call in calls { waiting.removeValue(forKey: call) }
        answer()
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

    private static let timeLimit = Duration.seconds(5)
}
