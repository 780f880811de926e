/// Holds what passes until it is opened, so that a test decides what happens meanwhile.
public final class Gate: Sendable {
    private let arrivals = AsyncStream<Void>.makeStream()
    private let opening = AsyncStream<Void>.makeStream()

    /// Makes a closed gate.
    public init() {}

    /// Waits until the gate is open, or the waiting task is cancelled.
    public func pass() async {
        arrivals.continuation.yield()
        for await _ in opening.stream {}
    }

    /// Waits until something is at the gate.
    public func arrival() async { _ = await arrivals.stream.first { _ in true } }

    /// Opens the gate for good.
    public func open() { opening.continuation.finish() }
}
