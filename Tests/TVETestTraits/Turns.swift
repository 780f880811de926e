public import Testing

/// A trait that limits how many tests run at the same time, and for how long each of them runs.
///
/// A test that takes longer than ``Swift/Duration/hanging`` fails and is cancelled. The time before its turn does not
/// count.
///
/// `eightAtATime`, `fourAtATime` and `oneAtATime` share eight places, of which a test takes one, two or all of them. No
/// test may have several of these traits, because it would wait for itself.
public struct Turns: SuiteTrait, TestTrait, TestScoping {
    fileprivate static let blocking = Places(8)
    fileprivate static let few = Places(8)

    fileprivate let places: Places
    /// The number of places that a test takes.
    fileprivate var count = 1
    /// A Boolean value that indicates whether the tests may block the threads on which they run.
    private var mayBlock: Bool { places === Self.blocking }

    /// A Boolean value that indicates whether the tests of a suite also have the trait.
    public var isRecursive: Bool { true }

    /// Runs a test as soon as enough places are free for it.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await places.enter(count)
        do {
            try await bounded(function)
        } catch {
            await places.leave(count)
            throw error
        }
        await places.leave(count)
    }

    private func bounded(_ function: @Sendable () async throws -> Void) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await withThrowingTaskGroup(of: Void.self) { group in
                if mayBlock, #available(macOS 15, iOS 18, tvOS 18, *) {
                    group.addTask(executorPreference: BlockingThreads.shared) { try await function() }
                } else {
                    group.addTask { try await function() }
                }
                group.addTask {
                    guard (try? await Task.sleep(for: .hanging)) != nil else { return }
                    Issue.record("The test hangs.")
                }
                try await group.next()
                group.cancelAll()
                // The error of a test that was cancelled shows where it waited.
                try await group.waitForAll()
            }
        }
    }
}

extension Trait where Self == Turns {
    /// The trait for tests that use a service or programs.
    ///
    /// If all of them ran at once, each answer would wait for the work of all tests.
    public static var fewAtATime: Self { Turns(places: Turns.few) }

    /// The trait for tests that mostly wait, for example for servers of their own or for threads that wait for locks.
    ///
    /// They may block their threads. If more of them ran at once, each would be late.
    public static var fourAtATime: Self { Turns(places: Turns.blocking, count: 2) }

    /// The trait for tests that wait for a timer of the program that they test, and do hardly anything else.
    ///
    /// They may block their threads.
    public static var eightAtATime: Self { Turns(places: Turns.blocking) }

    /// The trait for tests that compute for a long time, block their thread or measure time.
    ///
    /// It runs beside no test that uses a place of the same kind. Its thread is not one of those that all tasks share.
    public static var oneAtATime: Self { Turns(places: Turns.blocking, count: 8) }
}

/// A number of places for tests, which are assigned in the order of the requests.
private actor Places {
    private var free: Int
    private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    init(_ count: Int) {
        free = count
    }

    func enter(_ count: Int) async {
        // Nobody overtakes, so a test that needs all places gets them.
        guard free < count || !waiting.isEmpty else {
            free -= count
            return
        }
        await withCheckedContinuation { waiting.append((count: count, continuation: $0)) }
    }

    func leave(_ count: Int) {
        free += count
        while let next = waiting.first, next.count <= free {
            free -= next.count
            waiting.removeFirst()
            next.continuation.resume()
        }
    }
}
