#if VerificationService
import TVEModels

/// Whether a service can take requests now.
public final class Readiness: Sendable {
    private let draining = Guarded(false)
    private let obstacles: @Sendable () -> [String]

    /// Makes a service that is ready when there are no obstacles.
    ///
    /// - Parameter obstacles: the current obstacles, each as a sentence without secrets; called for every question.
    public init(obstacles: @escaping @Sendable () -> [String] = { [] }) {
        self.obstacles = obstacles
    }

    /// Whether the service is shutting down.
    public var isDraining: Bool { draining.withLock { $0 } }

    /// Marks the service as shutting down.
    public func drain() { draining.withLock { $0 = true } }

    /// The obstacles; empty means ready.
    public var reasons: [String] { isDraining ? ["The service is shutting down."] : obstacles() }
}
#endif
