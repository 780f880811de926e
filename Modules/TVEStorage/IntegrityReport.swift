/// What an integrity check looked at, found and did.
public struct IntegrityReport: Sendable, Equatable {
    /// What was asked for.
    public var mode: IntegrityMode
    /// How many values were looked at.
    public var checked = 0
    /// What is wrong, in no particular order.
    public var problems: [Problem] = []
    /// Entries that this version does not know, a newer one's perhaps; nothing is wrong with them.
    public var unknownEntries: [StorageKey] = []
    /// What was done about it.
    public var outcome = Outcome.untouched
    /// How long it all took.
    public var duration = Duration.zero

    /// Makes the report of a check that has not begun.
    ///
    /// - Parameter mode: what is asked for.
    public init(mode: IntegrityMode) {
        self.mode = mode
    }

    /// One thing that is wrong.
    public struct Problem: Sendable, Equatable {
        /// The entry; nil when it is about the store as a whole.
        public var key: StorageKey?
        /// What is wrong with it.
        public var reason: Reason

        /// Names a problem.
        ///
        /// - Parameters:
        ///   - key: the entry; nil when it is about the store as a whole.
        ///   - reason: what is wrong with it.
        public init(_ key: StorageKey?, _ reason: Reason) {
            self.key = key
            self.reason = reason
        }
    }

    /// What can be wrong.
    public enum Reason: Sendable, Equatable {
        /// A value that was written came back as another, or not at all.
        case probeFailed
        /// The store's bytes do not fit together.
        case damaged(StorageError.Damage)
        /// The value cannot be opened: other bytes, another entry's, or sealed with another key.
        case unreadable
        /// The value is not what its entry promises.
        case invalid
        /// The token is for another requestor, provider or resource than its entry says.
        case misplaced
        /// The store cannot be read or written, for a reason that does not pass by itself.
        case unusable(StorageError)
    }

    /// What was done.
    public enum Outcome: Sendable, Equatable {
        /// Nothing was removed.
        case untouched
        /// All entitlements were removed.
        case cleared
        /// So many bad values were moved aside.
        case repaired(Int)
        /// The store could not be used just now, which proves nothing about its values; nothing was removed.
        case unavailable(StorageError)
    }
}
