import TVEModels
import TVETestSupport

/// Lets other tasks run between the engine and what answers it, as often as a seed decides.
///
/// On one thread, a call from an actor to code outside it goes on at once, so nothing would ever come between the engine
/// and a platform, presenter or transport. A continuation that a new task resumes really waits; `Task.yield` does not.
struct WalkPause: Sendable {
    private let random: Guarded<SeededRandom>

    init(seed: UInt64) {
        random = Guarded(SeededRandom(state: seed))
    }

    /// Waits until none to three other tasks had their turn.
    func callAsFunction() async {
        // Half of the calls go on at once, as they do when an answer is already there.
        let count = random.withLock { $0.next() % 2 == 0 ? 0 : 1 + $0.next() % 3 }
        for _ in 0..<count {
            await withCheckedContinuation { continuation in
                Task { continuation.resume() }
            }
        }
    }
}
