#if VerificationService
public import Testing

/// Runs one test at a time, of all suites that have this trait.
///
/// Their tests block threads and measure time while other processes work; several at once would starve each other.
public struct OneAtATime: SuiteTrait, TestTrait, TestScoping {
    private static let queue = TestQueue()

    /// Whether the tests of a suite have the trait too.
    public var isRecursive: Bool { true }

    /// Runs a test when the earlier ones have ended.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.queue.enter()
        do {
            try await function()
        } catch {
            await Self.queue.leave()
            throw error
        }
        await Self.queue.leave()
    }
}

extension Trait where Self == OneAtATime {
    /// Runs one test at a time.
    public static var oneAtATime: Self { OneAtATime() }
}
#endif
