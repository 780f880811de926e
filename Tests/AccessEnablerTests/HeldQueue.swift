import TVEModels
import TVETestSupport
import TVETestTraits
import Testing

/// A callback queue that runs nothing until the test asks it to.
final class HeldQueue: Sendable {
    private let held: Guarded<[@Sendable () -> Void]> = Guarded([])

    func submit(_ callback: @escaping @Sendable () -> Void) { held.withLock { $0.append(callback) } }

    /// Waits until the given number of callbacks are held.
    func holds(_ count: Int) async {
        #expect(await soon { held.withLock(\.count) >= count })
    }

    func runAll() {
        let callbacks = held.withLock { held in
            defer { held = [] }
            return held
        }
        for callback in callbacks { callback() }
    }

    /// Runs callbacks as they arrive until a condition holds.
    func run(until isDone: () -> Bool) async {
        while !isDone(), !Task.isCancelled {
            runAll()
            await Task.shortPause()
        }
    }
}
