import Dispatch
import Foundation
import TVEModels
public import TVEStorage

/// The tests of the promise of `update`, whose values are still current when its changes are made.
extension StorageConformance {
    /// Tests every pair of operations on two handles of a store, or on two threads of one handle.
    ///
    /// The second operation runs before, inside and after the first one. The result is compared with the results of
    /// running the two operations one after the other. A store that passes is tested again with the first operation in
    /// `update(patience:_:)`, through which a session writes.
    ///
    /// - Parameter handles: two handles of one store, which is emptied, or the same handle twice.
    /// - Returns: one sentence for each broken promise, with the first pair that broke it.
    /// - Throws: the `StorageError` of a call that should have succeeded, or `locked` if one hangs for a minute.
    public static func updateViolations(
        _ handles: (any StorageBackend, any StorageBackend)
    ) throws(StorageError) -> [String] {
        var violations = try pairViolations(handles)
        try handles.0.update(patience: .seconds(60)) { _ in [.put(Operation.number, Data([8]))] }
        if try contents(of: handles.0) != [Operation.number: Data([8])] {
            violations.append(
                violation(
                    "An update with a limit of its wait makes the same changes as one without.",
                    usually: "`update(patience:_:)` is implemented, but drops the body"))
        }
        // What both methods break is reported once. The other handle calls the method without a limit, because each has
        // to wait for the other.
        if violations.isEmpty {
            violations = try pairViolations((limited(handles.0), handles.1)).map { sentenceOfALimit($0) }
        }
        violations += try impatienceViolations(handles)
        try handles.0.apply([.removeAll(under: .everything)])
        return violations
    }

    /// Tests an update that may not wait, while nobody else is writing and while another update runs.
    private static func impatienceViolations(
        _ handles: (any StorageBackend, any StorageBackend)
    ) throws(StorageError) -> [String] {
        let (one, other) = handles
        let change = StorageChange.put(Operation.number, Data([9]))
        do throws(StorageError) {
            try other.update(patience: .zero) { _ in [change] }
        } catch .locked {
            let promise = "An update with a patience of zero succeeds while nobody else is writing."
            return [violation(promise, usually: "the time is over before the first attempt")]
        }
        let failure = Guarded<StorageError?>(nil)
        let hasBegun = Guarded(false)
        let isCalling = DispatchSemaphore(value: 0)
        let isDone = DispatchSemaphore(value: 0)
        try one.update { _ in
            // The body may run again, but the other update is made once.
            let isFirst = hasBegun.withLock { hasBegun in
                defer { hasBegun = true }
                return !hasBegun
            }
            guard isFirst else { return [] }
            Thread.detachNewThread {
                isCalling.signal()
                do throws(StorageError) {
                    try other.update(patience: .zero) { _ in [change] }
                } catch {
                    failure.withLock { $0 = error }
                }
                isDone.signal()
            }
            isCalling.wait()
            // A handle that makes its threads wait for each other ends the other update only after this body.
            _ = isDone.wait(timeout: .now() + .milliseconds(200)) == .success ? isDone.signal() : 0
            return []
        }
        if isDone.wait(timeout: .now() + 60) == .timedOut { throw StorageError.locked }
        guard let found = failure.withLock(\.self), found != .locked else { return [] }
        let promise = "An update that may not wait throws `locked` while another one is running, and no other error."
        return [violation(promise, usually: "the error of a place that is busy is passed on")]
    }

    /// Returns a handle whose every write is an `update(patience:_:)`, like those of a session.
    static func limited(_ handle: any StorageBackend) -> any StorageBackend {
        BoundedWaitStorage(handle, waitingAtMost: .seconds(60))
    }

    /// Returns the violations that a test finds with changes by `update(_:)`, or else those that it finds with changes
    /// by `update(patience:_:)`.
    ///
    /// What both methods break is reported once.
    static func changedBothWays(
        _ store: any StorageBackend, _ test: (any StorageBackend) throws(StorageError) -> [String]
    ) throws(StorageError) -> [String] {
        let violations = try test(store)
        guard violations.isEmpty else { return violations }
        return try test(limited(store)).map { sentenceOfALimit($0) }
    }

    /// Returns the sentence of a promise that only `update(patience:_:)` breaks.
    static func sentenceOfALimit(_ violation: String) -> String {
        "Through `update(patience:_:)`, as a session writes: \(violation)"
    }

    /// Tests every pair of operations, and an update whose body fails.
    private static func pairViolations(
        _ handles: (any StorageBackend, any StorageBackend)
    ) throws(StorageError) -> [String] {
        var atOnce = Pairs()
        var inTurn = Pairs()
        for first in Operation.allCases {
            for second in Operation.allCases {
                for moment in Moment.allCases {
                    try handles.0.apply([.removeAll(under: .everything), .put(Operation.number, Data([1]))])
                    try run(first, and: second, at: moment, on: handles)
                    let left = try contents(of: handles.0)
                    let orders = [[first, second], [second, first]].map { order in
                        order.reduce([Operation.number: Data([1])]) { state, operation in
                            var state = state
                            for change in operation.changes(DictionaryReading(state)) { state.apply(change) }
                            return state
                        }
                    }
                    let allowed = moment == .inside ? orders : [orders[moment == .before ? 1 : 0]]
                    let seen = try contents(of: handles.1)
                    let pair = allowed.contains(left) && seen == left ? nil : "`\(second)` \(moment) `\(first)`"
                    if moment == .inside { atOnce.count(pair) } else { inTurn.count(pair) }
                }
            }
        }
        // If handles miss each other's changes even one after the other, only that is reported, because concurrent
        // updates then fail as well.
        let broken =
            inTurn.violation(
                "An update reads what the update before it has written, through any handle",
                usually: "a handle keeps values in memory and does not read them again")
            ?? atOnce.violation(
                "What an update reads is still current when its changes are made",
                usually: "no lock is held from the first read to the last change, each handle has a lock of its own, "
                    + "or the threads of a handle share its lock")
        let failures = try failureViolations(handles.0)
        return (broken.map { [$0] } ?? []) + failures
    }

