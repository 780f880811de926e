#if VerificationService
import TVEModels

/// Whether a service should be sent requests now.
public final class Readiness: Sendable {
    private let draining = Guarded(false)
    private let obstacles: @Sendable () -> [String]

    /// Makes it ready as soon as nothing is in the way.
    ///
    /// - Parameter obstacles: what is in the way now, each as a sentence without secrets; called for every question.
    public init(obstacles: @escaping @Sendable () -> [String] = { [] }) {
        self.obstacles = obstacles
    }

    /// Whether the service is about to end.
    public var isDraining: Bool { draining.withLock { $0 } }

    /// Says from now on that the service is about to end.
    public func drain() { draining.withLock { $0 = true } }

    /// What is in the way; empty means ready.
    public var reasons: [String] { isDraining ? ["The service ends."] : obstacles() }
}
#endif
