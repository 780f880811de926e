import TVEModels

/// The page of a login or logout in an automatic browser, which is open at most as long as its stage waits.
///
/// The page of a login that was held back may open at the same moment at which the login ends.
final class AutomaticPage: Sendable {
    private let state = Guarded<(task: Task<Void, Never>?, isOver: Bool)>((nil, false))

    /// Opens the page, unless its stage has ended.
    ///
    /// - Parameter show: the closure that shows the page until the viewer leaves it or its task is cancelled.
    func open(_ show: @escaping @Sendable () async -> Void) {
        state.withLock {
            guard !$0.isOver else { return }
            $0.task = Task { await show() }
        }
    }

    /// Records the end of the stage, and closes the page if it is open.
    func end() {
        let task = state.withLock {
            $0.isOver = true
            return $0.task
        }
        // The cancellation runs the browser's code, so it must happen outside the lock.
        task?.cancel()
    }
}
