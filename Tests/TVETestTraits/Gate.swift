/// A gate that holds tasks until a test opens it, so that the test controls what happens in the meantime.
public final class Gate: Sendable {
    private let arrivals = AsyncStream<Void>.makeStream()
    private let opening = AsyncStream<Void>.makeStream()

    /// Creates a closed gate.
    public init() {}

    /// Waits until the gate is open or the waiting task is cancelled.
    public func pass() async {
        arrivals.continuation.yield()
        for await _ in opening.stream {}
    }

    /// Waits until a task arrives at the gate.
    public func arrival() async { _ = await arrivals.stream.first { _ in true } }

    /// Opens the gate permanently.
    public func open() { opening.continuation.finish() }
}