    /// The numbers of all pairs of operations, and of those whose result neither order of the two explains.
    private struct Pairs {
        private var all = 0
        private var broken = 0
        private var first: String?

        mutating func count(_ brokenPair: String?) {
            all += 1
            guard let brokenPair else { return }
            broken += 1
            first = first ?? brokenPair
        }

        func violation(_ promise: String, usually cause: String) -> String? {
            first.map {
                StorageConformance.violation(
                    "\(promise): no order explains the result of \(broken) of \(all) pairs, the first being \($0).",
                    usually: cause)
            }
        }
    }

    private enum Moment: CaseIterable {
        case before, inside, after
    }

    /// An operation that reads, decides and writes.
    private enum Operation: CaseIterable {
        case increment, double, logIn, logOut, rename, putIfAbsent

        static let number = StorageKey("number")
        private static let login = StorageKey("login", "a")
        private static let renamed = StorageKey("renamed")

        func changes(_ present: any StorageReading) throws(StorageError) -> [StorageChange] {
            let number = try present.value(for: Self.number)?.first ?? 0
            let isLoggedIn = try !present.keys(under: StorageKey("login")).isEmpty
            return switch self {
            case .increment: [.put(Self.number, Data([number &+ 1]))]
            case .double: [.put(Self.number, Data([number &* 2]))]
            case .logIn: isLoggedIn ? [] : [.put(Self.login, Data([number]))]
            case .logOut: isLoggedIn ? [.removeAll(under: StorageKey("login")), .put(Self.number, Data([100]))] : []
            case .rename:
                try present.value(for: Self.number).map { [.remove(Self.number), .put(Self.renamed, $0)] } ?? []
            case .putIfAbsent: [.putIfAbsent(Self.number, Data([50])), .putIfAbsent(Self.login, Data([51]))]
            }
        }

        /// Returns the changes for the contents of a dictionary, whose reading cannot fail.
        func changes(_ present: DictionaryReading) -> [StorageChange] {
            (try? changes(present as any StorageReading)) ?? []
        }
    }

    /// Runs two operations, the second one before, inside or after the first one.
    private static func run(
        _ first: Operation, and second: Operation, at moment: Moment,
        on handles: (any StorageBackend, any StorageBackend)
    ) throws(StorageError) {
        let (one, other) = handles
        if moment == .before { try other.update { present throws(StorageError) in try second.changes(present) } }
        let failure = Guarded<StorageError?>(nil)
        let isCalling = DispatchSemaphore(value: 0)
        let isDone = DispatchSemaphore(value: 0)
        let hasBegun = Guarded(false)
        try one.update { present throws(StorageError) in
            let changes = try first.changes(present)
            let begins = hasBegun.withLock { hasBegun in
                defer { hasBegun = true }
                return moment == .inside && !hasBegun
            }
            if begins {
                Thread.detachNewThread {
                    isCalling.signal()
                    do throws(StorageError) {
                        try other.update { present throws(StorageError) in try second.changes(present) }
                    } catch {
                        failure.withLock { $0 = error }
                    }
                    isDone.signal()
                }
                isCalling.wait()
                // A store that locks makes the second update wait until the end of this body. With any other store, the
                // second update ends within this time.
                _ = isDone.wait(timeout: .now() + .milliseconds(5)) == .success ? isDone.signal() : 0
            }
            return changes
        }
        if moment == .inside, isDone.wait(timeout: .now() + 60) == .timedOut { throw StorageError.locked }
        if let failure = failure.withLock(\.self) { throw failure }
        if moment == .after { try other.update { present throws(StorageError) in try second.changes(present) } }
    }

    private static func contents(of store: any StorageBackend) throws(StorageError) -> [StorageKey: Data] {
        var contents: [StorageKey: Data] = [:]
        for key in try store.keys(under: .everything) { contents[key] = try store.value(for: key) }
        return contents
    }

    /// Tests updates whose bodies fail.
    private static func failureViolations(_ store: any StorageBackend) throws(StorageError) -> [String] {
        // The last error is none that any place makes itself.
        let failures: [StorageError] = [.locked, .keyMissing, .cannotRead(errno: 12_345)]
        for failure in failures {
            try store.apply([.removeAll(under: .everything), .put(Operation.number, Data([7]))])
            var found: StorageError?
            do throws(StorageError) {
                try store.update { present throws(StorageError) in
                    _ = try present.value(for: Operation.number)
                    throw failure
                }
            } catch {
                found = error
            }
            guard found != nil, try contents(of: store) == [Operation.number: Data([7])] else {
                return [
                    violation(
                        "An update whose body fails changes nothing.",
                        usually: "the error of the body is swallowed, or changes are made before it has ended")
                ]
            }
            guard found == failure else {
                return [
                    violation(
                        "An update throws the error of its body.",
                        usually: "every error is turned into one of the place, such as `locked`")
                ]
            }
        }
        return []
    }
}
