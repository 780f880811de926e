public import Testing

/// A trait that limits how many tests run at the same time, among all suites with the same trait.
public struct Turns: SuiteTrait, TestTrait, TestScoping {
    fileprivate static let one = Places(1)
    fileprivate static let two = Places(2)
    fileprivate static let few = Places(8)

    fileprivate let places: Places

    /// A Boolean value that indicates whether the tests of a suite also have the trait.
    public var isRecursive: Bool { true }

    /// Runs a test as soon as there is a free place for it.
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
    /// The trait for tests that use a service or programs.
    ///
    /// If all of them ran at once, each answer would wait for the work of all tests.
    public static var fewAtATime: Self { Turns(places: Turns.few) }

    /// The trait for tests that start servers of their own, and mostly wait for them.
    ///
    /// If more of them ran at once, each would be late.
    public static var twoAtATime: Self { Turns(places: Turns.two) }

    /// The trait for tests that compute for a long time, block their thread or measure time.
    ///
    /// All tasks share one thread per processor core, and such a test occupies one of them.
    public static var oneAtATime: Self { Turns(places: Turns.one) }
}

/// A number of places for tests, which are assigned in the order of the requests.
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
