public import Testing

/// Runs only some tests at a time, of all suites that have the same trait.
public struct Turns: SuiteTrait, TestTrait, TestScoping {
    fileprivate static let one = Places(1)
    fileprivate static let few = Places(8)

    fileprivate let places: Places

    /// Whether the tests of a suite have the trait too.
    public var isRecursive: Bool { true }

    /// Runs a test when there is a place for it.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await places.enter()
        do {
            try await function()
        } catch {
            await places.leave()
            throw error
        }
        await places.leave()
    }
}

extension Trait where Self == Turns {
    /// For tests with a service or with programs.
    ///
    /// All of them at once would starve each other: each answer would wait for the work of all tests.
    public static var fewAtATime: Self { Turns(places: Turns.few) }

    /// For tests that compute for long, block their thread or measure time.
    ///
    /// Tasks share one thread a core. Such a test takes one of them from all others.
    public static var oneAtATime: Self { Turns(places: Turns.one) }
}

/// Gives out places in the order in which they were asked for.
private actor Places {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        free = count
    }

    func enter() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
