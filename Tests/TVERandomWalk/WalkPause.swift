import TVEModels
import TVETestSupport

/// A pause that lets other tasks run between the engine and the code that answers it, as often as a seed decides.
///
/// On one thread, a call from an actor to code outside it continues at once, so no other task would ever run between
/// the engine and a platform, presenter or transport. A continuation that a new task resumes really suspends;
/// `Task.yield` does not.
struct WalkPause: Sendable {
    private let random: Guarded<SeededRandom>

    init(seed: UInt64) {
        random = Guarded(SeededRandom(state: seed))
    }

    /// Waits until up to three new tasks have run.
    func callAsFunction() async {
        // Half of the calls continue at once, as they do when an answer is already available.
        let count = random.withLock { $0.next() % 2 == 0 ? 0 : 1 + $0.next() % 3 }
        for _ in 0..<count {
            await withCheckedContinuation { continuation in
                Task { continuation.resume() }
            }
        }
    }
}
