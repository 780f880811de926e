import Synchronization

/// A flag that is `true` only the first time it is read.
final class Once: Sendable {
    private let wasAsked = Mutex(false)

    var isFirst: Bool {
        wasAsked.withLock { wasAsked in
            defer { wasAsked = true }
            return !wasAsked
        }
    }
}
