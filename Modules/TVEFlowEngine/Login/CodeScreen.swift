import Foundation
import TVEModels

/// A screen that shows and hides registration codes one after the other.
///
/// Each change starts when the screen has finished the previous one, of the same login or an earlier one.
final class CodeScreen {
    private let clock: SessionClock
    /// The screen on which a code was shown; `nil` once the code is to be hidden.
    private var screen: Screen?
    /// The last change that the screen has to make; `nil` once the screen has made it.
    private var last: Task<Void, Never>?
    /// The number of changes.
    private var changes = 0
    /// The calls whose login has ended and that wait for the screen, with the provider of a login that succeeded.
    private var waiting: [CallID: MVPDID?] = [:]

    init(_ clock: SessionClock) {
        self.clock = clock
    }

    /// Shows a code.
    ///
    /// - Parameter page: the page at which the viewer types the code.
    func show(_ code: RegistrationCode, typedAt page: URL?, on screen: Screen, _ actor: isolated any Actor) {
        var shown = code
        shown.activationURL = page?.appending(queryItems: [URLQueryItem(name: "code", value: code.code)])
        self.screen = screen
        change(on: actor) { [shown] in await screen.show(shown) }
    }

    /// Hides the code.
    ///
    /// A code that the screen has not shown yet is not shown.
    func hide(on actor: isolated any Actor) {
        guard let screen else { return }
        self.screen = nil
        last?.cancel()
        change(on: actor) { await screen.hideCode() }
    }

    /// Makes a change after the previous one.
    ///
    /// The time limit keeps a screen that does not answer from delaying the next code.
    private func change(on actor: isolated any Actor, _ change: @escaping @Sendable () async -> Void) {
        let before = last
        changes += 1
        last = Task { [clock, number = changes] in
            // The closure names the actor, because only then does an asynchronous closure run on it.
            _ = actor
            if let before { _ = await clock.run(atMost: Self.timeLimit) { await before.value } }
            await change()
            if number == changes { last = nil }
        }
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
        guard let task = last else { return answer() }
        for call in calls { waiting.updateValue(mvpdID, forKey: call) }
        Task {
            // The closure names the actor, because only then does an asynchronous closure run on it.
            _ = actor
            _ = await clock.run(atMost: Self.timeLimit) { await task.value }
            for call in calls { waiting.removeValue(forKey: call) }
            answer()
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

    private static let timeLimit = Duration.seconds(5)
}
